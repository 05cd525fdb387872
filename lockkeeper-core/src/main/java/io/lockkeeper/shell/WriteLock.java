package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.engine.Holding;
import io.lockkeeper.spi.Capability;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An exclusive lock. */
final class WriteLock extends LiveLock<ExclusiveHold, DistributedLock> implements DistributedLock {

    WriteLock(Station station, Order order, @Nullable NamedOwner owner) {
        super(station, order, owner);
    }

    @Override
    public DistributedLock sticky(Duration keep) {
        given(keep, "keep");
        Features.require(station.backend(), Capability.STICKY);
        return view(order.sticky(Leases.positive(keep, "A sticky time")), named());
    }

    @Override
    LiveHold hold(Holding holding) {
        return new LiveExclusiveHold(station, holding);
    }

    @Override
    DistributedLock view(Order changed, @Nullable NamedOwner changedOwner) {
        return new WriteLock(station, changed, changedOwner);
    }
}
