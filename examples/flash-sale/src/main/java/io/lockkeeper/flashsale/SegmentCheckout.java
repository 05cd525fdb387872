package io.lockkeeper.flashsale;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SegmentHold;
import io.lockkeeper.SegmentedLock;
import java.sql.SQLException;
import java.util.BitSet;

/** The stock in several rows, each with a lock and a fence of its own: as many sales at once as there are segments. */
final class SegmentCheckout implements Checkout {

    private final Lockkeeper keeper;
    private final BitSet empty = new BitSet();
    private int next;

    SegmentCheckout(Lockkeeper keeper) {
        this.keeper = keeper;
    }

    /** Any free segment will do, until some are known to be empty: then one of the others, by turns. */
    @Override
    public Outcome serve(Desk desk) throws SQLException, InterruptedException {
        SegmentedLock lock =
                keeper.segmentedLock(desk.lockName(), Load.SEGMENTS).withLease(desk.lease());
        while (empty.cardinality() < Load.SEGMENTS) {
            try (SegmentHold hold = empty.isEmpty()
                    ? lock.tryAcquire(Load.PATIENCE)
                    : lock.segment(nextWithStock()).tryAcquire(Load.PATIENCE)) {
                if (hold == null) {
                    return Outcome.FAILED;
                }
                Outcome outcome = FencedCheckout.sell(desk, hold, Desk.GOOD + hold.segment());
                if (outcome != Outcome.SOLD_OUT) {
                    return outcome;
                }
                empty.set(hold.segment());
            }
        }
        return Outcome.SOLD_OUT;
    }

    private int nextWithStock() {
        int found = empty.nextClearBit(next % Load.SEGMENTS);
        next = found < Load.SEGMENTS ? found : empty.nextClearBit(0);
        return next++;
    }
}
