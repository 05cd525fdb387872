package io.lockkeeper.testkit.contract;

import io.lockkeeper.Acquirable;
import io.lockkeeper.Hold;
import io.lockkeeper.Lockkeeper;

/** A multi-lock of one lock is a mutex. */
public abstract class MultiLockAsMutexContract extends MutexContract {

    @Override
    protected final Acquirable<? extends Hold> mutex(Lockkeeper keeper, String name) {
        return keeper.multiLock(name);
    }
}
