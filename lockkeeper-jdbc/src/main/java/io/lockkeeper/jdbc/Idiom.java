package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the idioms on the application's own tables have in common. */
final class Idiom {

    /** A name as in the application's own SQL: plain, or quoted, with its schema before it if need be. */
    private static final Pattern NAME;

    static {
        String part = "(?:[\\p{L}_][\\p{L}\\p{N}_$]*|\"[^\"\\x00]+\"|`[^`\\x00]+`)";
        NAME = Pattern.compile(part + "(?:\\." + part + "){0,2}");
    }

    private Idiom() {}

    /** Checks a name that becomes part of a statement. */
    static String name(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("'" + name + "' cannot be the name of a " + what
                    + "; use a plain or quoted identifier, such as orders, shop.orders or \"Order\"");
        }
        return name;
    }

    /** Checks that there is a transaction which the statement becomes a part of. */
    static void requireTransaction(Connection connection, String what, String because) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    what + " needs a transaction, since " + because + "; call connection.setAutoCommit(false) first");
        }
    }

    static void bind(PreparedStatement statement, List<? extends @Nullable Object> values) throws SQLException {
        int at = 1;
        for (Object value : values) {
            statement.setObject(at++, value);
        }
    }

    /** Values, one after the other; a part that is an array stands for its elements. */
    static List<@Nullable Object> values(@Nullable Object... parts) {
        List<@Nullable Object> all = new ArrayList<>();
        for (Object part : parts) {
            if (part instanceof Object[] several) {
                all.addAll(Arrays.asList(several));
            } else {
                all.add(part);
            }
        }
        return all;
    }

    /** A row for people. */
    static String row(String table, String key, Object value) {
        return table + " with " + key + " " + value;
    }
}
