package io.lockkeeper.shell;

import io.lockkeeper.SegmentHold;
import io.lockkeeper.engine.EngineHold;

/** One segment of a segmented lock. */
final class Segment extends LiveAcquirable<SegmentHold> {

    private final int index;

    Segment(KeeperCore core, AcquireOptions order, int index) {
        super(core, order);
        this.index = index;
    }

    @Override
    LiveHold hold(EngineHold holding) {
        return new LiveSegmentHold(core, holding, index);
    }

    @Override
    public String toString() {
        return order.resource().toString();
    }
}
