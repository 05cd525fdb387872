package io.lockkeeper.jdbc;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.StaleTokenException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A guard for data in a SQL database: it admits a hold to the application's own transaction only if no later one was admitted
 * before. It remembers the pair of token and hold id of each thing that is guarded, either in a table of its own, which this
 * class is, or in two columns of the application's own rows: {@link #columnsOf}.
 *
 * <p><b>What it promises.</b> The check is one statement within the transaction that writes. It keeps the row of the guard
 * locked until that transaction ends, so of two holders one waits for the other's commit and is then compared with what was
 * committed. A transaction that was admitted and commits has written before every later holder's, and after every earlier one's,
 * whatever pauses, clocks and the store of the lock did. It does not matter in which store the lock is. A hold that is no longer
 * held, but after which nobody was admitted, is admitted: there is nothing that it could overwrite.
 *
 * <p><b>What it does not promise.</b> Writes that are not in that transaction are not guarded. The exception does not undo what
 * the transaction did before; the application rolls it back, as after every exception. At isolation levels above <em>read
 * committed</em> the database may report a conflict of its own ({@link SQLException}) in place of {@link StaleTokenException};
 * that transaction cannot write either.
 *
 * <p><b>Round trips.</b> One. A refusal may need a second one, which reads the token that it lost to.
 *
 * <p>Guards are immutable and thread-safe.
 */
public final class JdbcFencing {

    /** Two transactions that insert the same row at once; the second attempt finds it. */
    private static final int TRIES = 5;

    private static final String PAIR = "(%1$sfence_token < ? OR (%1$sfence_token = ? AND %1$sfence_id = ?))";

    private final String table;

    private JdbcFencing(String table) {
        this.table = table;
    }

    /**
     * A guard that keeps what it admitted in a table of its own, which {@link #createTable} makes.
     *
     * @param table its name, as in SQL; with its schema before it if need be
     */
    public static JdbcFencing inTable(String table) {
        return new JdbcFencing(Idiom.name("table", given(table, "table")));
    }

    /**
     * A guard that keeps what it admitted in the columns {@code fence_token} (a {@code BIGINT}) and {@code fence_id} (a {@code
     * VARCHAR(64)} or text) of the guarded rows themselves. Both may be null until the first hold is admitted.
     *
     * @param table the application's own table
     * @param key the column that identifies a row; it needs a primary key or a unique index
     */
    public static FencedRows columnsOf(String table, String key) {
        return new FencedRows(Idiom.name("table", given(table, "table")), Idiom.name("column", given(key, "key")));
    }

    /** Makes the table if it is missing. This ends the transaction on databases where every definition does. */
    public void createTable(Connection connection) throws SQLException {
        String text = switch (Dialects.product(connection)) {
            case POSTGRESQL, SQLITE -> "what text PRIMARY KEY, fence_token bigint NOT NULL, fence_id text NOT NULL)";
            case H2 -> "what varbinary(600) PRIMARY KEY, fence_token bigint NOT NULL, fence_id varchar(64) NOT NULL)";
            case MYSQL, MARIADB ->
                "what varbinary(600) PRIMARY KEY, fence_token bigint NOT NULL,"
                        + " fence_id varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL) ENGINE = InnoDB";
        };
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS " + table + " (" + text);
        }
    }

    /**
     * Admits this hold to the transaction of the connection, and from its commit on no earlier one. Call it before the writes
     * that it guards.
     *
     * @param what the data that is guarded, such as {@code orders/42}; at most 600 bytes of UTF-8
     * @throws StaleTokenException if a later hold was admitted before; roll the transaction back then
     * @throws IllegalStateException if the connection is in autocommit
     */
    public void admit(Connection connection, String what, ExclusiveHold hold) throws SQLException {
        given(what, "what");
        given(hold, "hold");
        Idiom.requireTransaction(connection, "JdbcFencing", "a check that is committed by itself guards no write");
        Product product = Dialects.product(connection);
        Object name = key(product, what);
        for (int tries = 1; ; tries++) {
            try {
                if (product.isMySql()) {
                    admitByKey(connection, product, what, name, hold);
                } else if (upsert(connection, product, name, hold) == 0) {
                    compare(connection, product, what, name, hold);
                }
                return;
            } catch (SQLException e) {
                if (tries == TRIES || product != Product.H2 || SqlProblem.of(e) != SqlProblem.DUPLICATE) {
                    throw e;
                }
            }
        }
    }

    private static Object key(Product product, String what) {
        String text = KeyText.encode(what);
        return product == Product.POSTGRESQL || product == Product.SQLITE
                ? text
                : text.getBytes(StandardCharsets.UTF_8);
    }

    private int upsert(Connection connection, Product product, Object name, ExclusiveHold hold) throws SQLException {
        String text = product == Product.H2
                ? "MERGE INTO " + table
                        + " t USING (VALUES (CAST(? AS varbinary), CAST(? AS bigint), CAST(? AS varchar)))"
                        + " s(what, fence_token, fence_id) ON t.what = s.what WHEN MATCHED AND "
                        + String.format(PAIR, "t.")
                        + " THEN UPDATE SET fence_token = s.fence_token, fence_id = s.fence_id"
                        + " WHEN NOT MATCHED THEN INSERT (what, fence_token, fence_id)"
                        + " VALUES (s.what, s.fence_token, s.fence_id)"
                : "INSERT INTO " + table + " AS t (what, fence_token, fence_id) VALUES (?, ?, ?) ON CONFLICT (what)"
                        + " DO UPDATE SET fence_token = excluded.fence_token, fence_id = excluded.fence_id WHERE "
                        + String.format(PAIR, "t.");
        long token = hold.token();
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            Idiom.bind(statement, Idiom.values(name, token, hold.id(), token, token, hold.id()));
            return statement.executeUpdate();
        }
    }

    /**
     * The number of rows that MySQL reports does not tell a row that is as it was from one that was refused. So the statement
     * says it by the generated key: 1 if the hold was admitted, or one more than the token that it lost to. Without a key
     * the row is read. The id is assigned before the token, since each assignment sees those before it.
     */
    private void admitByKey(Connection connection, Product product, String what, Object name, ExclusiveHold hold)
            throws SQLException {
        String pair = String.format(PAIR, "");
        String text = "INSERT INTO " + table + " (what, fence_token, fence_id) VALUES (?, ? + 0 * LAST_INSERT_ID(1), ?)"
                + " ON DUPLICATE KEY UPDATE fence_id = IF(" + pair + ", ?, fence_id), fence_token = IF(" + pair
                + ", ? + 0 * LAST_INSERT_ID(1), fence_token + 0 * LAST_INSERT_ID(fence_token + 1))";
        long token = hold.token();
        String id = hold.id();
        long key = 0;
        try (PreparedStatement statement = connection.prepareStatement(text, Statement.RETURN_GENERATED_KEYS)) {
            Idiom.bind(statement, Idiom.values(name, token, id, token, token, id, id, token, token, id, token));
            statement.executeUpdate();
            try (ResultSet keys = statement.getGeneratedKeys()) {
                if (keys.next()) {
                    key = keys.getLong(1);
                }
            }
        }
        if (key > 1) {
            throw new StaleTokenException(what, token, key - 1);
        }
        if (key != 1) {
            compare(connection, product, what, name, hold);
        }
    }

    /** Throws unless the guard remembers this hold. */
    private void compare(Connection connection, Product product, String what, Object name, ExclusiveHold hold)
            throws SQLException {
        Seen seen = Seen.read(connection, product, table, "what", name);
        if (seen == null || !seen.is(hold)) {
            throw new StaleTokenException(what, hold.token(), seen == null ? hold.token() : seen.token());
        }
    }

    /** The pair of a row. */
    record Seen(long token, @Nullable String id) {

        boolean is(ExclusiveHold hold) {
            return token == hold.token() && hold.id().equals(id);
        }

        static @Nullable Seen read(Connection connection, Product product, String table, String column, Object key)
                throws SQLException {
            String text =
                    "SELECT fence_token, fence_id FROM " + table + " WHERE " + column + " = ?" + product.asItIsNow();
            try (PreparedStatement statement = connection.prepareStatement(text)) {
                statement.setObject(1, key);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? new Seen(row.getLong(1), row.getString(2)) : null;
                }
            }
        }
    }
}
