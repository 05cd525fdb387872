package io.lockkeeper.jdbc;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of the tables. They become part of statements, so only plain identifiers are accepted, and they are quoted.
 *
 * @param schema null for the schema of the connection
 * @param prefix the first part of each table's name
 */
record Tables(@Nullable String schema, String prefix) {

    static final String DEFAULT_PREFIX = "lockkeeper_";

    private static final Pattern IDENTIFIER = Pattern.compile("[a-z][a-z0-9_]{0,39}");

    Tables {
        if (schema != null) {
            check("schema", schema);
        }
        check("table prefix", prefix);
    }

    private static void check(String what, String name) {
        if (!IDENTIFIER.matcher(name).matches()) {
            throw new IllegalArgumentException("'" + name + "' cannot be a " + what
                    + "; use 1 to 40 lower-case letters, digits and underscores, beginning with a letter");
        }
    }

    String lock() {
        return prefix + "lock";
    }

    String latch() {
        return prefix + "latch";
    }
}
