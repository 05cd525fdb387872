package io.lockkeeper.jdbc;

import static io.lockkeeper.spi.Arguments.given;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Changes of a row without a lock, by a column that counts its versions: the row is read, and written only if the version is
 * still the same; otherwise both are repeated.
 *
 * <pre>{@code
 * VersionedUpdate goods = VersionedUpdate.of("seckill_good").key("id").version("version");
 * goods.update(dataSource, 42, row -> RowChange.set("stock", row.getInt("stock") - 1));
 * }</pre>
 *
 * <p><b>What it promises.</b> No update is lost among those that change the version: what is written was computed from the row
 * that it replaces. The version grows by one with each update and is compared as a whole, so a value that changed and changed
 * back is noticed. An attempt leaves nothing behind unless it succeeds. Attempts are bounded in number and in time, with random
 * pauses in between that grow.
 *
 * <p><b>What it does not promise.</b> Statements that change the row without the version are not noticed. If a row is deleted
 * and inserted again, its version must not begin again where it was. Under much contention most attempts are for nothing, and nobody
 * is served in order: {@link #counts} tells, and {@link RowLock} is the better choice then. If a connection breaks during a
 * commit, whether it took effect is not known, and the {@link SQLException} is thrown.
 *
 * <p><b>Round trips.</b> Two for an attempt of {@link #update}, three if something else is written with it; one for {@link #apply}.
 *
 * <p>Objects of this class are thread-safe. Each setting returns a new one, with counts of its own.
 */
public final class VersionedUpdate {

    private static final int ATTEMPTS = 50;
    private static final int DOUBLINGS = 6;

    private final String table;
    private final String key;
    private final String version;
    private final int attempts;
    private final Duration budget;
    private final LongAdder updates = new LongAdder();
    private final LongAdder conflicts = new LongAdder();
    private final LongAdder failures = new LongAdder();

    private VersionedUpdate(String table, String key, String version, int attempts, Duration budget) {
        this.table = table;
        this.key = key;
        this.version = version;
        this.attempts = attempts;
        this.budget = budget;
    }

    /** A table whose key is still to be named. */
    public static final class Table {

        private final String table;

        private Table(String table) {
            this.table = table;
        }

        /** @param column the column that identifies a row */
        public Keyed key(String column) {
            return new Keyed(table, Idiom.name("column", given(column, "column")));
        }
    }

    /** A table and its key; the version is still to be named. */
    public static final class Keyed {

        private final String table;
        private final String key;

        private Keyed(String table, String key) {
            this.table = table;
            this.key = key;
        }

        /** @param column an integer, best a {@code BIGINT NOT NULL DEFAULT 0} */
        public VersionedUpdate version(String column) {
            return new VersionedUpdate(
                    table, key, Idiom.name("column", given(column, "column")), ATTEMPTS, JdbcPolicy.UPDATE_BUDGET);
        }
    }

    /** Computes what to write from the row as it was read. It may be called several times and should change nothing itself. */
    @FunctionalInterface
    public interface Change {
        RowChange of(ResultSet row) throws SQLException;
    }

    /** What else is to be written in the same transaction. */
    @FunctionalInterface
    public interface Work {
        void run(Connection connection) throws SQLException;
    }

    /**
     * How an update ended.
     *
     * @param updated false if there is no such row, or it was to stay as it is
     * @param found whether there is such a row
     * @param attempts how often it was read
     */
    public record Result(boolean updated, boolean found, int attempts) {}

    /**
     * What happened so far.
     *
     * @param updates that took effect
     * @param conflicts attempts for nothing, because others had changed the row
     * @param failures updates that were given up after too many of these
     */
    public record Counts(long updates, long conflicts, long failures) {

        /** The part of all attempts that was for nothing, from 0 to 1. Above one half, a row lock is usually better. */
        public double conflictRate() {
            long all = updates + conflicts;
            return all == 0 ? 0 : (double) conflicts / all;
        }
    }

    /** @param table its name, as in SQL; with its schema before it if need be */
    public static Table of(String table) {
        return new Table(Idiom.name("table", given(table, "table")));
    }

    /** At most so many attempts for an update; 50 if this is not called. */
    public VersionedUpdate attempts(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("The number of attempts is " + most + "; use at least 1");
        }
        return new VersionedUpdate(table, key, version, most, budget);
    }

    /** The time, counted from the first attempt, after which no other one begins; 5 s if this is not called. */
    public VersionedUpdate within(Duration budget) {
        if (given(budget, "budget").isNegative() || budget.isZero()) {
            throw new IllegalArgumentException("The time for attempts is " + budget + "; use a positive one");
        }
        return new VersionedUpdate(table, key, version, attempts, budget);
    }

    /** What happened so far through this object. */
    public Counts counts() {
        return new Counts(updates.sum(), conflicts.sum(), failures.sum());
    }

    /**
     * Reads a row and changes it, as often as others come between. Each attempt is a transaction of its own on one connection of
     * the source.
     *
     * @throws VersionConflictException if the attempts or the time are used up
     */
    public Result update(DataSource source, Object value, Change change) throws SQLException {
        return retried(source, value, change, null);
    }

    /**
     * The same with something else in the transaction that changes the row, such as the insert of an order.
     *
     * @param also is called after the row was changed and before the commit, at most once for each attempt; what an attempt that
     *     does not commit did is rolled back
     * @throws VersionConflictException if the attempts or the time are used up
     */
    public Result update(DataSource source, Object value, Change change, Work also) throws SQLException {
        return retried(source, value, change, given(also, "also"));
    }

    private Result retried(DataSource source, Object value, Change change, @Nullable Work also) throws SQLException {
        given(value, "value");
        given(change, "change");
        Deadline start = Deadline.in(Duration.ZERO);
        Deadline until = Deadline.in(budget);
        try (Connection connection = source.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            boolean transaction = also != null || !autoCommit;
            if (transaction && autoCommit) {
                connection.setAutoCommit(false);
            }
            try {
                Long first = null;
                long last = 0;
                for (int attempt = 1; ; attempt++) {
                    SQLException cause = null;
                    try {
                        Attempt made = attempt(connection, value, change, also);
                        if (transaction) {
                            end(connection, made.outcome);
                        }
                        if (made.outcome != Outcome.CONFLICT) {
                            if (made.outcome == Outcome.UPDATED) {
                                updates.increment();
                            }
                            return new Result(
                                    made.outcome == Outcome.UPDATED, made.outcome != Outcome.MISSING, attempt);
                        }
                        last = made.version;
                        first = first == null ? made.version : first;
                    } catch (SQLException e) {
                        rollback(connection, transaction);
                        if (SqlProblem.of(e) != SqlProblem.CONFLICT) {
                            throw e;
                        }
                        cause = e;
                    } catch (RuntimeException | Error e) {
                        rollback(connection, transaction);
                        throw e;
                    }
                    conflicts.increment();
                    if (attempt >= attempts || until.hasPassed()) {
                        failures.increment();
                        long millis = Duration.ofNanos(-start.left()).toMillis();
                        throw new VersionConflictException(
                                Idiom.row(table, key, value),
                                attempt,
                                first == null ? last : first,
                                last,
                                millis,
                                cause);
                    }
                    pause(attempt, until);
                }
            } finally {
                if (transaction && autoCommit) {
                    connection.setAutoCommit(true);
                }
            }
        }
    }

    private enum Outcome {
        UPDATED,
        UNCHANGED,
        MISSING,
        CONFLICT
    }

    private record Attempt(Outcome outcome, long version) {}

    private Attempt attempt(Connection connection, Object value, Change change, @Nullable Work also)
            throws SQLException {
        RowChange wanted;
        long seen;
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT * FROM " + table + " WHERE " + key + " = ?")) {
            statement.setObject(1, value);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return new Attempt(Outcome.MISSING, 0);
                }
                seen = row.getLong(unquoted(version));
                if (row.wasNull()) {
                    throw new IllegalStateException("The version of the row of " + Idiom.row(table, key, value)
                            + " is null; declare the column " + version + " as NOT NULL DEFAULT 0");
                }
                wanted = given(change.of(row), "the result of change");
            }
        }
        if (wanted.isNone()) {
            return new Attempt(Outcome.UNCHANGED, seen);
        }
        if (!write(connection, value, seen, wanted, "")) {
            return new Attempt(Outcome.CONFLICT, seen);
        }
        if (also != null) {
            also.run(connection);
        }
        return new Attempt(Outcome.UPDATED, seen);
    }

    private static String unquoted(String column) {
        return column.replace("\"", "").replace("`", "");
    }

    /**
     * Changes a row in one statement, if a condition holds, without reading it first; as part of the caller's transaction if there
     * is one. Since the condition is checked by the statement itself, no version is needed; it grows nevertheless, for those
     * who compare it.
     *
     * @param change such as {@code RowChange.sql("stock = stock - ?", 1)}
     * @param where a condition, such as {@code stock > 0}
     * @param parameters of the condition, one for each question mark
     * @return false if there is no such row, or the condition does not hold
     */
    public boolean apply(
            Connection connection, Object value, RowChange change, String where, @Nullable Object... parameters)
            throws SQLException {
        given(where, "where");
        return counted(write(connection, given(value, "value"), null, given(change, "change"), where, parameters));
    }

    /**
     * The same for a version that the caller has read before, once and without retry.
     *
     * @return false if there is no such row, the condition does not hold, or the version is another one
     */
    public boolean applyTo(
            Connection connection,
            Object value,
            long seen,
            RowChange change,
            String where,
            @Nullable Object... parameters)
            throws SQLException {
        given(where, "where");
        return counted(write(connection, given(value, "value"), seen, given(change, "change"), where, parameters));
    }

    private boolean counted(boolean written) {
        (written ? updates : conflicts).increment();
        return written;
    }

    private boolean write(
            Connection connection,
            Object value,
            @Nullable Long seen,
            RowChange change,
            String where,
            @Nullable Object... parameters)
            throws SQLException {
        if (change.isNone()) {
            throw new IllegalArgumentException("There is nothing to change; name an assignment");
        }
        String text = "UPDATE " + table + " SET " + change.assignments() + ", " + version + " = " + version
                + " + 1 WHERE " + key + " = ?" + (seen == null ? "" : " AND " + version + " = ?")
                + (where.isBlank() ? "" : " AND (" + where + ")");
        List<@Nullable Object> values = new ArrayList<>(change.values());
        values.add(value);
        if (seen != null) {
            values.add(seen);
        }
        values.addAll(Idiom.values(parameters));
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            Idiom.bind(statement, values);
            return statement.executeUpdate() > 0;
        }
    }

    private static void end(Connection connection, Outcome outcome) throws SQLException {
        if (outcome == Outcome.UPDATED) {
            connection.commit();
        } else {
            connection.rollback();
        }
    }

    private static void rollback(Connection connection, boolean transaction) {
        if (transaction) {
            try {
                connection.rollback();
            } catch (SQLException e) {
                // The first problem is the one to report.
            }
        }
    }

    /** Somewhere between nothing and twice as long as the time before, so that rivals do not meet again. */
    private static void pause(int attempt, Deadline until) {
        long most = Math.min(
                JdbcPolicy.SHORTEST_PAUSE.toNanos() << Math.min(attempt, DOUBLINGS), Math.max(1, until.left()));
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1, most + 1));
    }
}
