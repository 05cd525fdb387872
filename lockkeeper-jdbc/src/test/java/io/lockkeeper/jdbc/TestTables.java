package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.sql.SqlDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Makes the tables as an administrator does: by the script, with the documented rights for the application's user. */
final class TestTables {

    private TestTables() {}

    static Dialect dialect(SqlDatabase admin, Tables tables) {
        try (Connection connection = admin.connect()) {
            return Dialects.of(connection, tables);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @param user null if the administrator uses them; else {@code app}, as in the document */
    static Dialect create(SqlDatabase admin, Tables tables, @Nullable String user) {
        try (Connection connection = admin.connect()) {
            Dialect dialect = Dialects.of(connection, tables);
            Schema.create(connection, dialect);
            if (user != null) {
                for (String grant : SqlPage.grants(dialect)) {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute(grant);
                    }
                }
            }
            return dialect;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
