package io.lockkeeper.testkit.contract;

import io.lockkeeper.Acquirable;
import io.lockkeeper.Hold;
import io.lockkeeper.Lockkeeper;

/** A segmented lock of one segment is a mutex. */
public abstract class SegmentedLockAsMutexContract extends MutexContract {

    @Override
    protected final Acquirable<? extends Hold> mutex(Lockkeeper keeper, String name) {
        return keeper.segmentedLock(name, 1);
    }
}
