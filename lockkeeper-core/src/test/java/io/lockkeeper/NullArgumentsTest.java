package io.lockkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.file.FileBackend;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.quorum.BackOff;
import io.lockkeeper.quorum.Quorum;
import io.lockkeeper.quorum.QuorumBuilder;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A null where there must be something is told by the parameter's name, at once: for each method of the public API. */
@Timeout(120)
class NullArgumentsTest {

    private final MemoryBackend backend = MemoryBackend.create();
    private Lockkeeper keeper;
    private ExclusiveHold hold;

    @BeforeEach
    void open() throws InterruptedException {
        keeper = Lockkeeper.of(backend);
        hold = keeper.lock("held").acquire();
    }

    @AfterEach
    void close() {
        keeper.close();
        backend.close();
    }

    private record Subject(Class<?> type, Object object) {}

    private List<Subject> subjects() throws InterruptedException {
        SegmentedLock segments = keeper.segmentedLock("segments", 2);
        DistributedReadWriteLock readWrite = keeper.readWriteLock("read-write");
        return List.of(
                new Subject(Lockkeeper.class, keeper),
                new Subject(LockkeeperBuilder.class, Lockkeeper.builder()),
                new Subject(DistributedLock.class, keeper.lock("lock")),
                new Subject(DistributedReadWriteLock.class, readWrite),
                new Subject(SharedLock.class, readWrite.readLock()),
                new Subject(DistributedSemaphore.class, keeper.semaphore("semaphore", 2)),
                new Subject(DistributedLatch.class, keeper.latch("latch")),
                new Subject(RequestLocks.class, keeper.requests()),
                new Subject(MultiLock.class, keeper.multiLock("one", "two")),
                new Subject(MajorityLock.class, majority("five", "six", "seven")),
                new Subject(MajorityHold.class, majority("eight", "nine", "ten").acquire()),
                new Subject(SegmentedLock.class, segments),
                new Subject(Acquirable.class, segments.segment(0)),
                new Subject(LeaderElection.class, keeper.leaderElection("election")),
                new Subject(ExclusiveHold.class, hold),
                new Subject(MultiHold.class, keeper.multiLock("three", "four").acquire()),
                new Subject(SegmentHold.class, keeper.segmentedLock("others", 2).acquire()),
                new Subject(Permit.class, keeper.semaphore("permits", 2).acquire()),
                new Subject(Fencing.class, Fencing.inMemory()),
                new Subject(FileBackend.class, FileBackend.in(Path.of("locks"))),
                new Subject(MemoryBackend.class, null),
                new Subject(Quorum.class, null),
                new Subject(QuorumBuilder.class, Quorum.builder()),
                new Subject(BackOff.class, null),
                new Subject(Resource.class, null));
    }

    private MajorityLock majority(String one, String two, String three) {
        return MajorityLock.of(keeper.lock(one), keeper.lock(two), keeper.lock(three));
    }

    @Test
    void areToldByTheNameOfTheParameter() throws Exception {
        List<String> wrong = new ArrayList<>();
        int tried = 0;
        for (Subject subject : subjects()) {
            for (Method method : methods(subject)) {
                for (int i = 0; i < method.getParameterCount(); i++) {
                    if (!method.getParameterTypes()[i].isPrimitive()) {
                        tried++;
                        String told = told(subject, method, i);
                        if (!told.matches("[a-z]\\w* must not be null")) {
                            wrong.add(subject.type.getSimpleName() + "." + method.getName()
                                    + Arrays.toString(method.getParameterTypes()) + " " + i + ": " + told);
                        }
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(tried).isGreaterThan(60);
    }

    private static List<Method> methods(Subject subject) {
        return Stream.of(subject.type.getMethods())
                .filter(method -> Modifier.isStatic(method.getModifiers()) || subject.object != null)
                // Opening a backend is for keepers.
                .filter(method -> !List.of(method.getParameterTypes()).contains(Keeper.class))
                .filter(method -> !method.isBridge() && method.getDeclaringClass() != Object.class)
                .sorted(Comparator.comparing(Method::toString))
                .toList();
    }

    private String told(Subject subject, Method method, int index) throws IllegalAccessException {
        Object[] arguments =
                Stream.of(method.getParameterTypes()).map(this::something).toArray();
        arguments[index] = null;
        method.setAccessible(true);
        try {
            return "returned " + method.invoke(subject.object, arguments);
        } catch (InvocationTargetException e) {
            return e.getCause() instanceof NullPointerException told ? told.getMessage() + "" : e.getCause() + "";
        }
    }

    private final Map<Class<?>, Object> somethings = Map.ofEntries(
            Map.entry(int.class, 1),
            Map.entry(long.class, 1L),
            Map.entry(double.class, 0.5),
            Map.entry(boolean.class, false),
            Map.entry(String.class, "something"),
            Map.entry(Duration.class, Duration.ofSeconds(2)),
            Map.entry(TimeUnit.class, TimeUnit.SECONDS),
            Map.entry(Resource.class, new Resource(Family.LOCK, "something")),
            Map.entry(Overdue.class, Overdue.values()[0]),
            Map.entry(HandOff.class, HandOff.DEFAULT),
            Map.entry(Leaks.class, Leaks.RELEASE),
            Map.entry(Path.class, Path.of("something")),
            Map.entry(Clocks.class, Clocks.system()),
            Map.entry(Thread.class, Thread.currentThread()),
            Map.entry(Backend.class, backend));

    private Object something(Class<?> type) {
        if (somethings.containsKey(type)) {
            return somethings.get(type);
        }
        if (type == ExclusiveHold.class) {
            return hold;
        }
        if (type.isArray()) {
            Object array = Array.newInstance(type.getComponentType(), 1);
            Array.set(array, 0, something(type.getComponentType()));
            return array;
        }
        if (type == List.class) {
            return List.of("something");
        }
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            throw new UnsupportedOperationException(method.toString());
        });
    }
}
