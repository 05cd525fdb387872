package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MultiHold;
import io.lockkeeper.MultiLock;
import io.lockkeeper.testkit.redis.RedisServer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks of one name on two servers, one of which loses its memory: all processes acquire them in one order, before and after. */
@Timeout(120)
final class MultiOrderTest {

    private static final String STORE = "lockkeeper:{store}";

    private final RedisServer one = RedisServer.start();
    private final RedisServer two = RedisServer.start();
    private final Process old = new Process();

    /** Keepers of both servers, as one process has them. */
    private final class Process implements AutoCloseable {
        final Lockkeeper first = PatientKeepers.keeper().connect(one.url());
        final Lockkeeper second = PatientKeepers.keeper().connect(two.url());

        MultiLock both(String name) {
            return MultiLock.of(first.lock(name), second.lock(name));
        }

        @Override
        public void close() {
            first.close();
            second.close();
        }
    }

    @AfterEach
    void end() {
        old.close();
        one.close();
        two.close();
    }

    private static String id(RedisServer server) {
        return String.valueOf(Objects.requireNonNull(server.command("HGET", STORE, "id")));
    }

    @Test
    void aKeeperWritesBackTheIdThatItKnows() throws Exception {
        String before = id(one);
        one.command("FLUSHALL");
        old.both("n").acquire().close();
        assertThat(id(one)).isEqualTo(before);
    }

    @Test
    void aKeeperTakesTheIdThatAnotherWroteAfterAFlush() throws Exception {
        for (String other : new String[] {"0", "z"}) {
            two.command("FLUSHALL");
            two.command("HSET", STORE, "id", other, "format", "1");
            try (MultiHold held = old.both("n").acquire();
                    Process young = new Process()) {
                assertThat(young.both("n").tryAcquire()).isNull();
                assertThat(held.holds()).hasSize(2);
            }
            assertThat(id(two)).isEqualTo(other);
        }
    }

    /**
     * The old process waits for the first lock of the old order. The other server's id is lost and written anew, such that it
     * comes first now; a new process takes its lock and waits for the other one. Then the old one gets what it waits for.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWaitThatIsUnderWayFollowsTheNewOrder(boolean async) throws Exception {
        boolean oneIsFirst = id(one).compareTo(id(two)) < 0;
        RedisServer later = oneIsFirst ? two : one;
        try (Process young = new Process()) {
            Lockkeeper ofFirst = oneIsFirst ? young.first : young.second;
            Lockkeeper ofLater = oneIsFirst ? young.second : young.first;
            ExclusiveHold inTheWay = ofFirst.lock("n").acquire();
            CompletableFuture<MultiHold> oldWaits = acquire(old.both("n"), async);
            Eventually.holds(() -> ofFirst.inspect("n").orElseThrow().waiting() == 1);
            later.command("DEL", STORE);
            later.command("HSET", STORE, "id", "0", "format", "1");
            CompletableFuture<MultiHold> youngWaits = acquire(young.both("n"), async);
            Eventually.holds(() -> ofLater.inspect("n").isPresent());
            inTheWay.close();

            CompletableFuture.allOf(oldWaits.thenAccept(MultiHold::close), youngWaits.thenAccept(MultiHold::close))
                    .get(60, TimeUnit.SECONDS);
        }
    }

    private static CompletableFuture<MultiHold> acquire(MultiLock lock, boolean async) {
        if (async) {
            return lock.acquireAsync();
        }
        CompletableFuture<MultiHold> held = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                held.complete(lock.acquire());
            } catch (InterruptedException | RuntimeException e) {
                held.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return held;
    }
}
