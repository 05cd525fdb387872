package io.lockkeeper.flashsale;

import java.sql.SQLException;

/** Reads, thinks, writes. Two that read the same stock both sell the same piece. */
final class UnlockedCheckout implements Checkout {

    @Override
    public Outcome serve(Desk desk) throws SQLException {
        return sell(desk);
    }

    /** The sale itself, as it is also done under a lock. */
    static Outcome sell(Desk desk) throws SQLException {
        desk.attempt();
        int stock = desk.stock(Desk.GOOD);
        if (stock <= 0) {
            return Outcome.SOLD_OUT;
        }
        desk.think();
        desk.beforeWrite();
        return desk.inTransaction(connection -> {
            desk.setStock(Desk.GOOD, stock - 1);
            desk.order(Desk.GOOD);
            return Outcome.SOLD;
        });
    }
}
