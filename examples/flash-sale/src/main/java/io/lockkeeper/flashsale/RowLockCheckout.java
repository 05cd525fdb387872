package io.lockkeeper.flashsale;

import io.lockkeeper.jdbc.RowDeadlockException;
import io.lockkeeper.jdbc.RowLock;
import io.lockkeeper.jdbc.RowLockTimeoutException;
import java.sql.SQLException;

/** Locks the row, reads, thinks, writes, commits. The lock and the write end together, so nothing can come between. */
final class RowLockCheckout implements Checkout {

    private final RowLock good = RowLock.of("seckill_good").key("id").within(Load.PATIENCE);

    @Override
    public Outcome serve(Desk desk) throws SQLException {
        desk.attempt();
        try {
            return desk.inTransaction(connection -> {
                int stock = good.lock(connection, Desk.GOOD, row -> row.getInt("stock"))
                        .orElseThrow();
                if (stock <= 0) {
                    return Outcome.SOLD_OUT;
                }
                desk.think();
                desk.beforeWrite();
                desk.setStock(Desk.GOOD, stock - 1);
                desk.order(Desk.GOOD);
                return Outcome.SOLD;
            });
        } catch (RowLockTimeoutException | RowDeadlockException e) {
            return Outcome.FAILED;
        }
    }
}
