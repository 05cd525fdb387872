package io.lockkeeper.flashsale;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StaleTokenException;
import io.lockkeeper.jdbc.FencedRows;
import io.lockkeeper.jdbc.JdbcFencing;
import java.sql.SQLException;

/**
 * A lock of Lockkeeper, in whatever store, and a row that compares tokens.
 *
 * <p>Invariant: a piece that a holder read is sold by that holder or not at all. The row admits the holder before the stock is
 * read, and from that commit on no earlier holder writes it: what an earlier one wrote is read, what it writes later is refused.
 * To fence the write alone would not be enough: a paused seller that wakes between the next one's read and its write has a
 * token that the row has not seen surpassed, is let through, and both sell the same piece.
 */
final class FencedCheckout implements Checkout {

    private static final FencedRows GOODS = JdbcFencing.columnsOf("seckill_good", "id");

    private final Lockkeeper keeper;

    FencedCheckout(Lockkeeper keeper) {
        this.keeper = keeper;
    }

    @Override
    public Outcome serve(Desk desk) throws SQLException, InterruptedException {
        try (ExclusiveHold hold =
                keeper.lock(desk.lockName()).withLease(desk.lease()).tryAcquire(Load.PATIENCE)) {
            return hold == null ? Outcome.FAILED : sell(desk, hold, Desk.GOOD);
        }
    }

    static Outcome sell(Desk desk, ExclusiveHold hold, int good) throws SQLException {
        desk.attempt();
        try {
            int stock = desk.inTransaction(connection -> {
                GOODS.admit(connection, good, hold);
                return desk.stock(good);
            });
            if (stock <= 0) {
                return Outcome.SOLD_OUT;
            }
            desk.think();
            hold.ensureHeld();
            desk.beforeWrite();
            return desk.inTransaction(connection -> {
                GOODS.update(connection, good, hold, "stock = ?", stock - 1);
                desk.order(good);
                return Outcome.SOLD;
            });
        } catch (StaleTokenException | LockLostException e) {
            return Outcome.FAILED;
        }
    }
}
