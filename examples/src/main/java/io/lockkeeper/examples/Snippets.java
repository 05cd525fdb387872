package io.lockkeeper.examples;

import io.lockkeeper.DistributedLatch;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Fencing;
import io.lockkeeper.Hold;
import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.MajorityHold;
import io.lockkeeper.MajorityLock;
import io.lockkeeper.MultiHold;
import io.lockkeeper.MultiLock;
import io.lockkeeper.Overdue;
import io.lockkeeper.Permit;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.SegmentHold;
import io.lockkeeper.SegmentedLock;
import io.lockkeeper.SingleHold;
import io.lockkeeper.quorum.BackOff;
import io.lockkeeper.quorum.Quorum;
import io.lockkeeper.redis.RedisBackend;
import io.lockkeeper.spi.Backend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Every primitive in a few lines, in each of its ways. The documentation quotes from here. */
@SuppressWarnings("unused")
final class Snippets {

    private final Lockkeeper keeper;

    Snippets(Lockkeeper keeper) {
        this.keeper = keeper;
    }

    /** What the README shows. */
    static void readme() throws InterruptedException {
        try (Lockkeeper keeper = Lockkeeper.connect("file:locks")) {
            DistributedLock lock = keeper.lock("orders/42"); // also a java.util.concurrent.locks.Lock
            try (ExclusiveHold hold = lock.acquire()) { // waits; renewed until it is closed
                hold.onLost(loss -> System.err.println("stop: " + loss));
                System.out.println("paid under token " + hold.token()); // greater than that of every holder before
                hold.ensureHeld(); // LockLostException if it was lost; a local check
            }
            lock.tryRun(Duration.ofSeconds(3), hold -> System.out.println("sent")); // false if it stayed busy
        }
    }

    /** 1. A lock by handle: renewed until closed, with a fencing token. */
    void byHandle(Ledger ledger) throws InterruptedException {
        DistributedLock lock = keeper.lock("orders/42");
        try (ExclusiveHold hold = lock.acquire()) {
            ledger.append("paid", hold.token());
            hold.ensureHeld();
        }
    }

    /** 2. With a limit on the wait: null if somebody else had it all the time. */
    boolean withLimit() throws InterruptedException {
        try (Hold hold = keeper.lock("orders/42").tryAcquire(Duration.ofSeconds(3))) {
            return hold != null;
        }
    }

    /** 3. With a lambda. */
    int withLambda() throws InterruptedException {
        DistributedLock lock = keeper.lock("orders/42");
        lock.tryRun(Duration.ZERO, hold -> System.out.println("skipped if busy, token " + hold.token()));
        return lock.call(hold -> 40 + 2);
    }

    /** 4. Asynchronously: cancelling the future leaves the queue. */
    CompletableFuture<String> asynchronously() {
        DistributedLock lock = keeper.lock("orders/42");
        return lock.acquireAsync()
                .orTimeout(3, TimeUnit.SECONDS)
                .thenCompose(hold -> CompletableFuture.supplyAsync(() -> "done under token " + hold.token())
                        .whenComplete((result, failure) -> hold.releaseAsync()));
    }

    /** 5. Asynchronously with a lambda: released when the returned stage is complete. */
    CompletableFuture<String> asynchronousLambda() {
        return keeper.lock("orders/42")
                .callAsync(hold -> CompletableFuture.supplyAsync(() -> "done under token " + hold.token()));
    }

    /** 6. The way of the JDK: owned by the thread, re-entrant. */
    void jdkWay() {
        DistributedLock lock = keeper.lock("orders/42").withLease(Duration.ofSeconds(10));
        lock.lock();
        try {
            System.out.println(lock.currentHold().token());
        } finally {
            lock.unlock();
        }
    }

    /** 7. Told of a loss, and safe against one: the guard refuses a write that comes late. */
    void fenced(Fencing guard) throws InterruptedException {
        try (ExclusiveHold hold = keeper.fairLock("orders/42").acquire()) {
            hold.onLost((Loss loss) -> System.err.println("stop: " + loss));
            guard.admit("ledger", hold);
        }
    }

    /** 8. Readers and writers, with a downgrade that lets no other writer in between. */
    void readWrite() throws InterruptedException {
        DistributedReadWriteLock lock = keeper.readWriteLock("catalogue");
        try (SingleHold reading = lock.readLock().acquire()) {
            System.out.println("together with others: " + reading.id());
        }
        ExclusiveHold writing = lock.writeLock().acquire();
        try (SingleHold reading = lock.downgrade(writing)) {
            System.out.println("nobody wrote since: " + reading.token());
        }
    }

    /** 9. Permits: renewed ones, and ones that come back by themselves. */
    void permits() throws InterruptedException {
        DistributedSemaphore semaphore = keeper.semaphore("mail-server", 5);
        try (Permit two = semaphore.acquire(2)) {
            two.release(1);
        }
        Permit forAMinute = semaphore.withFixedLease(Duration.ofMinutes(1)).tryAcquire();
        if (forAMinute != null) {
            System.out.println(semaphore.availablePermits() + " left");
        }
    }

    /** 10. A latch: three parts of the work, and a caller that waits for them. */
    void latch() throws InterruptedException {
        DistributedLatch latch = keeper.latch("import-2026-11-15");
        latch.trySetCount(3);
        latch.countDown();
        boolean done = latch.await(Duration.ofMinutes(5));
        CompletableFuture<@Nullable Void> whenDone = latch.awaitAsync();
    }

    /** 11. Several at once, and one in many segments. */
    void severalAndSegments(Lockkeeper other) throws InterruptedException {
        MultiLock both = keeper.multiLock("account/7", "account/9");
        try (MultiHold holds = both.acquire()) {
            System.out.println(holds.holds().get(0).token());
        }
        MultiLock overTwoStores = MultiLock.of(keeper.lock("account/7"), other.lock("account/7"));

        SegmentedLock stock = keeper.segmentedLock("stock/4711", 10);
        try (SegmentHold part = stock.acquire()) {
            System.out.println("sell from part " + part.segment());
        }
        try (SegmentHold part = stock.forKey("customer-1").acquire()) {
            System.out.println("always part " + part.segment());
        }
    }

    /** 11a. Several as one Lock, a read lock among them. */
    void multiLockByThread(Ledger ledger) {
        DistributedReadWriteLock prices = keeper.readWriteLock("prices");
        MultiLock invoice = MultiLock.of(prices.readLock(), keeper.lock("account/7"));
        invoice.lock();
        try {
            MultiHold holds = invoice.currentHold();
            ledger.append("invoice", holds.exclusiveHolds().get(0).token());
        } finally {
            invoice.unlock();
        }
    }

    /** 12. Election: who leads, and notifications of it. */
    void election() {
        try (LeaderElection election = keeper.leaderElection("scheduler")) {
            election.addListener(new LeaderElection.Listener() {
                @Override
                public void elected(ExclusiveHold leadership) {
                    System.out.println("leading in term " + leadership.token());
                }

                @Override
                public void deposed(LeaderElection.Deposed event) {
                    System.out.println(event.resigned() ? "resigned" : "lost: " + event.loss());
                }
            });
            election.join();
            election.current().ifPresent(leader -> System.out.println(leader.holder()));
        }
    }

    /** 13. Leases: how long a lock outlives a holder that is not heard of any more. */
    void leases() throws InterruptedException {
        DistributedLock lock = keeper.lock("orders/42");
        try (ExclusiveHold hold = lock.withLease(Duration.ofSeconds(10)).acquire()) {
            System.out.println("renewed every third of 10 s; sure for " + hold.remaining());
        }
        try (ExclusiveHold hold = lock.withFixedLease(Duration.ofSeconds(10)).acquire()) {
            System.out.println("never renewed: over after 10 s at the latest, token " + hold.token());
        }
        DistributedLock watched = lock.withMaxHold(Duration.ofMinutes(1), Overdue.REPORT);
        DistributedLock impatient = lock.giveUpAfter(Duration.ofSeconds(20));
    }

    /** 14. Taken again and again by the same process. */
    void sticky() throws InterruptedException {
        DistributedLock lock = keeper.lock("ledger").sticky(Duration.ofSeconds(5));
        for (String order : List.of("1001", "1002", "1003")) {
            try (ExclusiveHold hold = lock.acquire()) { // the first one asks the store, the others do not
                System.out.println(order + " under token " + hold.token());
            }
        }
    }

    /** 15. Owned by a name instead of a thread: every thread that works for the request may nest. */
    void byOwner(String requestId) {
        DistributedLock lock = keeper.lock("orders/42").ownedBy(requestId);
        lock.lock();
        try {
            System.out.println("nested " + lock.holdCount() + " deep");
        } finally {
            lock.unlock();
        }
    }

    /** 16. Given to another process, which releases it. */
    void portable(Lockkeeper other) throws InterruptedException {
        ExclusiveHold hold = keeper.lock("orders/42").portable().acquire();
        String id = hold.id(); // send it to the other process
        ReleaseOutcome outcome = other.release("orders/42", id);
    }

    /** 17. Who holds what. */
    void looking() {
        keeper.inspect("orders/42").ifPresent(state -> System.out.println(state.grants()));
        for (ResourceState state : keeper.list("orders/")) {
            System.out.println(state.resource() + ": " + state.waiting() + " waiting");
        }
    }

    /** 17a. Who holds what is no lock. */
    void lookingAtPermits() throws InterruptedException {
        DistributedSemaphore semaphore = keeper.semaphore("mail-server", 5);
        try (Permit two = semaphore.acquire(2)) {
            keeper.inspect(Resource.semaphore("mail-server"))
                    .ifPresent(state -> System.out.println(state.grants().get(0).permits() + " of " + state.permits()));
        }
    }

    /** 17b. Taken away by an operator. */
    void takenAway() {
        keeper.forceRelease("orders/42");
        keeper.forceRelease(Resource.semaphore("mail-server")); // all its permits
    }

    /** 18. A keeper with settings of its own. */
    static Lockkeeper settings() {
        KeeperListener meters = new KeeperListener() {
            @Override
            public void acquired(KeeperEvent.Acquired event) {
                System.out.println(event.resource() + " after " + event.waited());
            }
        };
        return Lockkeeper.builder()
                .lease(Duration.ofSeconds(10))
                .commandTimeout(Duration.ofMillis(500))
                .note("order service")
                .listener(meters)
                .connect("file:locks");
    }

    /** 19. A store made of stores: what a majority of them grants. Closing the quorum closes the stores. */
    static void quorum(Backend a, Backend b, Backend c, Ledger ledger) throws InterruptedException {
        try (Quorum quorum = Quorum.of(a, b, c);
                Lockkeeper keeper = Lockkeeper.of(quorum)) {
            try (ExclusiveHold hold = keeper.lock("orders/42").acquire()) {
                ledger.append("paid", hold.token());
            }
        }
    }

    /** The stores of the quorums. */
    static List<Backend> members() {
        Backend a = RedisBackend.at("redis://h1");
        Backend b = RedisBackend.at("redis://h2");
        Backend c = RedisBackend.at("redis://h3");
        return List.of(a, b, c);
    }

    /** 20. The same with settings. */
    static Quorum quorumWithSettings(Backend a, Backend b, Backend c) {
        return Quorum.builder()
                .member(a)
                .member(b)
                .durableMember(c) // forgets nothing: it votes right after a restart
                .nodeTimeout(Duration.ofMillis(80)) // how long one member may take to answer
                .driftFactor(0.02) // clocks differ by up to 2 %
                .attempts(3) // rounds of a try without a time limit
                .backOff(BackOff.constant(Duration.ofMillis(100), Duration.ofMillis(100)))
                .build();
    }

    /** 21. A majority of locks instead of stores: each may have another name. */
    static void majority(Backend a, Backend b, Backend c) throws InterruptedException {
        try (Lockkeeper first = Lockkeeper.of(a);
                Lockkeeper second = Lockkeeper.of(b);
                Lockkeeper third = Lockkeeper.of(c)) {
            MajorityLock lock =
                    MajorityLock.of(first.lock("orders/42"), second.lock("orders/42"), third.lock("shop/orders/42"));
            try (MajorityHold hold = lock.acquire()) {
                hold.ensureHeld();
            }
        }
    }

    /** Somewhere that entries go, with the token they were written under. */
    interface Ledger {
        void append(String entry, long token);
    }
}
