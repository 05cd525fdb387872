package io.lockkeeper.jdbc;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.line.LineFormatException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Deletes rows that nobody has used for a long time, in the background of a process that uses a new name, at most once an hour.
 *
 * <p><b>Invariant.</b> Tokens never go down. A row that is made again begins at the database's clock, and tokens do not run ahead of
 * that by days, so it is enough that a row was idle for long. A row is deleted in the version in which it was found idle; one
 * that is used meanwhile stays.
 */
final class Purge {

    private static final Logger LOG = System.getLogger("io.lockkeeper.jdbc");
    private static final long EVERY = JdbcPolicy.PURGE_EVERY.toNanos();
    private static final int AT_ONCE = 1_000;

    private final Requests requests;
    private final Dialect dialect;
    private final @Nullable Duration idle;
    private final AtomicLong last;

    /** @param idle for how long a row is unused before it goes; null for never */
    Purge(Requests requests, Dialect dialect, @Nullable Duration idle) {
        this.requests = requests;
        this.dialect = dialect;
        this.idle = idle;
        this.last = new AtomicLong(Deadline.now() - EVERY);
    }

    /** Begins in the background, unless that was done a short while ago. */
    void mayBegin() {
        long before = last.get();
        long now = Deadline.now();
        if (idle == null || now - before < EVERY || !last.compareAndSet(before, now)) {
            return;
        }
        Duration age = idle;
        try {
            requests.inBackground(() -> {
                try {
                    requests.run(Deadline.in(JdbcPolicy.PURGE_TIMEOUT), connection -> purge(connection, age));
                } catch (RuntimeException e) {
                    LOG.log(Level.DEBUG, "Idle rows were not deleted: {0}", e.getMessage());
                }
            });
        } catch (RuntimeException | OutOfMemoryError noThread) {
            LOG.log(Level.DEBUG, "Idle rows were not deleted: {0}", noThread.getMessage());
        }
    }

    /** Deletes idle rows; returns how many. */
    int purge(Connection connection, Duration age) throws SQLException {
        return locks(connection, age) + latches(connection, age);
    }

    private int locks(Connection connection, Duration age) throws SQLException {
        String text =
                "SELECT name, family, version, in_line, claim, keeper, host, pid, thread, note, tokens, last_token, granted_at,"
                        + " expires_at, line, " + dialect.clock() + " AS now FROM " + dialect.lock()
                        + " WHERE updated_at < "
                        + dialect.clock() + " - ? AND expires_at < " + dialect.clock() + " - ?";
        List<Dialect.Listed> found = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            statement.setMaxRows(AT_ONCE);
            statement.setLong(1, Dialect.micros(age));
            statement.setLong(2, Dialect.micros(age));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String name = dialect.readKey(rows, "name");
                    if (name != null) {
                        found.add(new Dialect.Listed(
                                new Resource(new Family(rows.getString("family")), name), dialect.row(rows)));
                    }
                }
            }
        }
        Sql delete = new Sql(
                "DELETE FROM " + dialect.lock() + " WHERE name = :name AND family = :family AND version = :version");
        int deleted = 0;
        for (Dialect.Listed listed : found) {
            if (isIdle(listed)) {
                Parameters values = dialect.at(listed.resource())
                        .set("version", listed.row().version());
                deleted += dialect.update(connection, delete, values);
            }
        }
        return deleted;
    }

    private static boolean isIdle(Dialect.Listed listed) {
        try {
            return listed.row()
                    .form()
                    .open(listed.resource())
                    .isIdle(listed.row().now());
        } catch (LineFormatException e) {
            // Not ours to judge.
            return false;
        }
    }

    /** A latch is idle when its count is zero; what waits or counted in earlier generations goes with it. */
    private int latches(Connection connection, Duration age) throws SQLException {
        String text = "SELECT h.name, h.generation FROM " + dialect.latch() + " h WHERE h.kind = 0 AND h.updated_at < "
                + dialect.clock() + " - ? AND h.target <= (SELECT COUNT(*) FROM " + dialect.latch()
                + " c WHERE c.name = h.name AND c.kind = 1 AND c.generation = h.generation)";
        record Latch(String name, long generation) {}
        List<Latch> found = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            statement.setMaxRows(AT_ONCE);
            statement.setLong(1, Dialect.micros(age));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String name = dialect.readKey(rows, "name");
                    if (name != null) {
                        found.add(new Latch(name, rows.getLong("generation")));
                    }
                }
            }
        }
        Sql delete = new Sql("DELETE FROM " + dialect.latch() + " WHERE name = :name AND generation <= :generation");
        int deleted = 0;
        for (Latch latch : found) {
            Parameters values =
                    new Parameters().set("name", dialect.key(latch.name)).set("generation", latch.generation);
            deleted += dialect.update(connection, delete, values);
        }
        return deleted;
    }
}
