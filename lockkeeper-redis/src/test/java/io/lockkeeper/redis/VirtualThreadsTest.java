package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SingleHold;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.redis.RedisServer;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Thousands of threads lock and wait at once, by few connections. On a JVM that has virtual threads they are such; platform
 * threads would not fit, so there are fewer of them.
 */
class VirtualThreadsTest {

    private static final @Nullable Method VIRTUAL = virtualThreads();

    private static @Nullable Method virtualThreads() {
        try {
            return Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException older) {
            return null;
        }
    }

    private static void start(Runnable task) throws Exception {
        if (VIRTUAL == null) {
            new Thread(null, task, "waiter", 128 * 1024).start();
        } else {
            VIRTUAL.invoke(null, task);
        }
    }

    @Test
    void thousandsAreServedByFewConnections() throws Exception {
        int threads = VIRTUAL == null ? 500 : 5_000;
        int[] served = {0};
        Queue<Exception> failures = new ConcurrentLinkedQueue<>();
        CountDownLatch done = new CountDownLatch(threads);
        try (RedisServer server = RedisServer.start();
                Lockkeeper keeper = Lockkeeper.connect(server.url())) {
            for (int i = 0; i < threads; i++) {
                String own = "own/" + i;
                start(() -> {
                    try (SingleHold mine = keeper.lock(own).acquire();
                            SingleHold one = keeper.lock("one for all").acquire()) {
                        served[0]++;
                    } catch (InterruptedException | RuntimeException e) {
                        failures.add(e);
                    } finally {
                        done.countDown();
                    }
                });
            }
            assertThat(done.await(180, TimeUnit.SECONDS)).isTrue();

            assertThat(failures).isEmpty();
            assertThat(served[0]).isEqualTo(threads);
            // The server may notice a moment later that one was replaced; those that are open stay so for a minute.
            TestTimeouts.until(
                    "few connections are open",
                    Duration.ofSeconds(20),
                    () -> String.valueOf(server.command("CLIENT", "LIST"))
                                    .lines()
                                    .count()
                            <= 10);
        }
    }
}
