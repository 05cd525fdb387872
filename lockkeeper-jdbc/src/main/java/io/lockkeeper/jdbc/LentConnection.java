package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A connection in the state that requests need, autocommit with a network timeout, and what has to be set back afterwards. */
final class LentConnection {

    private static final int UNKNOWN = -1;

    private final Connection connection;
    private final boolean autoCommit;
    private final int timeout;
    private final @Nullable String restoringLockTimeout;

    private LentConnection(
            Connection connection, boolean autoCommit, int timeout, @Nullable String restoringLockTimeout) {
        this.connection = connection;
        this.autoCommit = autoCommit;
        this.timeout = timeout;
        this.restoringLockTimeout = restoringLockTimeout;
    }

    /** @param dialect null if it is not known yet */
    static LentConnection of(Connection connection, @Nullable Dialect dialect, Deadline until) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        if (!autoCommit) {
            connection.setAutoCommit(true);
        }
        int timeout = UNKNOWN;
        if (dialect != null && dialect.hasNetworkTimeout()) {
            try {
                timeout = connection.getNetworkTimeout();
                connection.setNetworkTimeout(Runnable::run, until.millis());
            } catch (SQLFeatureNotSupportedException | AbstractMethodError e) {
                timeout = UNKNOWN;
            }
        }
        String restoring = null;
        if (dialect != null) {
            restoring = restoringLockTimeout(connection, dialect);
            dialect.begin(connection, until);
        }
        return new LentConnection(connection, autoCommit, timeout, restoring);
    }

    /** An embedded database has a time per connection in place of a network timeout; the application's own must come back. */
    private static @Nullable String restoringLockTimeout(Connection connection, Dialect dialect) throws SQLException {
        String query = dialect.lockTimeout();
        if (query == null) {
            return null;
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? dialect.lockTimeout(rows.getInt(1)) : null;
        }
    }

    void restore() throws SQLException {
        if (restoringLockTimeout != null) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(restoringLockTimeout);
            }
        }
        if (timeout != UNKNOWN) {
            connection.setNetworkTimeout(Runnable::run, timeout);
        }
        if (!autoCommit) {
            connection.setAutoCommit(false);
        }
    }
}
