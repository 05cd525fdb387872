package io.lockkeeper.shell;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.engine.EngineHold;

/** A lock held alone. */
class LiveExclusiveHold extends LiveHold implements ExclusiveHold {

    LiveExclusiveHold(KeeperCore core, EngineHold holding) {
        super(core, holding);
    }
}
