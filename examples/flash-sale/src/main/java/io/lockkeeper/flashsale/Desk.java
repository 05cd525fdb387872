package io.lockkeeper.flashsale;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/** What a clerk sells with: a connection to the database, and statements that every way has in common. */
final class Desk {

    /** The good that is sold; in segments it is those from this one on. */
    static final int GOOD = 1;

    /** What is done in a transaction. */
    interface Work<T> {
        T in(Connection connection) throws SQLException;
    }

    private final Connection connection;
    private final Pace pace;
    private final String lockName;
    private final Duration lease;
    private int attempts;

    Desk(Connection connection, Pace pace, String lockName, Duration lease) {
        this.connection = connection;
        this.pace = pace;
        this.lockName = lockName;
        this.lease = lease;
    }

    Connection connection() {
        return connection;
    }

    /** What is locked; another name for each sale. */
    String lockName() {
        return lockName;
    }

    Duration lease() {
        return lease;
    }

    /** Notes that it is tried to sell a piece. */
    void attempt() {
        attempts++;
    }

    int attempts() {
        return attempts;
    }

    /** Looks at the customer's money, while the stock may change. */
    void think() {
        pace.think();
    }

    /** The worst moment to be stopped: everything is decided, nothing is written. */
    void beforeWrite() {
        pace.beforeWrite();
    }

    int stock(int good) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT stock FROM seckill_good WHERE id = ?")) {
            select.setInt(1, good);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    void setStock(int good, int stock) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE seckill_good SET stock = ? WHERE id = ?")) {
            update.setInt(1, stock);
            update.setInt(2, good);
            update.executeUpdate();
        }
    }

    /** Writes an order down; in a transaction, with the stock that it took. */
    void order(int good) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO seckill_order (id, good_id, sold_at) VALUES (?, ?, ?)")) {
            insert.setString(1, UUID.randomUUID().toString());
            insert.setInt(2, good);
            insert.setLong(3, System.currentTimeMillis());
            insert.executeUpdate();
        }
    }

    <T> T inTransaction(Work<T> work) throws SQLException {
        connection.setAutoCommit(false);
        try {
            T result = work.in(connection);
            connection.commit();
            return result;
        } catch (SQLException | RuntimeException | Error e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }
}
