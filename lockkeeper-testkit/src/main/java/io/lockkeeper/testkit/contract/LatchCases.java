package io.lockkeeper.testkit.contract;

import io.lockkeeper.DistributedLatch;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Capability;

/** What contracts about latches have in common. */
@Needs(Capability.LATCH)
abstract class LatchCases extends PrimitiveContract {

    @Override
    protected Object make(Lockkeeper keeper, String name) {
        return keeper.latch(name);
    }

    protected final DistributedLatch here(String name) {
        return keeper().latch(name);
    }

    protected final DistributedLatch there(String name) {
        return otherKeeper().latch(name);
    }
}
