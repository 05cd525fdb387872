package io.lockkeeper.testkit.sql;

import io.lockkeeper.testkit.TestTimeouts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What MariaDB and MySQL have in common. */
abstract class MySqlFamily extends LocalServer {

    static final String ADMIN = "admin";

    /** What a new server gets: an administrator, and a user that may connect only. One statement a line. */
    static final String SETUP = """
            CREATE USER '%1$s'@'%%' IDENTIFIED BY '%1$s';
            GRANT ALL ON *.* TO '%1$s'@'%%' WITH GRANT OPTION;
            CREATE USER '%2$s'@'%%' IDENTIFIED BY '%2$s';
            """.formatted(ADMIN, SqlServer.APP);

    private static final Pattern TROUBLE = Pattern.compile("\\[(?:Warning|ERROR)\\]");
    private static final int NO_SUCH_CONNECTION = 1094;

    MySqlFamily(ServerProcess process) {
        super(process, TROUBLE);
    }

    static boolean isReady(ServerProcess process) {
        return process.logOfThisRun().contains("ready for connections.");
    }

    @Override
    public final SqlDatabase admin() {
        return database("mysql");
    }

    /**
     * {@inheritDoc}
     *
     * @param where about the columns of {@code information_schema.processlist}, as in {@code db = 'x' AND user = 'app'}
     */
    @Override
    public final int terminateConnections(String where) {
        try (Connection connection = admin().connect();
                Statement statement = connection.createStatement()) {
            List<Long> ids = ids(statement, "(" + where + ")");
            int ended = 0;
            for (long id : ids) {
                ended += kill(statement, id);
            }
            String ours = ids.isEmpty()
                    ? "1 = 0"
                    : ids.stream().map(String::valueOf).collect(Collectors.joining(", ", "id IN (", ")"));
            TestTimeouts.until(
                    "the connections have ended", () -> ids(statement, ours).isEmpty());
            return ended;
        } catch (SQLException e) {
            throw new IllegalStateException("Cannot end connections where " + where, e);
        }
    }

    private static List<Long> ids(Statement statement, String where) {
        String query = "SELECT id FROM information_schema.processlist"
                + " WHERE id <> connection_id() AND command NOT IN ('Daemon') AND user <> 'system user'"
                + " AND user <> 'event_scheduler' AND " + where;
        try (ResultSet rows = statement.executeQuery(query)) {
            List<Long> ids = new ArrayList<>();
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
            return ids;
        } catch (SQLException e) {
            throw new IllegalStateException("Cannot ask " + query, e);
        }
    }

    private static int kill(Statement statement, long id) throws SQLException {
        try {
            statement.execute("KILL CONNECTION " + id);
            return 1;
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_SUCH_CONNECTION) {
                return 0;
            }
            throw e;
        }
    }

    /** {@inheritDoc} The administrator may write all the same. */
    @Override
    public final void readOnly(boolean on) {
        admin().execute("SET GLOBAL read_only = " + (on ? "ON" : "OFF"));
    }

    /** A number of {@code SHOW GLOBAL STATUS}, as {@code Questions} or {@code Innodb_os_log_fsyncs}. */
    public final long status(String name) {
        try (Connection connection = admin().connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW GLOBAL STATUS LIKE '" + name + "'")) {
            if (!rows.next()) {
                throw new IllegalStateException(this + " has no figure of the name " + name);
            }
            return rows.getLong(2);
        } catch (SQLException e) {
            throw new IllegalStateException("Cannot ask for " + name, e);
        }
    }

    @Override
    public final void close() {
        kill();
        folder().delete();
    }
}
