package io.lockkeeper.testkit.contract;

import io.lockkeeper.Acquirable;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Tenure;

/** A segmented lock of one segment is a mutex. */
public abstract class SegmentedLockAsMutexContract extends MutexContract {

    @Override
    protected final Acquirable<? extends Tenure> mutex(Lockkeeper keeper, String name) {
        return keeper.segmentedLock(name, 1);
    }
}
