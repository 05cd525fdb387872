package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLatch;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Family;
import io.lockkeeper.HandOff;
import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Permit;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.FaultProxy.Rule;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** D4, D5: the server executes a request and the reply does not arrive, because of a stall or a broken connection. */
@SuppressWarnings("LockNotBeforeTry")
class LostRepliesTest {

    private static final String KEY = "lockkeeper:{lock:name}";
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final RedisServer server = RedisServer.start();
    private final FaultProxy proxy = FaultProxy.to(server.port());
    private final AtomicInteger failures = new AtomicInteger();
    /** Looks at what is there, not through the proxy. */
    private final Lockkeeper near = PatientKeepers.keeper().connect(server.url());

    private final Lockkeeper keeper = Lockkeeper.builder()
            .lease(LEASE)
            .listener(new KeeperListener() {
                @Override
                public void storeFailed(KeeperEvent.StoreFailed event) {
                    failures.incrementAndGet();
                }
            })
            .connect("redis://127.0.0.1:" + proxy.port());

    @AfterEach
    void end() {
        proxy.heal();
        keeper.close();
        near.close();
        proxy.close();
        server.close();
    }

    private boolean isFree() {
        return Long.valueOf(0).equals(server.command("EXISTS", KEY));
    }

    @Test
    void aReplyLostByAStallIsOneHold() throws Exception {
        DistributedLock lock = keeper.lock("name");
        lock.lock();
        lock.unlock();
        proxy.toClient(Rule.hold());
        Thread locker = new Thread(() -> {
            lock.lock();
            assertThat(lock.holdCount()).isEqualTo(1);
            lock.unlock();
            assertThat(lock.holdCount()).isZero();
        });
        Throwable[] failed = new Throwable[1];
        locker.setUncaughtExceptionHandler((thread, thrown) -> failed[0] = thrown);
        locker.start();
        Eventually.holds(() -> !isFree());
        // It has given up the first request.
        Eventually.holds(() -> failures.get() > 0);
        proxy.heal();
        locker.join(60_000);

        assertThat(locker.isAlive()).isFalse();
        assertThat(failed[0]).isNull();
        Eventually.holds(this::isFree);
        Eventually.holds(() -> near.inspect("name").isEmpty());
    }

    @Test
    void aCallerThatGaveUpLeavesNothing() throws Exception {
        keeper.lock("name").acquire().close();
        proxy.toClient(Rule.hold());

        assertThatThrownBy(() -> keeper.lock("name").tryAcquire(Duration.ofMillis(100)))
                .isInstanceOf(StoreUnavailableException.class);
        Eventually.holds(() -> !isFree() || Long.valueOf(1).equals(tombstones()));
        proxy.heal();
        // A late request would be refused.
        Eventually.holds(() -> isFree() && Long.valueOf(1).equals(tombstones()));
        try (ExclusiveHold hold = keeper.lock("name").tryAcquire(Duration.ofSeconds(20))) {
            assertThat(hold).isNotNull();
        }
    }

    private Object tombstones() {
        return server.command("EVAL", "return #redis.call('KEYS', '*:x:*')", "0");
    }

    @Test
    void anOrphanOfAProcessThatDiedEndsWithItsLease() throws Exception {
        keeper.lock("name").acquire().close();
        proxy.toClient(Rule.hold());
        Future<ExclusiveHold> waiting = keeper.lock("name").acquireAsync();
        Eventually.holds(() -> !isFree());

        // It is never heard of again.
        proxy.refuse();
        proxy.resetAll();
        assertThat((Long) server.command("PTTL", KEY)).isBetween(0L, LEASE.toMillis());
        assertThat(waiting.isDone()).isFalse();
    }

    /**
     * One request ends a grant and asks for the next: it is executed, and neither reply comes. Several connections are open
     * before, since a renewal may have taken one, and no other can be opened while no reply comes.
     */
    @Test
    void aWaiterIsServedAfterALostExchange() throws Exception {
        Set<Resource> waitedFor = ConcurrentHashMap.newKeySet();
        try (Lockkeeper passing = Lockkeeper.builder()
                .lease(LEASE)
                .handOff(HandOff.OFF)
                .listener(new KeeperListener() {
                    @Override
                    public void waiting(KeeperEvent.Waiting event) {
                        waitedFor.add(event.resource());
                    }
                })
                .connect("redis://127.0.0.1:" + proxy.port())) {
            int atFirst = proxy.connections();
            Eventually.holds(() -> {
                proxy.toClient(Rule.delay(Duration.ofMillis(30)));
                Stream.of("one", "two", "three", "four")
                        .map(other -> passing.lock(other).acquireAsync())
                        .toList()
                        .forEach(asked -> asked.toCompletableFuture().join().close());
                proxy.heal();
                // One of them may be that of the subscription.
                return proxy.connections() >= atFirst + 2;
            });
            DistributedLock lock = passing.lock("name");
            ExclusiveHold first = lock.acquire();
            CompletableFuture<ExclusiveHold> next = new CompletableFuture<>();
            Thread waiter = new Thread(() -> {
                try {
                    next.complete(lock.acquire());
                } catch (InterruptedException | RuntimeException e) {
                    next.completeExceptionally(e);
                }
            });
            waiter.start();
            // It asks the store for nothing while its own keeper holds the lock.
            Eventually.holds(() -> waitedFor.contains(new Resource(Family.LOCK, "name")));
            Object holder = server.command("GET", KEY);
            proxy.toClient(Rule.hold());

            assertThat(first.release()).isEqualTo(ReleaseOutcome.UNKNOWN);
            // It is executed.
            Eventually.holds(() -> {
                Object now = server.command("GET", KEY);
                return now != null && !now.equals(holder);
            });
            assertThat(next).isNotDone();
            proxy.heal();

            ExclusiveHold second = next.get(60, TimeUnit.SECONDS);
            assertThat(second.token()).isGreaterThan(first.token());
            assertThat(near.inspect("name").orElseThrow().grants()).hasSize(1);
            second.close();
            Eventually.holds(this::isFree);
            Eventually.holds(() -> near.inspect("name").isEmpty());
        }
    }

    @Test
    void aConnectionCutBeforeTheReplyIsOneHold() throws Exception {
        for (int bytes : new int[] {0, 1, 5, 12}) {
            keeper.lock("name").acquire().close();
            proxy.toClient(Rule.cutAfter(bytes));
            Future<ExclusiveHold> asked = keeper.lock("name").acquireAsync();
            Eventually.holds(() -> !isFree());
            proxy.heal();
            ExclusiveHold hold = asked.get(60, TimeUnit.SECONDS);
            long token = near.inspect("name").orElseThrow().grants().get(0).token();

            assertThat(hold.token()).as("the first and only grant").isEqualTo(token);
            hold.close();
            Eventually.holds(this::isFree);
        }
    }

    @Test
    void aPermitWhoseReplyWasLostIsCountedOnce() throws Exception {
        keeper.semaphore("pool", 3).acquire(1).close();
        proxy.toClient(Rule.cutAfter(0));
        Future<Permit> asked = keeper.semaphore("pool", 3).acquireAsync(2);
        Eventually.holds(() -> "2".equals(server.command("HGET", "lockkeeper:{semaphore:pool}:s", "taken")));
        proxy.heal();
        Permit permit = asked.get(60, TimeUnit.SECONDS);

        assertThat(near.semaphore("pool", 3).availablePermits()).isEqualTo(1);
        permit.close();
        Eventually.holds(() -> near.semaphore("pool", 3).availablePermits() == 3);
    }

    @Test
    void aCountDownWhoseReplyWasLostCountsOnce() throws Exception {
        DistributedLatch latch = keeper.latch("latch");
        latch.trySetCount(100);
        // It is cut before, within and behind each of the replies.
        for (int bytes = 0; bytes < 60; bytes += 3) {
            int before = near.latch("latch").count();
            int failed = failures.get();
            proxy.toClient(Rule.cutAfter(bytes));
            CompletableFuture<?> counted = latch.countDownAsync();
            Eventually.holds(() -> counted.isDone() || failures.get() > failed);
            proxy.heal();
            String said =
                    counted.handle((nothing, thrown) -> String.valueOf(thrown)).get(60, TimeUnit.SECONDS);
            boolean surely = said.equals("null") || said.contains("it is counted as soon as the store is back");

            Eventually.holds(() -> near.latch("latch").count() == (surely ? before - 1 : before));
        }
    }
}
