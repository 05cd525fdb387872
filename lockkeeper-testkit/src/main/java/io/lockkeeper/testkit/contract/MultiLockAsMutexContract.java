package io.lockkeeper.testkit.contract;

import io.lockkeeper.Acquirable;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Tenure;

/** A multi-lock of one lock is a mutex. */
public abstract class MultiLockAsMutexContract extends MutexContract {

    @Override
    protected final Acquirable<? extends Tenure> mutex(Lockkeeper keeper, String name) {
        return keeper.multiLock(name);
    }
}
