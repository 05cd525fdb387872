package io.lockkeeper.testkit.contract;

import io.lockkeeper.Acquirable;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Tenure;
import io.lockkeeper.spi.Capability;

/** The write lock of a read-write lock is a mutex. */
public abstract class WriteLockAsMutexContract extends MutexContract {

    @Override
    protected Capability needed() {
        return Capability.SHARED;
    }

    @Override
    protected final Acquirable<? extends Tenure> mutex(Lockkeeper keeper, String name) {
        return keeper.readWriteLock(name).writeLock();
    }
}
