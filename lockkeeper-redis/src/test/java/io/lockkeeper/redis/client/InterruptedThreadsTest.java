package io.lockkeeper.redis.client;

import static io.lockkeeper.redis.client.TestScripts.count;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.FaultProxy.Rule;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.redis.RedisServer;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Interrupted threads share connections with others, and no request of either fails. On a JVM that has them these are virtual
 * threads: the JDK closes the socket on which an interrupted virtual thread waits.
 */
class InterruptedThreadsTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final int EACH = 400;

    private static Thread start(Runnable task) {
        try {
            @Nullable Method virtual = virtualThreads();
            if (virtual != null) {
                return (Thread) virtual.invoke(null, task);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        Thread thread = new Thread(task, "neighbour");
        thread.start();
        return thread;
    }

    private static @Nullable Method virtualThreads() {
        try {
            return Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException older) {
            return null;
        }
    }

    @Test
    void anInterruptBreaksNoRequest() throws InterruptedException {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        AtomicInteger made = new AtomicInteger();
        AtomicInteger interrupts = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch done = new CountDownLatch(8);
        try (RedisServer server = RedisServer.start();
                Redis redis = TestClients.connect(server.url() + "?pool=4")) {
            redis.run(count("warm"), TIMEOUT);
            List<Thread> victims = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String own = "n" + i;
                Thread thread = start(() -> {
                    try {
                        for (int n = 1; n <= EACH; n++) {
                            // Alternately with others on one connection, and alone on one.
                            Object reply = n % 4 == 0
                                    ? redis.runAll(List.of(count(own)), TIMEOUT).get(0)
                                    : redis.run(count(own), TIMEOUT);
                            if (!Long.valueOf(n).equals(reply)) {
                                failures.add(
                                        reply instanceof Throwable e
                                                ? e
                                                : new AssertionError("Another's reply: " + reply));
                            }
                            made.incrementAndGet();
                            Thread.interrupted();
                        }
                    } catch (RuntimeException | Error e) {
                        failures.add(e);
                    } finally {
                        done.countDown();
                    }
                });
                if (i % 2 == 0) {
                    victims.add(thread);
                }
            }
            Thread storm = new Thread(
                    () -> {
                        while (!over.get()) {
                            victims.forEach(Thread::interrupt);
                            interrupts.incrementAndGet();
                            Thread.yield();
                        }
                    },
                    "storm");
            storm.setDaemon(true);
            storm.start();
            try {
                assertThat(done.await(120, TimeUnit.SECONDS)).isTrue();
            } finally {
                over.set(true);
            }
            assertThat(failures).isEmpty();
            assertThat(made).hasValue(8 * EACH);
            assertThat(interrupts.get()).isPositive();
        }
    }

    @Test
    void anInterruptOfTheThreadThatReadsLeavesTheConnection() {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server.port());
                Redis redis = TestClients.single("127.0.0.1", proxy.port())) {
            redis.run(count("n"), TIMEOUT);
            proxy.toClient(Rule.hold());
            Queue<Object> replies = new ConcurrentLinkedQueue<>();
            AtomicBoolean kept = new AtomicBoolean();
            CountDownLatch done = new CountDownLatch(1);
            Thread reader = start(() -> {
                try {
                    replies.add(redis.run(count("n"), TIMEOUT));
                    kept.set(Thread.interrupted());
                } catch (RuntimeException e) {
                    replies.add(e);
                } finally {
                    done.countDown();
                }
            });
            TestTimeouts.until("it was executed", () -> "2".equals(String.valueOf(server.command("GET", "n"))));
            reader.interrupt();
            proxy.heal();

            TestTimeouts.until("it is over", () -> done.getCount() == 0);
            assertThat(replies).containsExactly(2L);
            assertThat(kept).as("the interrupt is kept for the caller").isTrue();
            assertThat(proxy.connections()).isEqualTo(1);
        }
    }
}
