package io.lockkeeper.jdbc;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.line.LeasedStore;
import io.lockkeeper.line.RowForm;
import io.lockkeeper.spi.Claim;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * PostgreSQL 14 and later.
 *
 * <p>An acquisition that fails answers with the row that stands in the way, in the same statement. It modifies no row, so it
 * has no transaction id and writes no log. Notifications are part of the statement that makes them necessary.
 */
final class PostgresDialect extends TextKeyDialect {

    private volatile boolean pooled;
    private final Sql acquireOrRead;
    private final Sql replaceAndTell;
    private final Sql replaceAndTellSoon;

    PostgresDialect(Tables tables) {
        super(tables);
        acquireOrRead = new Sql("WITH c AS MATERIALIZED (SELECT " + clock() + " AS us), u AS (UPDATE " + lock()
                + " AS t SET version = t.version + 1, " + acquireAssignments()
                + " FROM c WHERE t.name = :name AND t.family = :family AND t.in_line = 0"
                + " AND (t.expires_at <= c.us OR t.claim = :claim) RETURNING t.last_token, t.tokens)"
                + " SELECT 1 AS won, u.last_token, u.tokens, NULL AS version, NULL AS in_line, NULL AS claim, NULL AS keeper,"
                + " NULL AS host, NULL AS pid, NULL AS thread, NULL AS note, NULL AS granted_at, NULL AS expires_at, NULL AS line,"
                + " NULL AS now FROM u UNION ALL SELECT 0, r.last_token, r.tokens, r.version, r.in_line, r.claim, r.keeper, r.host,"
                + " r.pid, r.thread, r.note, r.granted_at, r.expires_at, r.line, c.us FROM c, " + lock()
                + " AS r WHERE r.name = :name AND r.family = :family AND NOT EXISTS (SELECT 1 FROM u)");
        replaceAndTell = telling(replaceTemplate());
        replaceAndTellSoon = telling(replaceTemplate() + answeredBeforeDisk());
    }

    private static Sql telling(String replacing) {
        return new Sql("WITH done AS (" + replacing + " RETURNING 1), told AS (SELECT pg_notify(s.channel, s.payload)"
                + " FROM done, unnest(CAST(:channels AS text[]), CAST(:payloads AS text[])) AS s(channel, payload))"
                + " SELECT (SELECT count(*) FROM done) AS done, (SELECT count(*) FROM told) AS told");
    }

    @Override
    String name() {
        return "PostgreSQL";
    }

    @Override
    String script() {
        return "postgresql.sql";
    }

    @Override
    String clock() {
        return "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)";
    }

    @Override
    String time() {
        return "c.us";
    }

    @Override
    String beginsWith(String column, String value) {
        return "starts_with(" + column + ", " + value + ")";
    }

    /** What is compared has the type and the collation of the column. */
    @Override
    String confusions() {
        return "SELECT COUNT(*) FROM (SELECT name FROM " + lock()
                + " WHERE 1 = 0 UNION ALL SELECT 'A' UNION ALL SELECT 'a ' UNION ALL SELECT '\u00e4') n WHERE n.name = 'a'";
    }

    /** The setting is that of the transaction: the statement's own, since each is one. It is read when that commits. */
    @Override
    String answeredBeforeDisk() {
        return " AND set_config('synchronous_commit', 'off', true) = 'off'";
    }

    @Override
    boolean hasNotifications() {
        return true;
    }

    /**
     * The driver prepares a statement on the server when it was executed a few times. Behind a pooler of transactions the next
     * execution may come to another server connection, which does not know it: so nothing is prepared there.
     */
    @Override
    void begin(Connection connection, Deadline until) throws SQLException {
        if (pooled) {
            PgDriver.of(connection).prepareNothing();
        }
    }

    @Override
    void behindPooler() {
        pooled = true;
    }

    @Override
    void check(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                        connection.prepareStatement("SELECT current_setting('server_encoding'), pg_is_in_recovery()");
                ResultSet rows = statement.executeQuery()) {
            if (rows.next()) {
                if (!rows.getString(1).equals("UTF8")) {
                    throw new UnfitDatabaseException("The database has the encoding " + rows.getString(1)
                            + ", in which not every name can be kept; use a database with the encoding UTF8");
                }
                if (rows.getBoolean(2)) {
                    throw new UnfitDatabaseException(
                            "The server is a replica, which takes no locks; connect to the primary");
                }
            }
        }
    }

    @Override
    String acquireText(String where) {
        return "UPDATE " + lock() + " SET version = version + 1, " + acquireAssignments() + " FROM (SELECT " + clock()
                + " AS us) c" + where + " RETURNING last_token, tokens";
    }

    @Override
    Row.Acquired acquire(Connection connection, Sql statement, Parameters values) throws SQLException {
        boolean reads = statement == acquireStatement();
        try (PreparedStatement prepared = (reads ? acquireOrRead : statement).prepare(connection, values);
                ResultSet rows = prepared.executeQuery()) {
            if (!rows.next()) {
                return Row.Acquired.refused(null);
            }
            return !reads || rows.getInt("won") == 1
                    ? Row.Acquired.granted(rows.getLong("last_token"), rows.getInt("tokens"))
                    : Row.Acquired.refused(row(rows));
        }
    }

    @Override
    Row.Acquired acquire(Connection connection, String keeperId, Claim claim) throws SQLException {
        return acquire(connection, acquireStatement(), parameters(keeperId, claim));
    }

    @Override
    boolean replace(
            Connection connection,
            Resource resource,
            long version,
            RowForm form,
            List<LeasedStore.Signal> signals,
            Durability durability)
            throws SQLException {
        if (signals.isEmpty()) {
            return super.replace(connection, resource, version, form, signals, durability);
        }
        Sql telling = durability == Durability.SOON ? replaceAndTellSoon : replaceAndTell;
        Parameters values = replacement(resource, version, form)
                .set("channels", Notification.channels(signals))
                .set("payloads", Notification.payloads(signals));
        try (PreparedStatement statement = telling.prepare(connection, values);
                ResultSet rows = statement.executeQuery()) {
            return rows.next() && rows.getLong("done") > 0;
        }
    }

    @Override
    void tell(Connection connection, List<LeasedStore.Signal> signals) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT pg_notify(s.channel, s.payload) FROM unnest(CAST(? AS text[]), CAST(? AS text[])) AS s(channel, payload)")) {
            statement.setString(1, Notification.channels(signals));
            statement.setString(2, Notification.payloads(signals));
            statement.executeQuery().close();
        }
    }

    @Override
    void probe(Connection connection, String channel, String payload) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
            statement.setString(1, channel);
            statement.setString(2, payload);
            statement.executeQuery().close();
        }
    }

    @Override
    Map<Resource, Row> read(Connection connection, Collection<Resource> resources) throws SQLException {
        String text = "SELECT t.*, " + clock() + " AS now FROM unnest(?, ?) AS v(name, family) JOIN " + lock()
                + " AS t ON t.name = v.name AND t.family = v.family";
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            statement.setArray(
                    1,
                    connection.createArrayOf(
                            "text",
                            resources.stream()
                                    .map(resource -> key(resource.name()))
                                    .toArray()));
            statement.setArray(
                    2,
                    connection.createArrayOf(
                            "text",
                            resources.stream()
                                    .map(resource -> resource.family().key())
                                    .toArray()));
            return rows(statement);
        }
    }

    @Override
    boolean replacesMany() {
        return true;
    }

    /** The values of a column, for each row that is written. */
    private record Column(String name, String type) {}

    private static final List<Column> REPLACED = List.of(
            new Column("name", "text"),
            new Column("family", "text"),
            new Column("version", "int8"),
            new Column("inLine", "int8"),
            new Column("line", "text"),
            new Column("claim", "text"),
            new Column("keeper", "text"),
            new Column("host", "text"),
            new Column("pid", "int8"),
            new Column("thread", "text"),
            new Column("note", "text"),
            new Column("tokens", "int8"),
            new Column("lastToken", "int8"),
            new Column("grantedAt", "int8"),
            new Column("expiresAt", "int8"));

    /** Rows are locked before any is written, and those that are locked already are passed over, so nothing waits for anything. */
    @Override
    Set<Resource> replaceAll(Connection connection, List<Replacement> replacements) throws SQLException {
        List<Parameters> values = replacements.stream()
                .map(each -> replacement(each.resource(), each.version(), each.form()))
                .toList();
        Set<Resource> written = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(replaceAllText())) {
            for (int i = 0; i < REPLACED.size(); i++) {
                Column column = REPLACED.get(i);
                Object[] ofRows =
                        values.stream().map(row -> row.get(column.name)).toArray();
                statement.setArray(i + 1, connection.createArrayOf(column.type, ofRows));
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    written.add(
                            new Resource(new Family(rows.getString("family")), KeyText.decode(rows.getString("name"))));
                }
            }
        }
        return written;
    }

    private String replaceAllText() {
        String names =
                "name, family, version, in_line, line, claim, keeper, host, pid, thread, note, tokens, last_token,"
                        + " granted_at, expires_at";
        return "WITH v AS MATERIALIZED (SELECT * FROM unnest("
                + String.join(", ", Collections.nCopies(REPLACED.size(), "?")) + ") AS v(" + names + ")),"
                + " free AS (SELECT t.name, t.family FROM v JOIN " + lock() + " AS t ON t.name = v.name"
                + " AND t.family = v.family AND t.version = v.version FOR UPDATE OF t SKIP LOCKED)"
                + " UPDATE " + lock() + " AS t SET version = t.version + 1, in_line = v.in_line, line = v.line,"
                + " claim = v.claim, keeper = v.keeper, host = v.host, pid = v.pid, thread = v.thread, note = v.note,"
                + " tokens = v.tokens, last_token = v.last_token, granted_at = v.granted_at,"
                + " expires_at = v.expires_at, updated_at = " + clock() + " FROM free, v WHERE t.name = free.name"
                + " AND t.family = free.family AND v.name = free.name AND v.family = free.family"
                + " AND t.version = v.version RETURNING t.name, t.family";
    }

    /**
     * One statement for all. Rows that another transaction has locked are passed over, so that one of them does not hold up
     * the others; the caller looks at them one by one.
     */
    @Override
    Map<String, Duration> renew(Connection connection, List<Claim> held) throws SQLException {
        String text = "WITH c AS MATERIALIZED (SELECT " + clock()
                + " AS us), due AS (SELECT t.name, t.family, v.lease FROM c, "
                + lock() + " AS t JOIN unnest(?, ?, ?, ?) AS v(name, family, claim, lease)"
                + " ON t.name = v.name AND t.family = v.family AND t.claim = v.claim"
                + " WHERE t.in_line = 0 AND t.expires_at > c.us FOR UPDATE OF t SKIP LOCKED)"
                + " UPDATE " + lock()
                + " AS t SET version = t.version + 1, expires_at = CASE WHEN due.lease > 0 THEN c.us + due.lease"
                + " ELSE t.expires_at END FROM due, c WHERE t.name = due.name AND t.family = due.family"
                + " RETURNING t.claim, t.expires_at - c.us AS rest";
        int size = held.size();
        String[] names = new String[size];
        String[] families = new String[size];
        String[] claims = new String[size];
        Long[] leases = new Long[size];
        for (int i = 0; i < size; i++) {
            Claim claim = held.get(i);
            names[i] = KeyText.encode(claim.resource().name());
            families[i] = claim.resource().family().key();
            claims[i] = KeyText.encode(claim.id());
            leases[i] = claim.fixed() ? 0 : micros(claim.lease());
        }
        Map<String, Duration> rests = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            Array[] arrays = {
                connection.createArrayOf("text", names),
                connection.createArrayOf("text", families),
                connection.createArrayOf("text", claims),
                connection.createArrayOf("int8", leases)
            };
            for (int i = 0; i < arrays.length; i++) {
                statement.setArray(i + 1, arrays[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    rests.put(KeyText.decode(rows.getString("claim")), duration(rows.getLong("rest")));
                }
            }
        }
        return rests;
    }
}
