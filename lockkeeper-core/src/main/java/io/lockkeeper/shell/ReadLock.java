package io.lockkeeper.shell;

import io.lockkeeper.Hold;
import io.lockkeeper.SharedLock;
import io.lockkeeper.engine.Holding;
import org.jspecify.annotations.Nullable;

/** A shared lock. */
final class ReadLock extends LiveLock<Hold, SharedLock> implements SharedLock {

    ReadLock(Station station, Order order, @Nullable NamedOwner owner) {
        super(station, order, owner);
    }

    @Override
    LiveHold hold(Holding holding) {
        return new LiveHold(station, holding);
    }

    @Override
    SharedLock view(Order changed, @Nullable NamedOwner changedOwner) {
        return new ReadLock(station, changed, changedOwner);
    }
}
