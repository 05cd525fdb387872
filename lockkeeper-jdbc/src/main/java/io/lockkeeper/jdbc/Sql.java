package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement with named parameters, such as {@code :claim}, which may stand in several places. Casts are written with {@code
 * CAST}, so a colon is always a parameter.
 */
final class Sql {

    private final String text;
    private final List<String> names = new ArrayList<>();

    Sql(String template) {
        StringBuilder plain = new StringBuilder();
        int at = 0;
        while (at < template.length()) {
            char c = template.charAt(at);
            if (c != ':') {
                plain.append(c);
                at++;
                continue;
            }
            int end = at + 1;
            while (end < template.length() && Character.isJavaIdentifierPart(template.charAt(end))) {
                end++;
            }
            names.add(template.substring(at + 1, end));
            plain.append('?');
            at = end;
        }
        text = plain.toString();
    }

    /** The statement as JDBC wants it. */
    String text() {
        return text;
    }

    /** Prepares the statement and sets its parameters. */
    PreparedStatement prepare(Connection connection, Parameters values) throws SQLException {
        return bound(connection.prepareStatement(text), values);
    }

    /** The same, for a statement that answers by {@link PreparedStatement#getGeneratedKeys}. */
    PreparedStatement prepareWithKey(Connection connection, Parameters values) throws SQLException {
        return bound(connection.prepareStatement(text, PreparedStatement.RETURN_GENERATED_KEYS), values);
    }

    private PreparedStatement bound(PreparedStatement statement, Parameters values) throws SQLException {
        boolean done = false;
        try {
            for (int i = 0; i < names.size(); i++) {
                set(statement, i + 1, values.get(names.get(i)));
            }
            done = true;
            return statement;
        } finally {
            if (!done) {
                statement.close();
            }
        }
    }

    /** Sets one parameter. A null is sent as a text: all columns that may be null are texts or bytes. */
    static void set(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
        if (value instanceof Long number) {
            statement.setLong(index, number);
        } else if (value instanceof Integer number) {
            statement.setInt(index, number);
        } else if (value instanceof byte[] bytes) {
            statement.setBytes(index, bytes);
        } else if (value instanceof String string) {
            statement.setString(index, string);
        } else {
            statement.setNull(index, Types.VARCHAR);
        }
    }
}
