package io.lockkeeper.shell;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.engine.Holding;

/** A lock held alone. */
class LiveExclusiveHold extends LiveHold implements ExclusiveHold {

    LiveExclusiveHold(Station station, Holding holding) {
        super(station, holding);
    }
}
