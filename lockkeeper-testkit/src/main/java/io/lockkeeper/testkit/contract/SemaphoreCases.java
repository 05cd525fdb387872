package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Permit;
import io.lockkeeper.spi.Capability;

/** What contracts about semaphores have in common. */
@Needs(Capability.PERMITS)
abstract class SemaphoreCases extends PrimitiveContract {

    @Override
    protected Object make(Lockkeeper keeper, String name) {
        return keeper.semaphore(name, 2);
    }

    /**
     * This many are free just now, or soon where claims do not queue: there a permit is taken or given back when a majority
     * has heard of it, and of several of one keeper some may be counted that others left behind on other members.
     */
    protected final void available(DistributedSemaphore semaphore, int permits) {
        if (can(Capability.QUEUE)) {
            assertThat(semaphore.availablePermits()).isEqualTo(permits);
        } else {
            eventually(permits + " are free", () -> semaphore.availablePermits() == permits);
        }
    }

    /** A single try; or, where claims do not queue, soon: what others had of slow members is given back in the background. */
    protected final Permit taking(DistributedSemaphore semaphore, int permits) throws InterruptedException {
        return got(can(Capability.QUEUE) ? semaphore.tryAcquire(permits) : semaphore.tryAcquire(permits, PATIENCE));
    }
}
