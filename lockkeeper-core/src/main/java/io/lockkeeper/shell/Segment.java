package io.lockkeeper.shell;

import io.lockkeeper.SegmentHold;
import io.lockkeeper.engine.Holding;

/** One segment of a segmented lock. */
final class Segment extends Acquiring<SegmentHold> {

    private final int index;

    Segment(Station station, Order order, int index) {
        super(station, order);
        this.index = index;
    }

    @Override
    LiveHold hold(Holding holding) {
        return new LiveSegmentHold(station, holding, index);
    }

    @Override
    public String toString() {
        return order.resource().toString();
    }
}
