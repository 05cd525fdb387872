package io.lockkeeper.jdbc;

import static io.lockkeeper.spi.Arguments.given;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A lock on rows of the application's own table, for the rest of the application's own transaction: {@code SELECT … FOR UPDATE}.
 *
 * <pre>{@code
 * Optional<Integer> stock = RowLock.of("seckill_good").key("id")
 *         .within(Duration.ofSeconds(2))
 *         .lock(connection, 42, row -> row.getInt("stock"));
 * }</pre>
 *
 * <p><b>What it promises.</b> From the return of {@link #lock} until the transaction commits or rolls back, no other transaction
 * can change, delete or lock the row. The values are those of the row as it is locked, at the usual isolation level <em>read
 * committed</em> and on MySQL and MariaDB. The lock ends with the transaction, also if the process dies; there is no lease, nothing
 * to renew and no token. {@link #lockAll} locks its rows in the order of their keys, so two callers of it cannot deadlock with
 * each other.
 *
 * <p><b>What it does not promise.</b> A connection and a transaction are occupied while the lock is held: it is for milliseconds.
 * A database that does not notice that a client has gone keeps the lock. Plain reads do not wait for it. A row that does not
 * exist is not locked: another transaction may insert it. If the transaction of a caller that is not told about it is ended by the
 * database (a failover, an idle timeout), its commit fails. At <em>repeatable read</em> and above, PostgreSQL reports a conflict
 * ({@link SQLException} with the state 40001) if the row was changed since the transaction began.
 *
 * <p><b>Databases.</b> PostgreSQL, MySQL and MariaDB have all of it; MySQL and MariaDB round timeouts up to seconds. H2 has no
 * shared locks of rows. SQLite has no locks of rows: the lock for the one writer of the file is taken instead, and {@link #forShare} and
 * {@link #skipLocked} are refused.
 *
 * <p><b>Round trips.</b> One for a row; with a timeout, four on MySQL. {@link #lockAll} needs one in all on PostgreSQL and one for
 * each row on the others, whose order of locking within a statement is the optimizer's.
 *
 * <p>Objects of this class are immutable and thread-safe; each setting returns a new one.
 */
public final class RowLock {

    private final String table;
    private final String key;
    private final RowLockMode mode;

    private RowLock(String table, String key, RowLockMode mode) {
        this.table = table;
        this.key = key;
        this.mode = mode;
    }

    /** A table whose key is still to be named. */
    public static final class Table {

        private final String table;

        private Table(String table) {
            this.table = table;
        }

        /** @param column the column that identifies a row; without an index on it, databases may lock other rows too */
        public RowLock key(String column) {
            return new RowLock(table, Idiom.name("column", given(column, "column")), RowLockMode.DEFAULT);
        }
    }

    /** @param table its name, as in SQL; with its schema before it if need be */
    public static Table of(String table) {
        return new Table(Idiom.name("table", given(table, "table")));
    }

    /**
     * A lock on what the application's own SELECT finds.
     *
     * @param select without {@code FOR UPDATE} and what follows it; it becomes part of the statement as it is, so values
     *     belong into parameters
     */
    public static LockedSelect select(String select) {
        return new LockedSelect(given(select, "select"), RowLockMode.DEFAULT);
    }

    /** Does not wait: if another transaction has the row locked, {@link RowLockTimeoutException} is thrown at once. */
    public RowLock nowait() {
        return new RowLock(table, key, mode.with(RowLockMode.IfLocked.NOWAIT));
    }

    /** Does not wait: rows that another transaction has locked are left out, as if they were not there. */
    public RowLock skipLocked() {
        return new RowLock(table, key, mode.with(RowLockMode.IfLocked.SKIP));
    }

    /**
     * Waits for each row until this timeout has passed, then {@link RowLockTimeoutException} is thrown. The timeout of the connection is as it was
     * afterwards. Without this, the database decides how long it waits: without end on PostgreSQL, 50 s on MySQL, 2 s on H2.
     */
    public RowLock within(Duration timeout) {
        return new RowLock(table, key, mode.within(given(timeout, "timeout")));
    }

    /**
     * Locks in shared mode: several transactions may have the lock at once, and none may change the row. Two of them that
     * then want to change it wait for each other, which is a deadlock.
     */
    public RowLock forShare() {
        return new RowLock(table, key, mode.inShare());
    }

    /**
     * Locks a row and reads it.
     *
     * @param value of the key
     * @param mapper makes the result of the row, which has all columns of the table
     * @return empty if there is no such row, or it is locked and {@link #skipLocked} was asked for
     * @throws RowLockTimeoutException if another transaction has the row locked for too long
     * @throws RowDeadlockException if two transactions waited for each other
     * @throws IllegalStateException if the connection is in autocommit
     */
    public <T> Optional<T> lock(Connection connection, Object value, RowMapper<? extends T> mapper)
            throws SQLException {
        given(value, "value");
        List<T> found = lockAll(connection, List.of(new Same(value)), mapper);
        return found.isEmpty() ? Optional.empty() : Optional.of(found.get(0));
    }

    /**
     * Locks several rows, in the order of their keys, and reads them. Two callers of this method with rows in common wait for
     * each other and do not deadlock, in whatever order they name the rows.
     *
     * @param values of the key; all of one type
     * @return the rows that exist, in the order of their keys
     * @throws RowLockTimeoutException if another transaction has a row locked for too long
     * @throws RowDeadlockException if two transactions waited for each other: one of them had locked something before
     * @throws IllegalStateException if the connection is in autocommit
     */
    public <K extends Comparable<? super K>, T> List<T> lockAll(
            Connection connection, Collection<? extends K> values, RowMapper<? extends T> mapper) throws SQLException {
        given(values, "values");
        given(mapper, "mapper");
        Idiom.requireTransaction(connection, "RowLock", "the lock would end with the statement");
        List<@Nullable Object> ordered = new ArrayList<>();
        for (K value : new TreeSet<K>(values)) {
            ordered.add(value instanceof Same same ? same.value : value);
        }
        if (ordered.isEmpty()) {
            return List.of();
        }
        Product product = Dialects.product(connection);
        String from = "SELECT * FROM " + table + " WHERE " + key;
        if (product == Product.POSTGRESQL && ordered.size() > 1) {
            // Rows are locked after they were sorted.
            String marks = String.join(", ", Collections.nCopies(ordered.size(), "?"));
            return mode.select(
                    connection,
                    product,
                    from + " IN (" + marks + ") ORDER BY " + key,
                    ordered,
                    mapper,
                    "a row of " + Idiom.row(table, key, ordered));
        }
        List<T> found = new ArrayList<>();
        for (Object value : ordered) {
            String where = "the row of " + Idiom.row(table, key, String.valueOf(value));
            List<@Nullable Object> one = Collections.singletonList(value);
            if (product == Product.SQLITE) {
                mode.lockFile(connection, table, key, where);
                found.addAll(LockedSelect.plain(connection, from + " = ?", one, mapper));
            } else {
                found.addAll(mode.<T>select(connection, product, from + " = ?", one, mapper, where));
            }
        }
        return found;
    }

    /** One value, which needs no order. */
    private record Same(Object value) implements Comparable<Same> {

        @Override
        public int compareTo(Same other) {
            return 0;
        }
    }
}
