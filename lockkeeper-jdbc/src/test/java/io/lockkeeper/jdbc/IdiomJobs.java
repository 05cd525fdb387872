package io.lockkeeper.jdbc;

import io.lockkeeper.StaleTokenException;
import io.lockkeeper.testkit.sql.SqlDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** What threads and processes do in the tests of the idioms. */
final class IdiomJobs {

    /** What a worker does, so many rounds; returns how often it succeeded. */
    interface Job {
        long run(SqlDatabase database, String table, int worker, int rounds) throws Exception;
    }

    private IdiomJobs() {}

    static Job named(String name) {
        return switch (name) {
            case "guard" -> IdiomJobs::guard;
            case "fencedRow" -> IdiomJobs::fencedRow;
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
}
