package io.lockkeeper.spring.boot;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.HoldState;
import io.lockkeeper.LockLostException;
import io.lockkeeper.SingleHold;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A lock of a registry: owned by a thread, nesting, and renewed until it is unlocked, unless it was taken with a time to live. A thread
 * that lost the lock learns of it at its next call: {@code tryLock} answers false once, every other method throws {@link
 * LockLostException}.
 */
public class RegistryLock implements Lock {

    private final RegistryLocks registry;
    private final String name;

    /** The lock for a key. */
    public RegistryLock(RegistryLocks registry, Object key) {
        this.registry = registry;
        this.name = registry.name(key);
    }

    private DistributedLock plain() {
        return registry.keeper().lock(name);
    }

    private DistributedLock expiring(Duration ttl) {
        return plain().withFixedLease(ttl);
    }

    @Override
    public void lock() {
        locked(plain());
    }

    /** Locks for at most this time, unless the lock is renewed. */
    public void lock(Duration ttl) {
        locked(expiring(ttl));
    }

    private void locked(DistributedLock lock) {
        RegistryLocks.Level mine = notLost();
        lock.lock();
        if (!entered(lock, mine)) {
            throw lost(mine);
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        DistributedLock lock = plain();
        RegistryLocks.Level mine = notLost();
        lock.lockInterruptibly();
        if (!entered(lock, mine)) {
            throw lost(mine);
        }
    }

    @Override
    public boolean tryLock() {
        DistributedLock lock = plain();
        RegistryLocks.Level mine = registry.mine(name);
        return !isLost(mine) && lock.tryLock() && entered(lock, mine);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(plain(), Duration.of(time, unit.toChronoUnit()));
    }

    /** Waits for at most the first time, and locks for at most the second, unless the lock is renewed. */
    public boolean tryLock(Duration wait, Duration ttl) throws InterruptedException {
        return tryLock(expiring(ttl), wait);
    }

    private boolean tryLock(DistributedLock lock, Duration wait) throws InterruptedException {
        RegistryLocks.Level mine = registry.mine(name);
        return !isLost(mine) && lock.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS) && entered(lock, mine);
    }

    @Override
    public void unlock() {
        RegistryLocks.Level mine = registry.mine(name);
        try {
            plain().unlock();
        } catch (IllegalMonitorStateException notMine) {
            registry.forget(name);
            throw notMine;
        }
        if (mine == null || mine.count() == 1) {
            registry.forget(name);
        } else {
            registry.set(name, new RegistryLocks.Level(mine.hold(), mine.count() - 1));
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("A lock across processes has no conditions");
    }

    /** Whether this thread lost what it had; it is told so once. */
    private boolean isLost(RegistryLocks.@Nullable Level mine) {
        boolean lost = mine != null && mine.hold().state() == HoldState.LOST;
        if (lost) {
            registry.forget(name);
        }
        return lost;
    }

    private RegistryLocks.@Nullable Level notLost() {
        RegistryLocks.Level mine = registry.mine(name);
        if (isLost(mine)) {
            throw lost(mine);
        }
        return mine;
    }

    private IllegalMonitorStateException lost(RegistryLocks.@Nullable Level mine) {
        if (mine != null) {
            mine.hold().ensureHeld();
        }
        return new IllegalMonitorStateException("The lock '" + name + "' was lost");
    }

    /**
     * Counts the level that was locked just now.
     *
     * @param before what the thread had before
     * @return false if it is a new grant after a loss, which is given back
     */
    private boolean entered(DistributedLock lock, RegistryLocks.@Nullable Level before) {
        SingleHold now = lock.currentHold();
        if (before == null) {
            registry.set(name, new RegistryLocks.Level(now, 1));
            return true;
        }
        if (before.hold().token() == now.token()) {
            registry.set(name, new RegistryLocks.Level(now, before.count() + 1));
            return true;
        }
        lock.unlock();
        registry.forget(name);
        return false;
    }

    @Override
    public String toString() {
        return "registry lock '" + name + "'";
    }
}
