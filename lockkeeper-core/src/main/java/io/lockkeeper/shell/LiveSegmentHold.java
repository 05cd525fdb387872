package io.lockkeeper.shell;

import io.lockkeeper.SegmentHold;
import io.lockkeeper.engine.EngineHold;

/** One segment held alone. */
final class LiveSegmentHold extends LiveExclusiveHold implements SegmentHold {

    private final int segment;

    LiveSegmentHold(KeeperCore core, EngineHold holding, int segment) {
        super(core, holding);
        this.segment = segment;
    }

    @Override
    public int segment() {
        return segment;
    }
}
