package io.lockkeeper.testkit.contract;

import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Capability;

/** What contracts about read-write locks have in common. */
@Needs(Capability.SHARED)
abstract class ReadWriteCases extends PrimitiveContract {

    @Override
    protected Object make(Lockkeeper keeper, String name) {
        return keeper.readWriteLock(name);
    }

    protected final DistributedReadWriteLock here(String name) {
        return keeper().readWriteLock(name);
    }

    protected final DistributedReadWriteLock there(String name) {
        return otherKeeper().readWriteLock(name);
    }
}
