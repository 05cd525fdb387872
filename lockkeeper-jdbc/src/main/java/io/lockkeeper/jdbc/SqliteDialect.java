package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * SQLite 3.42 and later, in a file. It has one writer at a time for the whole file; others wait for it. Its clock has
 * milliseconds.
 */
final class SqliteDialect extends TextKeyDialect {

    SqliteDialect(Tables tables) {
        super(tables);
    }

    @Override
    String name() {
        return "SQLite";
    }

    @Override
    String script() {
        return "sqlite.sql";
    }

    @Override
    String clock() {
        return "CAST(ROUND(unixepoch('now', 'subsec') * 1000) AS INTEGER) * 1000";
    }

    @Override
    String greatest(String a, String b) {
        return "MAX(" + a + ", " + b + ")";
    }

    @Override
    String least(String a, String b) {
        return "MIN(" + a + ", " + b + ")";
    }

    @Override
    String beginsWith(String column, String value) {
        return "SUBSTR(" + column + ", 1, LENGTH(" + value + ")) = " + value;
    }

    @Override
    String confusions() {
        return "SELECT COUNT(*) FROM pragma_index_list('" + tables.lock()
                + "') i, pragma_index_xinfo(i.name) c WHERE c.key = 1 AND c.coll <> 'BINARY'";
    }

    @Override
    boolean hasNetworkTimeout() {
        return false;
    }

    /** The most parameters of a statement bound what is renewed at once. */
    @Override
    int renewedAtOnce() {
        return 300;
    }

    @Override
    void begin(Connection connection, Deadline until) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = " + until.millis());
        }
    }

    @Override
    String lockTimeout() {
        return "PRAGMA busy_timeout";
    }

    @Override
    String lockTimeout(int millis) {
        return "PRAGMA busy_timeout = " + millis;
    }

    @Override
    String acquireText(String where) {
        return "UPDATE " + lock() + " SET version = version + 1, " + acquireAssignments() + where
                + " RETURNING last_token, tokens";
    }

    @Override
    Row.Acquired acquire(Connection connection, Sql statement, Parameters values) throws SQLException {
        return H2Dialect.returned(connection, statement, values);
    }
}
