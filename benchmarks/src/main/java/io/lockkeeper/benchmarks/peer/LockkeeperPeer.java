package io.lockkeeper.benchmarks.peer;

import io.lockkeeper.DistributedLatch;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.HandOff;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.SingleHold;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lockkeeper as its README shows it: {@code acquire()} and {@code close()}, default settings. */
final class LockkeeperPeer implements Peer {

    private static final Set<Feature> LOCKS =
            EnumSet.of(Feature.LOCK, Feature.REENTRANT, Feature.TOKENS, Feature.RENEWAL);
    private static final Set<Feature> ALL = EnumSet.of(
            Feature.LOCK,
            Feature.REENTRANT,
            Feature.TOKENS,
            Feature.RENEWAL,
            Feature.FAIR,
            Feature.READ_WRITE,
            Feature.SEMAPHORE,
            Feature.LATCH);
    private static final String CORE = "io.lockkeeper:lockkeeper-core";

    static final Library REDIS = new Library(
            Library.OURS,
            "Lockkeeper",
            "redis",
            "io.lockkeeper:lockkeeper-redis",
            ALL,
            url -> new LockkeeperPeer(url, HandOff.DEFAULT));

    static final Library REDIS_WITHOUT_HAND_OFF = new Library(
            "lockkeeper-nohandoff",
            "Lockkeeper, hand-off off",
            "redis",
            "io.lockkeeper:lockkeeper-redis",
            LOCKS,
            url -> new LockkeeperPeer(url, HandOff.OFF));

    static final Library REDIS_STICKY = new Library(
            "lockkeeper-sticky",
            "Lockkeeper, sticky",
            "redis",
            "io.lockkeeper:lockkeeper-redis",
            LOCKS,
            StickyPeer::new);

    static final Library SQL = new Library(
            "lockkeeper-sql",
            "Lockkeeper",
            "postgresql",
            "io.lockkeeper:lockkeeper-jdbc",
            LOCKS,
            url -> new LockkeeperPeer(url, HandOff.DEFAULT));

    static final Library SQL_STICKY = new Library(
            "lockkeeper-sql-sticky",
            "Lockkeeper, sticky",
            "postgresql",
            "io.lockkeeper:lockkeeper-jdbc",
            LOCKS,
            StickyPeer::new);

    static final Library ZOOKEEPER = new Library(
            "lockkeeper-zookeeper",
            "Lockkeeper",
            "zookeeper",
            "io.lockkeeper:lockkeeper-zookeeper",
            LOCKS,
            url -> new LockkeeperPeer(url, HandOff.DEFAULT));

    static final Library ZOOKEEPER_STICKY = new Library(
            "lockkeeper-zookeeper-sticky",
            "Lockkeeper, sticky",
            "zookeeper",
            "io.lockkeeper:lockkeeper-zookeeper",
            LOCKS,
            StickyPeer::new);

    static final Library ETCD = new Library(
            "lockkeeper-etcd",
            "Lockkeeper",
            "etcd",
            "io.lockkeeper:lockkeeper-etcd",
            LOCKS,
            url -> new LockkeeperPeer(url, HandOff.DEFAULT));

    static final Library MEMORY = new Library(
            "lockkeeper-memory",
            "Lockkeeper, memory",
            "none",
            CORE,
            LOCKS,
            url -> new LockkeeperPeer("memory:", HandOff.DEFAULT));

    static final Library FILE = new Library(
            "lockkeeper-file",
            "Lockkeeper, file",
            "folder",
            CORE,
            LOCKS,
            url -> new LockkeeperPeer(url, HandOff.DEFAULT));

    private final Lockkeeper keeper;

    LockkeeperPeer(String url, HandOff handOff) {
        keeper = Lockkeeper.builder().handOff(handOff).connect(url);
    }

    @Override
    public Mutex lock(String name) {
        return handle(keeper.lock(name)::acquire);
    }

    @Override
    public boolean tryOnce(String name) {
        SingleHold hold = keeper.lock(name).tryAcquire();
        if (hold != null) {
            hold.close();
        }
        return hold != null;
    }

    @Override
    public Mutex fairLock(String name) {
        return handle(keeper.fairLock(name)::acquire);
    }

    @Override
    public Mutex reentrantLock(String name) {
        DistributedLock lock = keeper.lock(name);
        return new Mutex() {
            @Override
            public long acquire() {
                lock.lock();
                return 0;
            }

            @Override
            public void release() {
                lock.unlock();
            }
        };
    }

    @Override
    public ReadWrite readWrite(String name) {
        DistributedReadWriteLock lock = keeper.readWriteLock(name);
        return new ReadWrite(handle(lock.readLock()::acquire), handle(lock.writeLock()::acquire));
    }

    @Override
    public Mutex semaphore(String name, int permits) {
        DistributedSemaphore semaphore = keeper.semaphore(name, permits);
        return handle(semaphore::acquire);
    }

    @Override
    public Latch latch(String name) {
        DistributedLatch latch = keeper.latch(name);
        return new Latch() {
            @Override
            public void set(int count) {
                if (!latch.trySetCount(count)) {
                    throw new IllegalStateException("The latch " + name + " is set already");
                }
            }

            @Override
            public void countDown() {
                latch.countDown();
            }

            @Override
            public void await() throws InterruptedException {
                latch.await();
            }

            @Override
            public void delete() {
                latch.delete();
            }
        };
    }

    /** Takes a hold. */
    interface Acquire {
        SingleHold acquire() throws InterruptedException;
    }

    static Mutex handle(Acquire acquire) {
        return new Mutex() {
            private @Nullable SingleHold hold;

            @Override
            public long acquire() throws InterruptedException {
                SingleHold taken = acquire.acquire();
                hold = taken;
                return taken.token();
            }

            @Override
            public void release() {
                SingleHold held = hold;
                // Where the store was too slow to answer it is released in the background.
                if (held == null || held.release() == ReleaseOutcome.NOT_HELD) {
                    throw new IllegalStateException("The lock was not held any more");
                }
            }
        };
    }

    @Override
    public void close() {
        keeper.close();
    }
}
