package io.lockkeeper.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Family;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.SingleHold;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.spi.Mode;
import java.lang.reflect.Method;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That nothing grows with names that were used, and that very many may wait. */
class ScaleTest {

    @Test
    void aHundredThousandNamesLeaveNothingBehind() throws Exception {
        useNames(100_000);
    }

    @Test
    @Tag("full")
    void aMillionNamesLeaveNothingBehind() throws Exception {
        useNames(1_000_000);
    }

    private static void useNames(int count) throws Exception {
        KeeperCore core = new KeeperCore(MemoryBackend.create(), Settings.DEFAULT);
        try {
            for (int i = 0; i < count; i++) {
                DistributedLock lock = new WriteLock(
                        core,
                        AcquireOptions.of(
                                new Resource(Family.LOCK, "name/" + i),
                                Mode.EXCLUSIVE,
                                core.settings().lease(),
                                false),
                        null);
                try (SingleHold hold = lock.acquire()) {
                    hold.ensureHeld();
                }
            }
            assertThat(core.slots()).isEmpty();
            assertThat(core.latches()).isEmpty();
        } finally {
            core.close(true);
        }
    }

    @Test
    void twoThousandThreadsWaitAndAllAreServed() throws Exception {
        serve(2_000);
    }

    /** On a JVM with virtual threads these are a hundred thousand; platform threads would not fit. */
    @Test
    @Tag("full")
    void aHundredThousandVirtualThreadsWaitAndAllAreServed() throws Exception {
        serve(virtualThreads() == null ? 10_000 : 100_000);
    }

    private static void serve(int threads) throws Exception {
        int[] served = {0};
        CountDownLatch done = new CountDownLatch(threads);
        try (Lockkeeper keeper = Lockkeeper.of(MemoryBackend.create())) {
            DistributedLock lock = keeper.lock("one for all");
            try (SingleHold first = lock.acquire()) {
                for (int i = 0; i < threads; i++) {
                    start(() -> {
                        try (SingleHold hold = lock.acquire()) {
                            served[0]++;
                        } catch (InterruptedException stopped) {
                            Thread.currentThread().interrupt();
                        } finally {
                            done.countDown();
                        }
                    });
                }
            }
            assertThat(done.await(5, TimeUnit.MINUTES)).isTrue();
            assertThat(served[0]).isEqualTo(threads);
        }
    }

    private static void start(Runnable task) throws Exception {
        Method virtual = virtualThreads();
        if (virtual == null) {
            new Thread(null, task, "waiter", 128 * 1024).start();
        } else {
            virtual.invoke(null, task);
        }
    }

    private static Method virtualThreads() {
        try {
            return Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException older) {
            return null;
        }
    }
}
