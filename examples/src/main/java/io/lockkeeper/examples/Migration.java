package io.lockkeeper.examples;

import io.lockkeeper.DistributedLatch;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MultiLock;
import io.lockkeeper.Permit;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreState;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What programs that come from other libraries write here. Each piece of code in the tables of docs/migration.md is in here. */
final class Migration {

    private final Lockkeeper keeper;

    Migration(Lockkeeper keeper) {
        this.keeper = keeper;
    }

    /** What the examples of the page use. */
    static void setUp(String url) {
        Lockkeeper keeper = Lockkeeper.connect(url);
        String name = "orders/42";
        Runnable work = () -> System.out.println("working");
        work.run();
        System.out.println(keeper.lock(name).isLocked());
        keeper.close();
    }

    /** Locks of Redisson. */
    boolean locks(String name) throws InterruptedException {
        DistributedLock lock = keeper.lock(name);
        lock.lock();
        boolean locked = lock.isLocked();
        Duration left = lock.inspect().map(state -> state.remaining()).orElse(Duration.ZERO);
        lock.unlock();
        lock.withFixedLease(Duration.ofSeconds(30)).lock();
        lock.unlock();
        MultiLock all = MultiLock.of(lock, keeper.readWriteLock(name + "/stock").readLock());
        all.lock();
        all.unlock();
        boolean got = lock.withFixedLease(Duration.ofSeconds(30)).tryLock(5, TimeUnit.SECONDS);
        boolean forced = lock.forceRelease();
        return locked && got && forced && left.toMillis() > 0;
    }

    /** Asynchronous locks of Redisson, by an id instead of a thread. */
    CompletableFuture<@Nullable Void> asynchronous(String name, String requestId) {
        DistributedLock mine = keeper.lock(name).ownedBy(requestId);
        return mine.lockAsync()
                .thenCompose(locked -> mine.lockAsync())
                .thenCompose(nested -> mine.unlockAsync())
                .thenCompose(outer -> mine.unlockAsync());
    }

    /** A semaphore whose number of permits is in the store. */
    int permits(String name) throws InterruptedException {
        DistributedSemaphore semaphore = keeper.semaphore(name);
        semaphore.trySetPermits(5);
        semaphore.addPermits(3);
        Permit rest = semaphore.drainPermits();
        int left = semaphore.availablePermits();
        if (rest != null) {
            rest.release(2);
            rest.close();
        }
        return left + semaphore.storedPermits().orElse(0);
    }

    /** Permits that are acquired in one process and released in another. */
    boolean permitsById(String name, Lockkeeper other) throws InterruptedException {
        Permit permit = keeper.semaphore(name).portable().acquire(2);
        String id = permit.id();
        other.release(Resource.semaphore(name), id);
        return keeper.semaphore(name).availablePermits() > 0;
    }

    /** A lease that is extended by hand. */
    boolean extended(String name) {
        ExclusiveHold hold =
                keeper.lock(name).withFixedLease(Duration.ofSeconds(30)).tryAcquire();
        if (hold == null) {
            return false;
        }
        hold.extend(Duration.ofMinutes(1));
        return hold.isHeld();
    }

    /** A selector of a leader. */
    LeaderElection selector(String name, Runnable work) {
        LeaderElection election = keeper.leaderElection(name).as("node-7");
        election.join(leadership -> {
            while (leadership.isHeld()) { // interrupted when deposed
                work.run();
                TimeUnit.SECONDS.sleep(1);
            }
        });
        return election;
    }

    /** A latch of a leader. */
    int leaderLatch(String name) throws InterruptedException {
        LeaderElection election = keeper.leaderElection(name);
        election.join();
        election.await();
        int candidates = election.candidates().size();
        boolean leads = election.current()
                .map(leader -> leader.id().equals(election.id()))
                .orElse(false);
        election.leave();
        return leads ? candidates : 0;
    }

    /** The other recipes of Curator. */
    void recipes(String name) throws InterruptedException {
        DistributedReadWriteLock both = keeper.readWriteLock(name);
        both.writeLock().tryLock(5, TimeUnit.SECONDS);
        both.writeLock().unlock();
        DistributedLatch latch = keeper.latch(name);
        latch.trySetCount(1);
        latch.countDown();
        latch.await();
    }

    /** Listens to the state of the store. */
    static Lockkeeper listening(String url, Runnable suspended, Runnable reconnected) {
        return Lockkeeper.builder()
                .lazy()
                .listener(new KeeperListener() {
                    @Override
                    public void storeStateChanged(KeeperEvent.StoreStateChanged event) {
                        if (event.state() == StoreState.UNCERTAIN) {
                            suspended.run();
                        } else if (event.back()) {
                            reconnected.run();
                        }
                    }
                })
                .connect(url);
    }

    /** A scheduled task that runs at most once, and keeps its lock for a while. */
    boolean scheduled(Runnable work) {
        if (keeper.lock("report").withFixedLease(Duration.ofMinutes(10)).tryAcquire() == null) {
            return false; // it runs elsewhere, or ran less than 10 minutes ago
        }
        work.run();
        return true;
    }

    /** Waits that no interrupt ends. */
    Permit uninterruptibly(DistributedSemaphore semaphore) {
        return semaphore.acquireAsync().join();
    }
}
