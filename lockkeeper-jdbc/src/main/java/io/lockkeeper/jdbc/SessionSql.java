package io.lockkeeper.jdbc;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Keeper;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The statements about session locks, on one connection of one database.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>Each statement that takes or gives back a lock names the server session that it belongs to, and does nothing in another
 *       one: it answers {@link #ELSEWHERE}. Otherwise something between this process and the server that passes a statement on to
 *       another connection would leave a lock there for nobody.
 *   <li>The clock is read after the lock was taken, in the same statement, so that the number of a later holder is greater:
 *       read at the beginning of a statement that is held up, it could be smaller than that of a holder that came and went meanwhile.
 *   <li>The server itself ends a session from which it has heard nothing for the keeper's lease, and not sooner. Otherwise the
 *       locks of a process that is paused, or of a machine that was cut off, would be held for hours.
 * </ul>
 */
abstract class SessionSql {

    /** The statement came to another session of the server, and did nothing. */
    static final long ELSEWHERE = -1;

    /** Nothing was done: the lock is taken, or was not held. */
    static final long NOTHING = 0;

    static final long DONE = 1;

    /** The lock is taken, and this session has the turn at it. */
    static final long IN_TURN = -2;

    /**
     * A session of the server that has a lock.
     *
     * @param own whether it is the one of this connection
     * @param shared whether others may share it
     * @param holder who that is, as far as the server knows
     */
    record Seen(boolean own, boolean shared, HolderInfo holder) {}

    final Connection connection;

    SessionSql(Connection connection) {
        this.connection = connection;
    }

    /**
     * The statements for a connection that was just opened, after it was made sure that its session belongs to it alone.
     *
     * @throws UnfitDatabaseException if it does not, or if the database has no session locks
     */
    static SessionSql on(Connection connection, ConnectionSource source, Keeper keeper) throws SQLException {
        Product product = Dialects.product(connection);
        return switch (product) {
            case POSTGRESQL -> PostgresSessionSql.on(connection, source, keeper);
            case MYSQL, MARIADB -> MySqlSessionSql.on(connection, keeper);
            case H2, SQLITE ->
                throw new UnfitDatabaseException(product.title()
                        + " has no locks of a session; use PostgreSQL, MySQL or MariaDB, or a JdbcBackend, which keeps locks"
                        + " in a table");
        };
    }

    abstract LockKey key(Resource resource);

    /** Whether a lock can be shared. */
    abstract boolean hasShared();

    /**
     * Takes the turn if it is free, and then the lock if that is free. With the lock it gives the turn back.
     *
     * @param staying whether to keep the turn if the lock is taken
     * @return the microseconds of the server's clock since 1970, {@link #NOTHING}, {@link #IN_TURN} or {@link #ELSEWHERE}
     */
    abstract long tryLock(LockKey key, boolean shared, boolean staying) throws SQLException;

    /** Takes a lock if it is free, in a session that has the turn, and gives the turn back with it. */
    abstract long tryLockInTurn(LockKey key, boolean shared) throws SQLException;

    /** Takes the turn if it is free: {@link #IN_TURN}, {@link #NOTHING} or {@link #ELSEWHERE}. */
    abstract long tryTurn(LockKey key) throws SQLException;

    /** Gives a lock back, once. */
    abstract long unlock(LockKey key, boolean shared) throws SQLException;

    /** Makes an exclusive lock a shared one, without a moment in which it is neither. */
    abstract long narrow(LockKey key) throws SQLException;

    /** Whether the session is there: {@link #DONE} or {@link #ELSEWHERE}. */
    abstract long ping() throws SQLException;

    /** The sessions that have a lock now. */
    abstract List<Seen> holders(LockKey key) throws SQLException;

    /** Gives everything back. */
    abstract void unlockAll() throws SQLException;

    /** What the server calls itself, the same for all keepers that can meet on a lock. */
    abstract String storeId() throws SQLException;

    /** Whether the server has answered that a statement did nothing, so that the session goes on as it was. */
    boolean isAnswer(SQLException e) {
        return false;
    }

    final long number(String text, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            for (int i = 0; i < values.length; i++) {
                Sql.set(statement, i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    throw new SQLException("No answer to " + text);
                }
                long answer = rows.getLong(1);
                if (rows.wasNull()) {
                    throw new SQLException("The server did not say what it has done");
                }
                return answer;
            }
        }
    }

    static String text(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? String.valueOf(rows.getString(1)) : "";
        }
    }

    static void execute(Connection connection, String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }
}
