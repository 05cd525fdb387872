package io.lockkeeper.flashsale;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import java.sql.SQLException;

/**
 * A lock of Lockkeeper around reading, thinking and writing. The lock is asked once more before the write, and yet a process that
 * is stopped between that and the write makes it after its lease: {@link FencedCheckout} does something about that.
 */
final class KeeperCheckout implements Checkout {

    private final Lockkeeper keeper;

    KeeperCheckout(Lockkeeper keeper) {
        this.keeper = keeper;
    }

    @Override
    public Outcome serve(Desk desk) throws SQLException, InterruptedException {
        desk.attempt();
        try (ExclusiveHold hold =
                keeper.lock(desk.lockName()).withLease(desk.lease()).tryAcquire(Load.PATIENCE)) {
            if (hold == null) {
                return Outcome.FAILED;
            }
            int stock = desk.stock(Desk.GOOD);
            if (stock <= 0) {
                return Outcome.SOLD_OUT;
            }
            desk.think();
            hold.ensureHeld();
            desk.beforeWrite();
            return desk.inTransaction(connection -> {
                desk.setStock(Desk.GOOD, stock - 1);
                desk.order(Desk.GOOD);
                return Outcome.SOLD;
            });
        } catch (LockLostException e) {
            return Outcome.FAILED;
        }
    }
}
