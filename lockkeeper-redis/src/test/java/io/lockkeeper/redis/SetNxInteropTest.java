package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Family;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.SingleHold;
import io.lockkeeper.testkit.contract.AboutTime;
import io.lockkeeper.testkit.redis.RedisServer;
import io.lockkeeper.testkit.redis.RedisWire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A hand-written lock with SET NX PX and compare-and-delete and a lock of a keeper exclude each other on one key. */
class SetNxInteropTest {

    private static final String COMPARE_AND_DELETE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end";
    private static final String NAME = "orders/42";

    private final RedisServer server = RedisServer.start();
    private final RedisBackend backend = RedisBackend.at(server.url());
    private final Lockkeeper keeper = PatientKeepers.keeper().open(backend);
    private final String key = backend.key(new Resource(Family.LOCK, NAME));

    @AfterEach
    void end() {
        keeper.close();
        backend.close();
        server.close();
    }

    /** What people write by hand. */
    private final class OwnClient implements AutoCloseable {

        private final RedisWire wire = server.connect();
        private final String value = UUID.randomUUID().toString();

        boolean tryLock(Duration lease) {
            return wire.command("SET", key, value, "NX", "PX", Long.toString(lease.toMillis())) != null;
        }

        boolean unlock() {
            return Long.valueOf(1).equals(wire.command("EVAL", COMPARE_AND_DELETE, "1", key, value));
        }

        @Override
        public void close() {
            wire.close();
        }
    }

    @Test
    void theKeyIsWhereTheDocumentsSay() {
        assertThat(key).isEqualTo("lockkeeper:{lock:orders/42}");
    }

    @Test
    void aRequestIdIsTheValueAndTheSameIdOwnsItOnBothSides() {
        Duration lease = Duration.ofMinutes(1);
        try (OwnClient client = new OwnClient()) {
            assertThat(keeper.requests().tryLock(NAME, client.value, lease)).isTrue();
            assertThat(server.command("GET", key)).isEqualTo(client.value);
            assertThat(client.tryLock(lease)).isFalse();
            assertThat(client.unlock()).isTrue();
            assertThat(keeper.requests().unlock(NAME, client.value)).isFalse();

            assertThat(client.tryLock(lease)).isTrue();
            assertThat(keeper.requests().tryLock(NAME, "another", lease)).isFalse();
            assertThat(keeper.requests().tryLock(NAME, client.value, lease)).isTrue();
            assertThat(keeper.inspect(NAME).orElseThrow().grants().get(0).token())
                    .as("beside it, a token of its own")
                    .isPositive();
            assertThat(keeper.requests().unlock(NAME, client.value)).isTrue();
            assertThat(client.tryLock(lease)).isTrue();
        }
    }

    // Else the other side, which counts on the time that it was given, would be alone no more.
    @Test
    void aShorterLeaseUnderTheSameIdDoesNotShortenTheOtherClients() {
        try (OwnClient client = new OwnClient()) {
            assertThat(client.tryLock(Duration.ofMinutes(5))).isTrue();
            assertThat(keeper.requests().tryLock(NAME, client.value, Duration.ofMinutes(1)))
                    .isTrue();
            assertThat((Long) server.command("PTTL", key))
                    .isGreaterThan(Duration.ofMinutes(2).toMillis());
            assertThat(keeper.requests().tryLock(NAME, client.value, Duration.ofMinutes(10)))
                    .isTrue();
            assertThat((Long) server.command("PTTL", key))
                    .isGreaterThan(Duration.ofMinutes(5).toMillis());
            assertThat(client.unlock()).isTrue();
        }
    }

    // As docs/redis.md says: readers share it, so they are not in the key.
    @Test
    void readersDoNotExcludeTheOtherClientButWaitForIt() throws Exception {
        try (OwnClient client = new OwnClient()) {
            try (SingleHold reading = keeper.readWriteLock(NAME).readLock().acquire()) {
                assertThat(client.tryLock(Duration.ofMinutes(1))).isTrue();
                assertThat(client.unlock()).isTrue();
                assertThat(reading.state()).isEqualTo(HoldState.HELD);
            }
            assertThat(client.tryLock(Duration.ofMinutes(1))).isTrue();
            assertThat(keeper.readWriteLock(NAME).readLock().tryAcquire()).isNull();
            assertThat(client.unlock()).isTrue();
        }
    }

    @Test
    void eachKeepsTheOtherOut() throws Exception {
        try (OwnClient client = new OwnClient()) {
            try (ExclusiveHold hold = keeper.lock(NAME).acquire()) {
                assertThat(client.tryLock(Duration.ofSeconds(10))).isFalse();
                assertThat(client.unlock()).as("it does not hold it").isFalse();
                assertThat(hold.state()).isEqualTo(HoldState.HELD);
            }
            assertThat(client.tryLock(Duration.ofSeconds(10))).isTrue();
            assertThat(keeper.lock(NAME).tryAcquire()).isNull();
            assertThat(keeper.readWriteLock(NAME).readLock().tryAcquire()).isNull();
            assertThat(client.unlock()).isTrue();
            try (SingleHold hold = keeper.lock(NAME).tryAcquire()) {
                assertThat(hold).isNotNull();
            }
        }
    }

    @Test
    void aWaiterIsGrantedWhenAForeignHolderEnds() throws Exception {
        try (OwnClient client = new OwnClient()) {
            client.tryLock(Duration.ofSeconds(30));
            Future<ExclusiveHold> waiting = keeper.lock(NAME).acquireAsync();
            Eventually.holds(
                    () -> keeper.inspect(NAME).map(ResourceState::waiting).orElse(0) == 1);
            client.unlock();
            waiting.get(60, TimeUnit.SECONDS).close();

            client.tryLock(Duration.ofMillis(300));
            keeper.lock(NAME).acquire().close();
        }
    }

    @Test
    void aForeignHolderIsShownAsOne() {
        try (OwnClient client = new OwnClient()) {
            client.tryLock(Duration.ofSeconds(30));

            ResourceState.Grant grant =
                    keeper.inspect(NAME).orElseThrow().grants().get(0);
            assertThat(grant.toString()).contains(client.value);
            assertThat(grant.remaining()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
        }
    }

    @Test
    void aForeignHolderMayCallItselfWhatItLikes() {
        for (String value : List.of("", " ", "a b c d e f", "id 17 1 keeper host 4711 note")) {
            server.command("SET", key, value, "PX", "60000");
            ResourceState.Grant grant =
                    keeper.inspect(NAME).orElseThrow().grants().get(0);
            assertThat(grant.holder().note()).isEqualTo("not a keeper: " + value);
            assertThat(grant.token()).isZero();
            assertThat(keeper.list(NAME)).hasSize(1);
        }
    }

    @Test
    void aForeignHolderWithoutExpiryCanBeForced() throws Exception {
        server.command("SET", key, "forever");
        Future<ExclusiveHold> waiting = keeper.lock(NAME).acquireAsync();
        Eventually.holds(() -> keeper.inspect(NAME).map(ResourceState::waiting).orElse(0) == 1);
        assertThat(waiting.isDone()).isFalse();

        assertThat(keeper.forceRelease(NAME)).isTrue();
        waiting.get(60, TimeUnit.SECONDS).close();
    }

    @Test
    @AboutTime
    void anOverwrittenHolderIsToldAndReleasesNothing() throws Exception {
        try (OwnClient client = new OwnClient()) {
            ExclusiveHold hold =
                    keeper.lock(NAME).withLease(Duration.ofSeconds(6)).acquire();
            server.command("SET", key, client.value, "PX", "60000");

            assertThat(hold.lost().get(60, TimeUnit.SECONDS).reason()).isEqualTo(Loss.Reason.TAKEN);
            hold.close();
            assertThat(client.unlock()).isTrue();
        }
    }

    @Test
    void ownClientsAndKeepersCountTogetherWithoutMissingOne() throws Exception {
        int each = 150;
        int[] counter = new int[1];
        List<Callable<Void>> workers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            workers.add(() -> {
                for (int n = 0; n < each; n++) {
                    try (SingleHold hold = keeper.lock(NAME).acquire()) {
                        counter[0] = slowly(counter[0]);
                    }
                    LockSupport.parkNanos(100_000);
                }
                return null;
            });
            workers.add(() -> {
                try (OwnClient client = new OwnClient()) {
                    for (int n = 0; n < each; n++) {
                        while (!client.tryLock(Duration.ofSeconds(30))) {
                            LockSupport.parkNanos(200_000);
                        }
                        counter[0] = slowly(counter[0]);
                        client.unlock();
                    }
                }
                return null;
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(workers.size());
        try {
            for (Future<Void> done : threads.invokeAll(workers)) {
                done.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(counter[0]).isEqualTo(workers.size() * each);
    }

    /** Adds one, with a pause in which another's addition would get lost. */
    private static int slowly(int before) {
        Thread.yield();
        return before + 1;
    }
}
