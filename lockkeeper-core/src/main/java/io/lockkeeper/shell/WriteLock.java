package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.spi.Capability;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An exclusive lock. */
final class WriteLock extends LiveLock<ExclusiveHold, DistributedLock> implements DistributedLock {

    WriteLock(KeeperCore core, AcquireOptions order, @Nullable NamedOwner owner) {
        super(core, order, owner);
    }

    @Override
    public DistributedLock sticky(Duration keep) {
        given(keep, "keep");
        FeatureCheck.require(core.backend(), Capability.STICKY);
        return view(order.sticky(LeaseRules.positive(keep, "The sticky duration")), named());
    }

    @Override
    LiveHold hold(EngineHold holding) {
        return new LiveExclusiveHold(core, holding);
    }

    @Override
    DistributedLock view(AcquireOptions changed, @Nullable NamedOwner changedOwner) {
        return new WriteLock(core, changed, changedOwner);
    }
}
