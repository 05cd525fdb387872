package io.lockkeeper.spring.boot4;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spring.boot.RegistryLock;
import io.lockkeeper.spring.boot.RegistryLocks;
import java.time.Duration;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * A lock registry of Spring Integration 7 on a keeper, for aggregators, leader initiators and code that uses such registries.
 * Locks are renewed until they are unlocked, unless they were taken with a time to live; a thread that lost one learns of it at its next call.
 */
public final class LockkeeperLockRegistry
        implements ExpirableLockRegistry<DistributedLock>, RenewableLockRegistry<DistributedLock> {

    private final RegistryLocks locks;

    /** A registry whose names begin with {@code registry/}. */
    public LockkeeperLockRegistry(Lockkeeper keeper) {
        this(keeper, "registry/");
    }

    /** @param region what the names of all locks of the registry begin with */
    public LockkeeperLockRegistry(Lockkeeper keeper, String region) {
        this.locks = new RegistryLocks(keeper, region);
    }

    @Override
    public DistributedLock obtain(Object lockKey) {
        return new TimedLock(locks, lockKey);
    }

    /** The keeper forgets unused locks by itself; this forgets what ended threads had lost. */
    @Override
    public void expireUnusedOlderThan(long age) {
        locks.expireUnusedOlderThan(age);
    }

    @Override
    public void renewLock(Object lockKey) {
        locks.renew(lockKey, null);
    }

    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        locks.renew(lockKey, ttl);
    }

    private static final class TimedLock extends RegistryLock implements DistributedLock {
        TimedLock(RegistryLocks locks, Object key) {
            super(locks, key);
        }
    }
}
