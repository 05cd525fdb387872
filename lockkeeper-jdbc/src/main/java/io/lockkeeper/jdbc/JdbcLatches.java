package io.lockkeeper.jdbc;

import io.lockkeeper.Resource;
import io.lockkeeper.line.LeasedStore;
import io.lockkeeper.spi.LatchStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Latches. Each has one row that says its generation and target, and one row for each operation that counted it down or keeper
 * that waits for it; {@code kind} tells them apart.
 *
 * <p><b>Invariants.</b> The count is the target less the number of <em>different</em> operations of the generation, each a row with
 * a unique key, so an operation that is sent again counts once. Were it a number that is taken down, a lost reply would open the
 * latch too early. A generation is never used twice: it is greater than the one before it and at least the database's clock,
 * and a latch that is deleted keeps its row.
 *
 * <p>A keeper that waits writes its row before it reads the count, and the one that counts down to zero reads those rows after it
 * wrote its own. So one of the two sees the other; were it the other way round, a waiter could miss the last count.
 */
final class JdbcLatches {

    /** Kinds of rows. */
    private static final int LATCH = 0;

    private static final int OPERATION = 1;
    private static final int WAITER = 2;

    private record Head(long generation, int target, String begunBy, long counted) {

        int count() {
            return (int) Math.max(0, target - counted);
        }
    }

    private final Dialect dialect;
    private final String keeperId;
    private final Consumer<List<LeasedStore.Signal>> inProcess;
    private final Sql read;
    private final Sql insertHead;
    private final Sql begin;
    private final Sql insertEntry;
    private final Sql waiters;
    private final Sql clear;
    private final Sql end;

    JdbcLatches(Dialect dialect, String keeperId, Consumer<List<LeasedStore.Signal>> inProcess) {
        this.dialect = dialect;
        this.keeperId = keeperId;
        this.inProcess = inProcess;
        String latch = dialect.latch();
        String head = " WHERE name = :name AND kind = " + LATCH;
        String columns = "name, kind, entry, generation, target, begun_by, updated_at";
        read = new Sql("SELECT h.generation, h.target, h.begun_by, (SELECT COUNT(*) FROM " + latch
                + " c WHERE c.name = h.name AND c.kind = " + OPERATION
                + " AND c.generation = h.generation) AS counted FROM " + latch + " h WHERE h.name = :name AND h.kind = "
                + LATCH);
        insertHead = dialect.insertInto(
                latch,
                columns,
                ":name, " + LATCH + ", :entry, " + dialect.clock() + ", :target, :operation, " + dialect.clock());
        begin = new Sql("UPDATE " + latch + " SET generation = " + dialect.greatest("generation + 1", dialect.clock())
                + ", target = :target, begun_by = :operation, updated_at = " + dialect.clock() + head
                + " AND generation = :generation");
        insertEntry =
                dialect.insertInto(latch, columns, ":name, :kind, :entry, :generation, 0, NULL, " + dialect.clock());
        waiters = new Sql("SELECT entry FROM " + latch + " WHERE name = :name AND kind = " + WAITER
                + " AND generation = :generation");
        clear = new Sql(
                "DELETE FROM " + latch + " WHERE name = :name AND kind <> " + LATCH + " AND generation < :generation");
        end = new Sql("UPDATE " + latch + " SET target = 0, updated_at = " + dialect.clock() + head
                + " AND generation = :generation");
    }

    LatchStore.State state(Connection connection, Resource latch, boolean wake) throws SQLException {
        Head head = read(connection, latch);
        if (wake && head != null && head.count() > 0 && dialect.hasNotifications()) {
            insert(connection, latch, WAITER, keeperId, head.generation);
            head = read(connection, latch);
        }
        return head == null ? new LatchStore.State(0, 0) : new LatchStore.State(head.generation, head.count());
    }

    boolean set(Connection connection, Resource latch, String operation, int count) throws SQLException {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "The " + latch + " cannot count down from " + count + "; give it at least 1");
        }
        while (true) {
            Head head = read(connection, latch);
            if (head == null) {
                dialect.insert(
                        connection,
                        insertHead,
                        at(latch)
                                .set("entry", dialect.key(""))
                                .set("target", count)
                                .set("operation", operation));
                continue;
            }
            if (head.begunBy.equals(operation) || head.count() > 0) {
                return head.begunBy.equals(operation);
            }
            Parameters values =
                    at(latch).set("target", count).set("operation", operation).set("generation", head.generation);
            if (dialect.update(connection, begin, values) > 0) {
                // What belongs to generations before the one that ended counts for nothing; it is in the way of nobody.
                dialect.update(connection, clear, at(latch).set("generation", head.generation));
                return true;
            }
        }
    }

    boolean countDown(Connection connection, Resource latch, long generation, String operation) throws SQLException {
        Head head = read(connection, latch);
        if (head == null || head.generation != generation) {
            return false;
        }
        if (head.count() > 0) {
            insert(connection, latch, OPERATION, operation, generation);
            Head after = read(connection, latch);
            if (after == null || after.generation != generation || after.count() == 0) {
                wake(connection, latch, generation);
            }
        }
        return true;
    }

    void delete(Connection connection, Resource latch, long generation) throws SQLException {
        if (dialect.update(connection, end, at(latch).set("generation", generation)) > 0) {
            wake(connection, latch, generation);
        }
    }

    private void wake(Connection connection, Resource latch, long generation) throws SQLException {
        List<LeasedStore.Signal> signals = new ArrayList<>();
        try (PreparedStatement statement = waiters.prepare(connection, at(latch).set("generation", generation));
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                String entry = dialect.readKey(rows, "entry");
                if (entry != null) {
                    signals.add(new LeasedStore.Signal(entry.substring(entry.indexOf('@') + 1), latch));
                }
            }
        }
        List<LeasedStore.Signal> others = signals.stream()
                .filter(signal -> !signal.keeperId().equals(keeperId))
                .toList();
        if (!others.isEmpty()) {
            dialect.tell(connection, others);
        }
        inProcess.accept(signals);
    }

    private void insert(Connection connection, Resource latch, int kind, String id, long generation)
            throws SQLException {
        dialect.insert(
                connection,
                insertEntry,
                at(latch)
                        .set("kind", kind)
                        .set("entry", dialect.key(generation + "@" + id))
                        .set("generation", generation));
    }

    private @Nullable Head read(Connection connection, Resource latch) throws SQLException {
        try (PreparedStatement statement = read.prepare(connection, at(latch));
                ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                return null;
            }
            String begunBy = rows.getString("begun_by");
            return new Head(
                    rows.getLong("generation"),
                    rows.getInt("target"),
                    begunBy == null ? "" : begunBy,
                    rows.getLong("counted"));
        }
    }

    private Parameters at(Resource latch) {
        return new Parameters().set("name", dialect.key(latch.name()));
    }
}
