package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MultiHold;
import io.lockkeeper.SingleHold;
import io.lockkeeper.testkit.contract.AboutTime;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** D10, D11, D12, D15: the expiry of the key in the server is the lease of the claim that holds, and of no other. */
@SuppressWarnings("LockNotBeforeTry")
class KeyExpiryTest {

    private static final long DEFAULT = 30_000;

    private final RedisServer server = RedisServer.start();
    private final Lockkeeper keeper = PatientKeepers.keeper().connect(server.url());
    private final DistributedLock lock = keeper.lock("name");

    @AfterEach
    void end() {
        keeper.close();
        server.close();
    }

    private long left(String name) {
        return (Long) Objects.requireNonNull(server.command("PTTL", "lockkeeper:{lock:" + name + "}"));
    }

    @Test
    @AboutTime
    void anExpiredLeaseDoesNotLeakIntoTheNextAcquisition() throws Exception {
        DistributedLock brief = lock.withFixedLease(Duration.ofMillis(300));
        brief.lock();
        Eventually.holds(() -> left("name") < 0);
        assertThatThrownBy(brief::unlock).isInstanceOf(LockLostException.class);
        lock.lock();
        assertThat(left("name")).isBetween(DEFAULT - 10_000, DEFAULT);
        lock.unlock();
        try (ExclusiveHold hold = lock.acquire()) {
            assertThat(left("name")).isBetween(DEFAULT - 10_000, DEFAULT);
        }
        try (ExclusiveHold hold = brief.acquire()) {
            assertThat(left("name")).isLessThanOrEqualTo(300);
        }
    }

    @Test
    @AboutTime
    void whatIsFixedIsAskedAboutAndNotExtended() throws Exception {
        // Each of the two grants is asked about twice, in one request or in two; earlier ones, because of a signal, do
        // not count.
        CountDownLatch asked = new CountDownLatch(4);
        long early = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        KeeperListener counting = new KeeperListener() {
            @Override
            public void renewed(KeeperEvent.Renewed event) {
                for (int i = 0; i < event.grants() && System.nanoTime() > early; i++) {
                    asked.countDown();
                }
            }
        };
        try (Lockkeeper mine = PatientKeepers.keeper().listener(counting).connect(server.url());
                SingleHold alone =
                        mine.lock("name").withFixedLease(Duration.ofSeconds(9)).acquire();
                SingleHold shared = mine.readWriteLock("shared")
                        .readLock()
                        .withFixedLease(Duration.ofSeconds(9))
                        .acquire()) {
            long begun = System.nanoTime();
            assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
            // Extended, there would be more than what time has left of it.
            long over = Duration.ofNanos(System.nanoTime() - begun).toMillis();
            long rest = 9_000 - over + 500;
            assertThat(left("name")).isLessThan(rest);
            Object ends = server.command("ZRANGE", "lockkeeper:{lock:shared}:g", "0", "-1", "WITHSCORES");
            Object[] time = ((List<?>) Objects.requireNonNull(server.command("TIME"))).toArray();
            long now = Long.parseLong(String.valueOf(time[0])) * 1000;
            assertThat(Long.parseLong(String.valueOf(((List<?>) Objects.requireNonNull(ends)).get(1))) - now)
                    .isLessThan(rest + 1_000);
            assertThat(alone.remaining()).isLessThan(Duration.ofMillis(rest));
            assertThat(shared.remaining()).isLessThan(Duration.ofMillis(rest));
        }
    }

    @Test
    void aNestedLeaseDoesNotShortenTheOuterOne() {
        lock.lock();
        DistributedLock inner = lock.withFixedLease(Duration.ofMillis(300));
        inner.lock();
        assertThat(left("name")).isBetween(DEFAULT - 10_000, DEFAULT);
        inner.unlock();
        assertThat(left("name")).isBetween(DEFAULT - 10_000, DEFAULT);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        assertThat(left("name")).isNegative();
    }

    @Test
    void nestingDoesNotLengthenALease() {
        for (int i = 0; i < 20; i++) {
            keeper.readWriteLock("name").writeLock().lock();
        }
        assertThat(left("name")).isLessThanOrEqualTo(DEFAULT);
        for (int i = 0; i < 20; i++) {
            keeper.readWriteLock("name").writeLock().unlock();
        }
        assertThat(left("name")).isNegative();
    }

    @Test
    void aContendedMultiLockHasTheLeaseItAskedFor() throws Exception {
        try (Lockkeeper other = PatientKeepers.keeper().connect(server.url())) {
            ExclusiveHold hold = other.lock("b").acquire();
            Future<MultiHold> waiting = keeper.multiLock("a", "b", "c")
                    .withLease(Duration.ofSeconds(12))
                    .acquireAsync();
            Eventually.holds(() -> other.inspect("b").orElseThrow().waiting() == 1);
            hold.close();
            try (MultiHold all = waiting.get(60, TimeUnit.SECONDS)) {
                for (String name : List.of("a", "b", "c")) {
                    assertThat(left(name)).isBetween(1L, 12_000L);
                }
            }
        }
    }

    @Test
    void everyFormHonoursItsLease() throws Exception {
        DistributedLock twelve = lock.withLease(Duration.ofSeconds(12));
        try (SingleHold hold = twelve.acquire()) {
            assertThat(left("name")).isBetween(1L, 12_000L);
        }
        try (SingleHold hold = twelve.tryAcquire()) {
            assertThat(left("name")).isBetween(1L, 12_000L);
        }
        try (SingleHold hold = twelve.tryAcquire(Duration.ofSeconds(10))) {
            assertThat(left("name")).isBetween(1L, 12_000L);
        }
        try (SingleHold hold = twelve.acquireAsync().get(60, TimeUnit.SECONDS)) {
            assertThat(left("name")).isBetween(1L, 12_000L);
        }
        twelve.lock();
        assertThat(left("name")).isBetween(1L, 12_000L);
        twelve.unlock();
    }
}
