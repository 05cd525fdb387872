package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How rows are locked by a SELECT: how strongly, and what to do if another transaction has them.
 *
 * @param timeout only with {@link IfLocked#WITHIN}
 */
record RowLockMode(boolean shared, IfLocked ifLocked, Duration timeout) {

    enum IfLocked {
        /** For as long as the database waits. */
        WAIT,
        NOWAIT,
        SKIP,
        WITHIN
    }

    static final RowLockMode DEFAULT = new RowLockMode(false, IfLocked.WAIT, Duration.ZERO);

    /** The settings are local to the transaction, and an error undoes them with everything else. */
    private static final String POSTGRES_BEFORE = "SELECT set_config('lockkeeper.lock_timeout',"
            + " current_setting('lock_timeout'), true); SELECT set_config('lock_timeout', ?, true); ";

    private static final String POSTGRES_AFTER =
            "; SELECT set_config('lock_timeout', current_setting('lockkeeper.lock_timeout'), true)";

    RowLockMode with(IfLocked other) {
        return new RowLockMode(shared, other, Duration.ZERO);
    }

    RowLockMode within(Duration atMost) {
        if (atMost.isNegative() || atMost.isZero()) {
            throw new IllegalArgumentException("The timeout is " + atMost + "; use a positive one, or nowait()");
        }
        return new RowLockMode(shared, IfLocked.WITHIN, atMost);
    }

    RowLockMode inShare() {
        return new RowLockMode(true, ifLocked, timeout);
    }

    private long millis() {
        return Math.min(
                Integer.MAX_VALUE, Math.max(1, timeout.plusNanos(999_999).toMillis()));
    }

    /** Databases that count in seconds wait up to one longer, and never shorter. */
    private long seconds() {
        return Math.min(1_000_000, (millis() + 999) / 1000);
    }

    /** What stands behind the SELECT. */
    private String clause(Product product) {
        if (shared && product == Product.H2) {
            throw new UnfitDatabaseException("H2 has no shared locks of rows; use an exclusive one");
        }
        String strength = !shared ? " FOR UPDATE" : product == Product.MARIADB ? " LOCK IN SHARE MODE" : " FOR SHARE";
        return switch (ifLocked) {
            case WAIT -> strength;
            case NOWAIT -> strength + " NOWAIT";
            case SKIP -> strength + " SKIP LOCKED";
            case WITHIN ->
                switch (product) {
                    case MARIADB -> strength + " WAIT " + seconds();
                    case H2 -> strength + String.format(Locale.ROOT, " WAIT %.3f", millis() / 1000.0);
                    default -> strength;
                };
        };
    }

    /**
     * Executes a SELECT that locks what it finds.
     *
     * @param where the rows, for people
     */
    <T> List<T> select(
            Connection connection,
            Product product,
            String select,
            List<? extends @Nullable Object> values,
            RowMapper<? extends T> mapper,
            String where)
            throws SQLException {
        String text = select + clause(product);
        try {
            if (ifLocked == IfLocked.WITHIN && product == Product.POSTGRESQL) {
                List<@Nullable Object> all = new ArrayList<>();
                all.add(Long.toString(millis()));
                all.addAll(values);
                return run(connection, POSTGRES_BEFORE + text + POSTGRES_AFTER, all, 2, mapper);
            }
            if (ifLocked == IfLocked.WITHIN && product == Product.MYSQL) {
                return withSessionTimeout(connection, () -> run(connection, text, values, 0, mapper));
            }
            return run(connection, text, values, 0, mapper);
        } catch (SQLException e) {
            throw named(e, product, where);
        }
    }

    /** @param before how many results come before that of the SELECT */
    private static <T> List<T> run(
            Connection connection,
            String text,
            List<? extends @Nullable Object> values,
            int before,
            RowMapper<? extends T> mapper)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            Idiom.bind(statement, values);
            statement.execute();
            for (int i = 0; i < before; i++) {
                statement.getMoreResults();
            }
            List<T> found = new ArrayList<>();
            try (ResultSet rows = statement.getResultSet()) {
                while (rows.next()) {
                    found.add(mapper.map(rows));
                }
            }
            return found;
        }
    }

    private interface Selection<T> {
        List<T> run() throws SQLException;
    }

    /** MySQL has the timeout of the session only. It is set back also if the SELECT fails. */
    private <T> List<T> withSessionTimeout(Connection connection, Selection<T> selection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            long old;
            try (ResultSet row = statement.executeQuery("SELECT @@SESSION.innodb_lock_wait_timeout")) {
                row.next();
                old = row.getLong(1);
            }
            statement.execute("SET SESSION innodb_lock_wait_timeout = " + seconds());
            try {
                return selection.run();
            } finally {
                statement.execute("SET SESSION innodb_lock_wait_timeout = " + old);
            }
        }
    }

    /**
     * SQLite has no locks of rows. A write that changes nothing takes the one lock for writers, which keeps others from every
     * row until the transaction ends.
     */
    void lockFile(Connection connection, String table, String key, String where) throws SQLException {
        if (shared || ifLocked == IfLocked.SKIP) {
            throw new UnfitDatabaseException("SQLite has one lock for the whole file and none for rows; use neither "
                    + (shared ? "forShare()" : "skipLocked()") + " with it");
        }
        try (Statement statement = connection.createStatement()) {
            if (ifLocked == IfLocked.WAIT) {
                statement.executeUpdate("UPDATE " + table + " SET " + key + " = " + key + " WHERE 1 = 0");
                return;
            }
            int old;
            try (ResultSet row = statement.executeQuery("PRAGMA busy_timeout")) {
                row.next();
                old = row.getInt(1);
            }
            statement.execute("PRAGMA busy_timeout = " + (ifLocked == IfLocked.NOWAIT ? 0 : millis()));
            try {
                statement.executeUpdate("UPDATE " + table + " SET " + key + " = " + key + " WHERE 1 = 0");
            } finally {
                statement.execute("PRAGMA busy_timeout = " + old);
            }
        } catch (SQLException e) {
            throw named(e, Product.SQLITE, where);
        }
    }

    /** The typed exception, or the same one if it is about something else. */
    private SQLException named(SQLException e, Product product, String where) {
        if (SqlProblem.isLockTimeout(e, product)) {
            throw new RowLockTimeoutException(
                    where,
                    switch (ifLocked) {
                        case WAIT -> "for longer than the database waits";
                        case NOWAIT, SKIP -> "and the caller did not want to wait";
                        case WITHIN -> "also after " + timeout().toMillis() + " ms";
                    },
                    e);
        }
        if (SqlProblem.isDeadlock(e, product)) {
            throw new RowDeadlockException(where, e);
        }
        return e;
    }
}
