package io.lockkeeper.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/** The tables: the scripts that make them, and the check that they are there. */
final class Schema {

    private static final String PLACE = "io/lockkeeper/jdbc/";

    private Schema() {}

    /** The statements of the script, for tables of these names. */
    static List<String> statements(Dialect dialect) {
        List<String> statements = new ArrayList<>();
        for (String statement : script(dialect.script()).split(";\\s*\n")) {
            String text = statement
                    .lines()
                    .filter(line -> !line.startsWith("--"))
                    .reduce("", (a, b) -> a.isEmpty() ? b : a + "\n" + b)
                    .strip();
            if (!text.isEmpty()) {
                statements.add(named(text, dialect));
            }
        }
        return statements;
    }

    /** The script has the tables' default names; a prefix or schema of the application's own takes their place. */
    private static String named(String text, Dialect dialect) {
        String prefix = dialect.tables.prefix();
        String schema = dialect.tables.schema();
        String plain = schema == null ? prefix : schema + "." + prefix;
        String quoted = schema == null ? '"' + prefix : '"' + schema + "\".\"" + prefix;
        return text.replace('"' + Tables.DEFAULT_PREFIX, quoted)
                .replaceAll("(?<![\"_a-z])" + Tables.DEFAULT_PREFIX, plain);
    }

    static String script(String name) {
        try (InputStream in = Schema.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The jar has no " + PLACE + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes the tables that are missing. Several keepers may do that at once: one that comes too late finds them there. */
    static void create(Connection connection, Dialect dialect) throws SQLException {
        if (exists(connection, dialect)) {
            return;
        }
        for (int tries = 0; ; tries++) {
            try {
                for (String statement : statements(dialect)) {
                    try (Statement ddl = connection.createStatement()) {
                        ddl.execute(statement);
                    }
                }
                return;
            } catch (SQLException e) {
                // Another keeper made a part of it meanwhile; most databases then fail, though all say IF NOT EXISTS.
                if (tries >= 5 && !exists(connection, dialect)) {
                    throw e;
                }
                Requests.pause(JdbcPolicy.CREATING_PAUSE.toNanos() << Math.min(tries, 3));
            }
        }
    }

    private static boolean exists(Connection connection, Dialect dialect) {
        try {
            check(connection, dialect);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    /** Reads from each table, without finding anything. */
    static void check(Connection connection, Dialect dialect) throws SQLException {
        String locks =
                "SELECT name, family, claim, keeper, host, pid, thread, note, tokens, last_token, granted_at, expires_at,"
                        + " in_line, line, version, created_at, updated_at FROM " + dialect.lock() + " WHERE 1 = 0";
        try (PreparedStatement statement = connection.prepareStatement(locks);
                ResultSet none = statement.executeQuery()) {
            int type = none.getMetaData().getColumnType(1);
            boolean binary = type == Types.VARBINARY || type == Types.BINARY || type == Types.LONGVARBINARY;
            if (dialect instanceof BinaryKeyDialect && !binary) {
                throw confused(dialect);
            }
        }
        String confusions = dialect.confusions();
        if (confusions != null) {
            try (PreparedStatement statement = connection.prepareStatement(confusions);
                    ResultSet count = statement.executeQuery()) {
                if (count.next() && count.getInt(1) > 0) {
                    throw confused(dialect);
                }
            }
        }
        String latches = "SELECT name, kind, entry, generation, target, begun_by, updated_at FROM " + dialect.latch()
                + " WHERE 1 = 0";
        try (PreparedStatement statement = connection.prepareStatement(latches);
                ResultSet none = statement.executeQuery()) {
            none.next();
        }
    }

    private static UnfitDatabaseException confused(Dialect dialect) {
        return new UnfitDatabaseException("The column 'name' of " + dialect.tables.lock()
                + " compares texts by a collation, so that different names may be one lock; make the table by " + PLACE
                + dialect.script());
    }
}
