package io.lockkeeper.testkit.contract;

import io.lockkeeper.Acquirable;
import io.lockkeeper.Hold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Capability;

/** The write lock of a read-write lock is a mutex. */
@Needs(Capability.SHARED)
public abstract class WriteLockAsMutexContract extends MutexContract {

    @Override
    protected final Acquirable<? extends Hold> mutex(Lockkeeper keeper, String name) {
        return keeper.readWriteLock(name).writeLock();
    }
}
