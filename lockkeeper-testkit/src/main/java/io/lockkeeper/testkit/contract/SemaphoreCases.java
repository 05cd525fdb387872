package io.lockkeeper.testkit.contract;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Capability;

/** What contracts about semaphores have in common. */
abstract class SemaphoreCases extends PrimitiveContract {

    @Override
    protected Capability needed() {
        return Capability.PERMITS;
    }

    @Override
    protected Object make(Lockkeeper keeper, String name) {
        return keeper.semaphore(name, 2);
    }
}
