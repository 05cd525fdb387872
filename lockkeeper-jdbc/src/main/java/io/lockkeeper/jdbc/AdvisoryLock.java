package io.lockkeeper.jdbc;

import static io.lockkeeper.spi.Arguments.given;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A lock on a name for the rest of the application's own transaction: PostgreSQL's advisory lock of that level. It is for what has
 * no row that could be locked, such as a row that is still to be inserted.
 *
 * <p><b>What it promises.</b> From the return of {@link #inTransaction} until the transaction commits or rolls back, no other
 * transaction of the same database has the lock. It ends exactly with the transaction, also if the process dies, and behind a
 * pooler too. Locking again in the same transaction succeeds at once. It writes nothing to the database.
 *
 * <p><b>What it does not promise.</b> Names become 64 bits of a hash: two names may share a lock, once in a very long time, which
 * makes one wait for the other needlessly. A failover forgets it. There is no lease, no token and no fairness beyond the
 * database's. A connection is occupied while the lock is held. PostgreSQL finds deadlocks between such locks and ends one of the
 * transactions; lock several names in one order.
 *
 * <p>MySQL and MariaDB have no lock that ends with a transaction, H2 and SQLite have none on names; there this is refused.
 *
 * <p><b>Round trips.</b> One.
 */
public final class AdvisoryLock {

    private AdvisoryLock() {}

    /**
     * Locks a name until the transaction of the connection ends, and waits for it if need be.
     *
     * @throws RowDeadlockException if two transactions waited for each other
     * @throws IllegalStateException if the connection is in autocommit
     * @throws UnfitDatabaseException if the database is not PostgreSQL
     */
    public static void inTransaction(Connection connection, String name) throws SQLException {
        ask(connection, name, "SELECT pg_advisory_xact_lock(?, ?) IS NOT NULL");
    }

    /**
     * The same without waiting.
     *
     * @return false if another transaction has the lock
     * @throws IllegalStateException if the connection is in autocommit
     * @throws UnfitDatabaseException if the database is not PostgreSQL
     */
    public static boolean tryInTransaction(Connection connection, String name) throws SQLException {
        return ask(connection, name, "SELECT pg_try_advisory_xact_lock(?, ?)");
    }

    private static boolean ask(Connection connection, String name, String text) throws SQLException {
        ByteBuffer key = key(given(name, "name"));
        Idiom.requireTransaction(connection, "AdvisoryLock", "the lock would end with the statement");
        Product product = Dialects.product(connection);
        if (product != Product.POSTGRESQL) {
            throw new UnfitDatabaseException(product.title()
                    + " has no lock on a name that ends with the transaction; lock a row (RowLock), or use a store of"
                    + " Lockkeeper");
        }
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            statement.setInt(1, key.getInt());
            statement.setInt(2, key.getInt());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        } catch (SQLException e) {
            if (SqlProblem.isDeadlock(e, product)) {
                throw new RowDeadlockException("the lock on '" + name + "'", e);
            }
            throw e;
        }
    }

    /** Two numbers, which are a space of their own: other libraries mostly use that of one number. */
    private static ByteBuffer key(String name) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
