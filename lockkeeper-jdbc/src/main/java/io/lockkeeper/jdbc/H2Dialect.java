package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** H2 2.2 and later, in memory, in a file, or as a server. */
final class H2Dialect extends BinaryKeyDialect {

    H2Dialect(Tables tables) {
        super(tables);
    }

    @Override
    String name() {
        return "H2";
    }

    @Override
    String script() {
        return "h2.sql";
    }

    @Override
    String clock() {
        return "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP(6)) * 1000000 AS BIGINT)";
    }

    @Override
    boolean hasNetworkTimeout() {
        return false;
    }

    /** A statement waits for a row that another one writes, for as long as the request may take. */
    @Override
    void begin(Connection connection, Deadline until) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCK_TIMEOUT " + until.millis());
        }
    }

    @Override
    String lockTimeout() {
        return "SELECT LOCK_TIMEOUT()";
    }

    @Override
    String lockTimeout(int millis) {
        return "SET LOCK_TIMEOUT " + millis;
    }

    @Override
    String acquireText(String where) {
        return "SELECT last_token, tokens FROM FINAL TABLE (UPDATE " + lock() + " SET version = version + 1, "
                + acquireAssignments() + where + ")";
    }

    @Override
    Row.Acquired acquire(Connection connection, Sql statement, Parameters values) throws SQLException {
        return returned(connection, statement, values);
    }

    /** The answer of a statement that acquires and returns the changed row. */
    static Row.Acquired returned(Connection connection, Sql statement, Parameters values) throws SQLException {
        try (PreparedStatement prepared = statement.prepare(connection, values);
                ResultSet rows = prepared.executeQuery()) {
            return rows.next()
                    ? Row.Acquired.granted(rows.getLong("last_token"), rows.getInt("tokens"))
                    : Row.Acquired.refused(null);
        }
    }
}
