package io.lockkeeper.testkit.contract;

import io.lockkeeper.Acquirable;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Tenure;
import io.lockkeeper.spi.Capability;

/** A semaphore of one permit is a mutex. */
@Needs(Capability.PERMITS)
public abstract class SemaphoreAsMutexContract extends MutexContract {

    @Override
    protected final Acquirable<? extends Tenure> mutex(Lockkeeper keeper, String name) {
        return keeper.semaphore(name, 1);
    }
}
