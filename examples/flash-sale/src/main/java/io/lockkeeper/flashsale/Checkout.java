package io.lockkeeper.flashsale;

import java.sql.SQLException;

/** One way to sell a piece. It belongs to one clerk. */
interface Checkout {

    Outcome serve(Desk desk) throws SQLException, InterruptedException;
}
