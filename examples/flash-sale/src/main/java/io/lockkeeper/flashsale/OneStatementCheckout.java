package io.lockkeeper.flashsale;

import io.lockkeeper.jdbc.RowChange;
import io.lockkeeper.jdbc.VersionedUpdate;
import java.sql.SQLException;

/** Thinks first, and then lets the database check and write in one statement. */
final class OneStatementCheckout implements Checkout {

    private final VersionedUpdate goods =
            VersionedUpdate.of("seckill_good").key("id").version("version");

    @Override
    public Outcome serve(Desk desk) throws SQLException {
        desk.attempt();
        desk.think();
        desk.beforeWrite();
        return desk.inTransaction(connection -> {
            if (!goods.apply(connection, Desk.GOOD, RowChange.sql("stock = stock - 1"), "stock > 0")) {
                return Outcome.SOLD_OUT;
            }
            desk.order(Desk.GOOD);
            return Outcome.SOLD;
        });
    }
}
