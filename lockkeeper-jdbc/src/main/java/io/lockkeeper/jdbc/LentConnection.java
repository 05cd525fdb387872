package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import org.jspecify.annotations.Nullable;

/** A connection in the state that requests need, autocommit with a network timeout, and what has to be set back afterwards. */
final class LentConnection {

    private static final int UNKNOWN = -1;

    private final Connection connection;
    private final boolean autoCommit;
    private final int timeout;

    private LentConnection(Connection connection, boolean autoCommit, int timeout) {
        this.connection = connection;
        this.autoCommit = autoCommit;
        this.timeout = timeout;
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
        if (dialect != null) {
            dialect.begin(connection, until);
        }
        return new LentConnection(connection, autoCommit, timeout);
    }

    void restore() throws SQLException {
        if (timeout != UNKNOWN) {
            connection.setNetworkTimeout(Runnable::run, timeout);
        }
        if (!autoCommit) {
            connection.setAutoCommit(false);
        }
    }
}
