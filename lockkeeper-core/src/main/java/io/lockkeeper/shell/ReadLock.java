package io.lockkeeper.shell;

import io.lockkeeper.SharedLock;
import io.lockkeeper.SingleHold;
import io.lockkeeper.engine.EngineHold;
import org.jspecify.annotations.Nullable;

/** A shared lock. */
final class ReadLock extends LiveLock<SingleHold, SharedLock> implements SharedLock {

    ReadLock(KeeperCore core, AcquireOptions order, @Nullable NamedOwner owner) {
        super(core, order, owner);
    }

    @Override
    LiveHold hold(EngineHold holding) {
        return new LiveHold(core, holding);
    }

    @Override
    SharedLock view(AcquireOptions changed, @Nullable NamedOwner changedOwner) {
        return new ReadLock(core, changed, changedOwner);
    }
}
