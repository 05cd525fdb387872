package io.lockkeeper.shell;

import io.lockkeeper.SegmentHold;
import io.lockkeeper.engine.Holding;

/** One segment held alone. */
final class LiveSegmentHold extends LiveExclusiveHold implements SegmentHold {

    private final int segment;

    LiveSegmentHold(Station station, Holding holding, int segment) {
        super(station, holding);
        this.segment = segment;
    }

    @Override
    public int segment() {
        return segment;
    }
}
