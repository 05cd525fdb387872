package io.lockkeeper.benchmarks.peer;

import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RFencedLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson with its default settings: 64 connections and 50 more for subscriptions at most, 16 + 32 threads. */
final class RedissonPeer implements Peer {

    private static final String ROOT = "org.redisson:redisson";

    static final Library LOCK = new Library(
            "redisson",
            "Redisson",
            "redis",
            ROOT,
            Set.of(
                    Feature.LOCK,
                    Feature.REENTRANT,
                    Feature.FAIR,
                    Feature.READ_WRITE,
                    Feature.SEMAPHORE,
                    Feature.LATCH,
                    Feature.RENEWAL),
            url -> new RedissonPeer(url, (client, name) -> new OfLock(client.getLock(name)), false));

    static final Library SPIN = new Library(
            "redisson-spin",
            "Redisson spin lock",
            "redis",
            ROOT,
            Set.of(Feature.LOCK),
            url -> new RedissonPeer(url, (client, name) -> new OfLock(client.getSpinLock(name)), false));

    static final Library FENCED = new Library(
            "redisson-fenced",
            "Redisson fenced lock",
            "redis",
            ROOT,
            Set.of(Feature.LOCK, Feature.TOKENS),
            url -> new RedissonPeer(url, (client, name) -> fenced(client.getFencedLock(name)), false));

    static final Library EXPIRABLE = new Library(
            "redisson-expirable",
            "Redisson expirable permits",
            "redis",
            ROOT,
            Set.of(Feature.SEMAPHORE),
            url -> new RedissonPeer(url, (client, name) -> new OfLock(client.getLock(name)), true));

    private final RedissonClient client;
    private final BiFunction<RedissonClient, String, Mutex> locks;
    private final boolean expirable;

    private RedissonPeer(String url, BiFunction<RedissonClient, String, Mutex> locks, boolean expirable) {
        Config config = new Config();
        config.useSingleServer().setAddress(url);
        this.client = Redisson.create(config);
        this.locks = locks;
        this.expirable = expirable;
    }

    @Override
    public Mutex lock(String name) {
        return locks.apply(client, name);
    }

    @Override
    public Mutex fairLock(String name) {
        return new OfLock(client.getFairLock(name));
    }

    @Override
    public ReadWrite readWrite(String name) {
        RReadWriteLock lock = client.getReadWriteLock(name);
        return new ReadWrite(new OfLock(lock.readLock()), new OfLock(lock.writeLock()));
    }

    @Override
    public Mutex semaphore(String name, int permits) {
        return expirable ? expirable(name, permits) : plain(name, permits);
    }

    private Mutex plain(String name, int permits) {
        RSemaphore semaphore = client.getSemaphore(name);
        semaphore.trySetPermits(permits);
        return new Mutex() {
            @Override
            public long acquire() throws InterruptedException {
                semaphore.acquire();
                return 0;
            }

            @Override
            public void release() {
                semaphore.release();
            }
        };
    }

    /** Permits that a crash gives back, as all of Lockkeeper's. */
    private Mutex expirable(String name, int permits) {
        RPermitExpirableSemaphore semaphore = client.getPermitExpirableSemaphore(name);
        semaphore.trySetPermits(permits);
        return new Mutex() {
            private @Nullable String permit;

            @Override
            public long acquire() throws InterruptedException {
                permit = semaphore.acquire(LEASE_MILLIS, java.util.concurrent.TimeUnit.MILLISECONDS);
                return 0;
            }

            @Override
            public void release() {
                semaphore.release(permit);
            }
        };
    }

    @Override
    public Latch latch(String name) {
        RCountDownLatch latch = client.getCountDownLatch(name);
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

    private static Mutex fenced(RFencedLock lock) {
        return new Mutex() {
            @Override
            public long acquire() {
                return lock.lockAndGetToken();
            }

            @Override
            public void release() {
                lock.unlock();
            }
        };
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
