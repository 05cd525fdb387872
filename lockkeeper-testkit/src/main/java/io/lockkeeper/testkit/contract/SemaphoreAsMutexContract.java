package io.lockkeeper.testkit.contract;

import io.lockkeeper.Acquirable;
import io.lockkeeper.Hold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Capability;

/** A semaphore of one permit is a mutex. */
@Needs(Capability.PERMITS)
public abstract class SemaphoreAsMutexContract extends MutexContract {

    @Override
    protected final Acquirable<? extends Hold> mutex(Lockkeeper keeper, String name) {
        return keeper.semaphore(name, 1);
    }
}
