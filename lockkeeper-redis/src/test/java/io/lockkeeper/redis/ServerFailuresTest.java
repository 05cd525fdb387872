package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.SingleHold;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What users see of a failing server: one sentence that says what to do, nothing left behind, and normal service after it has
 * recovered. A waiter without a timeout is served then; a holder still holds, if the server has not forgotten the grant.
 */
@Execution(CONCURRENT)
class ServerFailuresTest {

    private static final Duration TIMEOUT = Duration.ofMillis(700);
    private static final Duration LEASE = Duration.ofMinutes(1);

    /** What is told is what the server says, however slowly it says it. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(6);

    private static RedisServer start() {
        return AppUser.on(RedisServer.options()).start();
    }

    private static Lockkeeper connect(RedisServer server) {
        return Lockkeeper.builder()
                .lease(LEASE)
                .commandTimeout(COMMAND_TIMEOUT)
                .connect(server.url(AppUser.NAME, AppUser.PASSWORD));
    }

    private static void isTold(ServerFailure ordeal, RedisServer server, ThrowingCallable call) {
        Throwable e;
        int tries = 0;
        do {
            e = catchThrowable(call);
            // Of its beginning, a connection may have broken under a request, and on a busy machine that was the last
            // one.
        } while (e != null && e.getMessage().contains("may have executed the request") && ++tries < 20);
        assertThat(e)
                .isInstanceOf(ordeal.passes() ? StoreUnavailableException.class : LockkeeperException.class)
                .hasMessageContainingAll(ordeal.words().toArray(CharSequence[]::new))
                .hasMessageContaining("127.0.0.1:" + server.port())
                .hasMessageNotContainingAny("\n", AppUser.PASSWORD);
    }

    @ParameterizedTest
    @EnumSource
    void isToldInASentenceAndRecoveredFrom(ServerFailure ordeal) throws Exception {
        try (RedisServer server = start();
                Lockkeeper keeper = connect(server)) {
            ExclusiveHold held = keeper.lock("held").acquire();

            ordeal.begin(server);
            isTold(ordeal, server, () -> keeper.lock("tried").tryAcquire(TIMEOUT));
            isTold(ordeal, server, () -> keeper.semaphore("permits", 3).tryAcquire(TIMEOUT));
            isTold(ordeal, server, () -> connect(server));
            CompletableFuture<ExclusiveHold> waiting = keeper.lock("waited for").acquireAsync();
            if (!ordeal.passes()) {
                isTold(ordeal, server, () -> {
                    try {
                        waiting.join();
                    } catch (RuntimeException e) {
                        throw Objects.requireNonNull(e.getCause());
                    }
                });
            }
            assertThat(held.state()).isNotEqualTo(HoldState.LOST);
            assertThat(waiting.isDone()).isEqualTo(!ordeal.passes());
            ordeal.end(server);
            if (ordeal.passes()) {
                waiting.get(60, TimeUnit.SECONDS).close();
            }
            if (ordeal != ServerFailure.UNREACHABLE) {
                Eventually.holds(() -> held.state() == HoldState.HELD);
                assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
            }
            try (Lockkeeper other = connect(server)) {
                isLeftAsAfterAPlainPair(server, other);
            }
        }
    }

    /** Nobody holds or queues, and the next one is served at once. */
    private static void isLeftAsAfterAPlainPair(RedisServer server, Lockkeeper other) throws InterruptedException {
        for (String name : List.of("held", "tried", "waited for")) {
            Eventually.holds(() -> other.inspect(name).isEmpty());
            try (SingleHold hold = other.lock(name).tryAcquire()) {
                assertThat(hold).as(name).isNotNull();
            }
        }
        try (SingleHold all = other.semaphore("permits", 3).tryAcquire(3)) {
            assertThat(all).isNotNull();
        }
        Set<String> left = new TreeSet<>();
        for (Object key : (List<?>) Objects.requireNonNull(server.command("KEYS", "lockkeeper*"))) {
            if (String.valueOf(key).contains("}:x:")) {
                // Of a claim that may have been executed: it ends with the claim's lease.
                assertThat((Long) server.command("PTTL", String.valueOf(key))).isBetween(1L, LEASE.toMillis());
            } else {
                left.add(String.valueOf(key));
            }
        }
        assertThat(left)
                .containsExactlyInAnyOrder(
                        "lockkeeper:{store}",
                        "lockkeeper:{lock:held}:s",
                        "lockkeeper:{lock:tried}:s",
                        "lockkeeper:{lock:waited for}:s",
                        "lockkeeper:{semaphore:permits}:s");
    }

    @Test
    void aServerThatIsTooOldIsRefused() {
        try (RedisServer server = RedisServer.options().ancient().start()) {
            Throwable e = catchThrowable(() -> Lockkeeper.connect(server.url()));

            assertThat(e)
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining("127.0.0.1:" + server.port())
                    .hasMessageContaining("runs version 2.8.19, but 6.2 or newer is needed; update it");
            assertThat(server.command("DBSIZE")).isEqualTo(0L);
        }
    }

    @Test
    void aKeyOfAnotherTypeHurtsOnlyItsNameAndIsLeftAlone() throws Exception {
        try (RedisServer server = start();
                Lockkeeper keeper = connect(server)) {
            server.command("RPUSH", "lockkeeper:{lock:taken}", "somebody's");
            assertThat(catchThrowable(() -> keeper.lock("taken").tryAcquire(TIMEOUT)))
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining("has a key of another type than expected; delete that key");
            keeper.lock("other").acquire().close();
            assertThat(server.command("KEYS", "lockkeeper:{lock:taken}*"))
                    .isEqualTo(List.of("lockkeeper:{lock:taken}"));
            assertThat(server.command("LRANGE", "lockkeeper:{lock:taken}", "0", "-1"))
                    .isEqualTo(List.of("somebody's"));

            server.command("DEL", "lockkeeper:{lock:taken}");
            keeper.lock("taken").acquire().close();
        }
    }
}
