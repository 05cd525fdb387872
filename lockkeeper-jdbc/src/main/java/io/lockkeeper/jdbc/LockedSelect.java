package io.lockkeeper.jdbc;

import static io.lockkeeper.spi.Arguments.given;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The application's own SELECT, which locks the rows that it finds for the rest of the transaction; see {@link RowLock}, whose
 * promises hold here too, except the order: rows are locked in the order in which the database finds them. {@link #skipLocked}
 * makes a work queue of a table: each transaction gets the next row that nobody works on.
 *
 * <p>SQLite has no locks of rows, and a SELECT cannot take its lock for writers, so this is refused there.
 */
public final class LockedSelect {

    private final String select;
    private final RowLockMode mode;

    LockedSelect(String select, RowLockMode mode) {
        this.select = select;
        this.mode = mode;
    }

    /** See {@link RowLock#nowait}. */
    public LockedSelect nowait() {
        return new LockedSelect(select, mode.with(RowLockMode.IfLocked.NOWAIT));
    }

    /** See {@link RowLock#skipLocked}. */
    public LockedSelect skipLocked() {
        return new LockedSelect(select, mode.with(RowLockMode.IfLocked.SKIP));
    }

    /** See {@link RowLock#within}. */
    public LockedSelect within(Duration timeout) {
        return new LockedSelect(select, mode.within(given(timeout, "timeout")));
    }

    /** See {@link RowLock#forShare}. */
    public LockedSelect forShare() {
        return new LockedSelect(select, mode.inShare());
    }

    /**
     * Locks what the SELECT finds, and reads it.
     *
     * @param parameters one for each question mark
     * @throws RowLockTimeoutException if another transaction has a row locked for too long
     * @throws RowDeadlockException if two transactions waited for each other
     * @throws IllegalStateException if the connection is in autocommit
     */
    public <T> List<T> lock(Connection connection, RowMapper<? extends T> mapper, @Nullable Object... parameters)
            throws SQLException {
        given(mapper, "mapper");
        Idiom.requireTransaction(connection, "RowLock", "the lock would end with the statement");
        Product product = Dialects.product(connection);
        if (product == Product.SQLITE) {
            throw new UnfitDatabaseException(
                    "SQLite has no SELECT that locks; lock by table and key, or begin transactions"
                            + " with transaction_mode=IMMEDIATE in its URL and select plainly");
        }
        return mode.select(connection, product, select, Arrays.asList(parameters), mapper, "a row of: " + select);
    }

    /** The same without a lock. */
    static <T> List<T> plain(
            Connection connection, String text, List<? extends @Nullable Object> values, RowMapper<? extends T> mapper)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            Idiom.bind(statement, values);
            try (ResultSet rows = statement.executeQuery()) {
                List<T> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(mapper.map(rows));
                }
                return found;
            }
        }
    }
}
