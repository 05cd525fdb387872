package io.lockkeeper.examples;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Takes orders that may arrive twice, each with a transaction number of the sender. An order must be taken once.
 *
 * <p>The unique key of the table decides that, and needs no lock. A lock beside it is for what cannot be rolled back, such as a
 * payment: it keeps two processes from paying at the same time, and the key still decides if the lock was lost.
 */
final class OrderIntake {

    /** Something outside of the database that cannot be rolled back. */
    interface Payments {
        void charge(String transactionNumber, int cents);
    }

    private final DataSource dataSource;

    OrderIntake(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Without a lock: the constraint is the better answer if all that an order does is in the database. */
    boolean take(String transactionNumber, int cents) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO orders (transaction_number, cents) VALUES (?, ?)")) { // a unique key
            insert.setString(1, transactionNumber);
            insert.setInt(2, cents);
            insert.executeUpdate();
            return true;
        } catch (SQLException e) {
            if (e.getSQLState() != null && e.getSQLState().startsWith("23")) {
                return false; // taken already
            }
            throw e;
        }
    }

    /** With a lock: nobody else charges at the same time. The payment knows the number too, for the day a lock is lost. */
    boolean takeAndCharge(Lockkeeper keeper, Payments payments, String transactionNumber, int cents)
            throws SQLException, InterruptedException {
        try (ExclusiveHold hold = keeper.lock("order/" + transactionNumber).acquire()) {
            if (isTaken(transactionNumber)) {
                return false;
            }
            hold.ensureHeld();
            payments.charge(transactionNumber, cents);
            return take(transactionNumber, cents);
        }
    }

    private boolean isTaken(String transactionNumber) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement select =
                        connection.prepareStatement("SELECT 1 FROM orders WHERE transaction_number = ?")) {
            select.setString(1, transactionNumber);
            try (ResultSet row = select.executeQuery()) {
                return row.next();
            }
        }
    }
}
