package io.lockkeeper.jdbc;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StaleTokenException;
import io.lockkeeper.testkit.sql.SqlDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What threads and processes do in the tests of the idioms. */
final class IdiomJobs {

    /** What a worker does, so many rounds; returns how often it succeeded. */
    interface Job {
        long run(SqlDatabase database, String table, int worker, int rounds) throws Exception;
    }

    /** Far longer than all of them need together. */
    private static final Duration PATIENCE = Duration.ofSeconds(100);

    private IdiomJobs() {}

    static Job named(String name) {
        return switch (name) {
            case "guard" -> IdiomJobs::guard;
            case "fencedRow" -> IdiomJobs::fencedRow;
            case "rowLock" -> IdiomJobs::rowLock;
            case "advisory" -> IdiomJobs::advisory;
            case "session" -> IdiomJobs::session;
            case "transfer" -> IdiomJobs::transfer;
            case "versioned" -> IdiomJobs::versioned;
            case "sale" -> IdiomJobs::sale;
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** Admits tokens of all workers in a mixed order and writes those that were admitted down, in the order of the writes. */
    private static long guard(SqlDatabase database, String table, int worker, int rounds) throws SQLException {
        JdbcFencing guard = JdbcFencing.inTable(table);
        long admitted = 0;
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            for (int round = 0; round < rounds; round++) {
                TokenHold hold = new TokenHold(1 + (round * 7L + worker * 13L) % (rounds * 10L), "w" + worker);
                try {
                    guard.admit(connection, "till", hold);
                    write(connection, table, hold);
                    connection.commit();
                    admitted++;
                } catch (StaleTokenException e) {
                    connection.rollback();
                }
            }
        }
        return admitted;
    }

    /** The row of the guard is locked, so nobody else numbers at the same time. */
    private static void write(Connection connection, String table, TokenHold hold) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO " + table
                + "_journal (seq, token, worker) SELECT COALESCE(MAX(seq), 0) + 1, ?, ? FROM " + table + "_journal")) {
            statement.setLong(1, hold.token());
            statement.setString(2, hold.id());
            statement.executeUpdate();
        }
    }

    /** Each round takes the next token; the sum of what was written must be that of the admitted writes. */
    private static long fencedRow(SqlDatabase database, String table, int worker, int rounds) throws SQLException {
        FencedRows rows = JdbcFencing.columnsOf(table, "id");
        long admitted = 0;
        try (Connection connection = database.connect()) {
            for (int round = 0; round < rounds; round++) {
                TokenHold hold = new TokenHold(1 + (round * 7L + worker * 13L) % (rounds * 10L), "w" + worker);
                try {
                    rows.update(connection, 1, hold, "writes = writes + ?", 1);
                    admitted++;
                } catch (StaleTokenException e) {
                    continue;
                }
            }
        }
        return admitted;
    }

    /** Reads under the lock of the row, then writes what it computed: a lost update would show in the sum. */
    private static long rowLock(SqlDatabase database, String table, int worker, int rounds) throws SQLException {
        RowLock lock = RowLock.of(table).key("id").within(PATIENCE);
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            for (int round = 0; round < rounds; round++) {
                long stock =
                        lock.lock(connection, 1, row -> row.getLong("stock")).orElseThrow();
                set(connection, table, 1, stock - 1);
                connection.commit();
            }
        }
        return rounds;
    }

    /** Reads under the lock of a name, then writes what it computed. */
    private static long advisory(SqlDatabase database, String table, int worker, int rounds) throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            for (int round = 0; round < rounds; round++) {
                AdvisoryLock.inTransaction(connection, table);
                sellOne(connection, table);
                connection.commit();
            }
        }
        return rounds;
    }

    /** Reads under a session lock of a keeper of its own, then writes what it computed, in another transaction. */
    private static long session(SqlDatabase database, String table, int worker, int rounds) throws Exception {
        try (SessionLocksBackend backend = SessionLocksBackend.at(database.fullUrl());
                Lockkeeper keeper =
                        Lockkeeper.builder().commandTimeout(PATIENCE).open(backend);
                Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            for (int round = 0; round < rounds; round++) {
                try (ExclusiveHold hold = keeper.lock(table).acquire()) {
                    sellOne(connection, table);
                    connection.commit();
                }
            }
        }
        return rounds;
    }

    /** Not one statement, so that two at once would sell the same piece. */
    private static void sellOne(Connection connection, String table) throws SQLException {
        long stock;
        try (PreparedStatement select = connection.prepareStatement("SELECT stock FROM " + table);
                ResultSet row = select.executeQuery()) {
            row.next();
            stock = row.getLong(1);
        }
        set(connection, table, 1, stock - 1);
    }

    /** Moves one piece between two of five rows, named in any order. Not one deadlock may be met. */
    private static long transfer(SqlDatabase database, String table, int worker, int rounds) throws SQLException {
        RowLock lock = RowLock.of(table).key("id").within(PATIENCE);
        Random random = new Random(worker);
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            for (int round = 0; round < rounds; round++) {
                List<Integer> ids = new ArrayList<>(List.of(1, 2, 3, 4, 5));
                Collections.shuffle(ids, random);
                Map<Integer, Long> stocks = new HashMap<>();
                lock.lockAll(connection, ids.subList(0, 3), row -> stocks.put(row.getInt("id"), row.getLong("stock")));
                set(connection, table, ids.get(0), stocks.get(ids.get(0)) - 1);
                set(connection, table, ids.get(1), stocks.get(ids.get(1)) + 1);
                connection.commit();
            }
        }
        return rounds;
    }

    private static void set(Connection connection, String table, int id, long stock) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("UPDATE " + table + " SET stock = ? WHERE id = ?")) {
            statement.setLong(1, stock);
            statement.setInt(2, id);
            statement.executeUpdate();
        }
    }

    /** Reads and writes by version; each success takes one piece and writes an order. */
    private static long versioned(SqlDatabase database, String table, int worker, int rounds) throws SQLException {
        VersionedUpdate goods = VersionedUpdate.of(table)
                .key("id")
                .version("version")
                .attempts(10_000)
                .within(PATIENCE);
        long sold = 0;
        for (int round = 0; round < rounds; round++) {
            VersionedUpdate.Result result = goods.update(
                    database.dataSource(),
                    1,
                    row -> row.getLong("stock") > 0
                            ? RowChange.set("stock", row.getLong("stock") - 1)
                            : RowChange.none(),
                    connection -> order(connection, table, worker));
            sold += result.updated() ? 1 : 0;
        }
        return sold;
    }

    private static void order(Connection connection, String table, int worker) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("INSERT INTO " + table + "_order (worker) VALUES (?)")) {
            statement.setInt(1, worker);
            statement.executeUpdate();
        }
    }

    /** The form of one statement. */
    private static long sale(SqlDatabase database, String table, int worker, int rounds) throws SQLException {
        VersionedUpdate goods = VersionedUpdate.of(table).key("id").version("version");
        long sold = 0;
        try (Connection connection = database.connect()) {
            for (int round = 0; round < rounds; round++) {
                if (goods.apply(connection, 1, RowChange.sql("stock = stock - ?", 1), "stock > ?", 0)) {
                    sold++;
                }
            }
        }
        return sold;
    }
}
