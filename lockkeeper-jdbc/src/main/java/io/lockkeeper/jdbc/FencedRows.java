package io.lockkeeper.jdbc;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A guard in the columns {@code fence_token} and {@code fence_id} of the application's own rows; see {@link JdbcFencing}, whose
 * promises hold here too.
 *
 * <p>{@link #update} writes a row and checks in the same statement, so the guard costs no round trip at all. {@link #admit}
 * only checks, for what the application writes afterwards in the same transaction.
 */
public final class FencedRows {

    /** The second time the row is surely locked by this transaction. */
    private static final int TRIES = 2;

    private final String table;
    private final String key;

    FencedRows(String table, String key) {
        this.table = table;
        this.key = key;
    }

    /**
     * Admits this hold to the transaction of the connection, and from its commit on no earlier one.
     *
     * @param value the key of the row that is guarded
     * @throws StaleTokenException if a later hold was admitted before; roll the transaction back then
     * @throws MissingRowException if there is no such row
     * @throws IllegalStateException if the connection is in autocommit
     */
    public void admit(Connection connection, Object value, ExclusiveHold hold) throws SQLException {
        Idiom.requireTransaction(connection, "FencedRows.admit", "a check that is committed by itself guards no write");
        write(connection, given(value, "value"), given(hold, "hold"), "", new Object[0]);
    }

    /**
     * Changes a row if no later hold was admitted for it, in one statement. In autocommit that statement is the transaction.
     *
     * @param value the key of the row
     * @param assignments of an UPDATE, such as {@code state = ?, paid_at = CURRENT_TIMESTAMP}
     * @param parameters of the assignments, one for each question mark
     * @throws StaleTokenException if a later hold was admitted before; nothing is written then
     * @throws MissingRowException if there is no such row
     */
    public void update(
            Connection connection, Object value, ExclusiveHold hold, String assignments, @Nullable Object... parameters)
            throws SQLException {
        if (given(assignments, "assignments").isBlank()) {
            throw new IllegalArgumentException("There is no assignment; use admit to check only");
        }
        write(connection, given(value, "value"), given(hold, "hold"), assignments + ", ", parameters);
    }

    private void write(
            Connection connection, Object value, ExclusiveHold hold, String assignments, @Nullable Object[] parameters)
            throws SQLException {
        Product product = Dialects.product(connection);
        String text = "UPDATE " + table + " SET " + assignments + "fence_token = ?, fence_id = ? WHERE " + key
                + " = ? AND (fence_token IS NULL OR fence_token < ? OR (fence_token = ? AND fence_id = ?))";
        List<@Nullable Object> values = new ArrayList<>(Idiom.values(parameters));
        values.addAll(Idiom.values(hold.token(), hold.id(), value, hold.token(), hold.token(), hold.id()));
        for (int tries = 0; tries < TRIES; tries++) {
            try (PreparedStatement statement = connection.prepareStatement(text)) {
                Idiom.bind(statement, values);
                if (statement.executeUpdate() > 0) {
                    return;
                }
            }
            JdbcFencing.Seen seen = JdbcFencing.Seen.read(connection, product, table, key, value);
            if (seen == null) {
                throw new MissingRowException(table, key, value);
            }
            if (!seen.is(hold)) {
                throw new StaleTokenException(Idiom.row(table, key, value), hold.token(), seen.token());
            }
            // MySQL may be set up to count only rows whose values changed: the row is as it should be.
        }
    }
}
