package io.lockkeeper.testkit.contract;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.LeaseTimes;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;

/** What the contracts of sticky locks have in common. */
@Needs(Capability.STICKY)
abstract class StickyCases extends ContractTest {

    static final Duration LONG_LEASE = Duration.ofMinutes(5);

    /** Longer than any case takes: a keeper that gets the lock before that was given it. */
    static final Duration LONG = LeaseTimes.renewEvery(LONG_LEASE);

    static DistributedLock sticky(Lockkeeper keeper, String name) {
        return keeper.lock(name).withLease(LONG_LEASE).sticky(LONG);
    }

    /** A keeper whose requests are counted, and that has no other cases' locks. */
    final Lockkeeper counted(FaultyBackend backend) {
        return openKeeper(backend);
    }

    /** Keeps it from now on, though nobody holds it. */
    void keep(DistributedLock sticky) {
        take(sticky).close();
    }
}
