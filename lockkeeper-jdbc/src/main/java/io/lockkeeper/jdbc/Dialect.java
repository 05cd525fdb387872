package io.lockkeeper.jdbc;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.line.LeasedStore;
import io.lockkeeper.line.RowForm;
import io.lockkeeper.line.SoleGrant;
import io.lockkeeper.spi.Claim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The statements of one database.
 *
 * <p><b>Invariants of the statements about the table of locks.</b>
 *
 * <ul>
 *   <li>Each is complete by itself, in autocommit. No row is locked between two requests; otherwise a process that is paused
 *       between them would bar the lock for all others, and no lease would end that.
 *   <li>Each write changes {@code version}. A decision that was made in Java on a row that was read is written by {@link
 *       #replace} only if the version is still the same. Otherwise a decision on an old row would undo a later one.
 *   <li>A statement that knows only the columns matches a row only if {@code in_line} is 0; see {@link RowForm}.
 *   <li>All times are the database's, taken once in a statement; a client sends durations only. A statement that had to wait
 *       for a row uses the time at which it began, which ends leases later and never sooner.
 *   <li>Tokens: a block ends at {@code greatest(last_token + 1, clock)} and is not longer than the clock is ahead of the last
 *       token. So tokens do not run ahead of the clock, and a row that was deleted comes back with higher ones.
 *   <li>Assignments name old values only, and each in an order that gives the same result on databases that assign one
 *       after the other.
 * </ul>
 */
abstract class Dialect {

    /** What a statement about a resource in columns may have at most; {@link Claim#tokens} asks for no more. */
    static final int MOST_TOKENS = 2_047;

    private static final String COLUMNS =
            "version, in_line, claim, keeper, host, pid, thread, note, tokens, last_token, granted_at, expires_at, line";

    final Tables tables;
    private final Sql read;
    private final Sql insert;
    private final Sql acquire;
    private final Sql exchange;
    private final Sql release;
    private final Sql releaseSoon;
    private final Sql replace;
    private final Sql replaceSoon;
    private final Sql list;

    Dialect(Tables tables) {
        this.tables = tables;
        String lock = lock();
        String where = " WHERE name = :name AND family = :family";
        read = new Sql("SELECT " + COLUMNS + ", " + clock() + " AS now FROM " + lock + where);
        insert = insertInto(
                lock,
                "name, family, version, in_line, tokens, last_token, granted_at, expires_at, pid, created_at, updated_at",
                ":name, :family, " + clock() + ", 0, 0, " + clock() + ", 0, 0, 0, " + clock() + ", " + clock());
        acquire = new Sql(acquireText(where + " AND in_line = 0 AND (expires_at <= " + time() + " OR claim = :claim)"));
        exchange = new Sql(acquireText(where + " AND in_line = 0 AND claim = :released AND expires_at > " + time()));
        String end = "UPDATE " + lock + " SET version = version + 1, claim = NULL, updated_at = " + clock()
                + ", tokens = 0, granted_at = 0, expires_at = 0" + where
                + " AND in_line = 0 AND claim = :claim AND expires_at > "
                + clock();
        release = new Sql(end);
        releaseSoon = new Sql(end + answeredBeforeDisk());
        replace = new Sql(replaceTemplate());
        replaceSoon = new Sql(replaceTemplate() + answeredBeforeDisk());
        list = new Sql("SELECT name, family, " + COLUMNS + ", " + clock() + " AS now FROM " + lock
                + " WHERE name >= :prefix AND " + beginsWith("name", ":prefix") + " AND (in_line = 1 OR expires_at > "
                + clock() + ") ORDER BY name, family");
    }

    /** The database by name, for people. */
    abstract String name();

    /** The script that makes the tables, a resource beside this class. */
    abstract String script();

    /** Microseconds since 1970 by the database's clock, as an expression. */
    abstract String clock();

    /** The same within a statement that acquires. */
    String time() {
        return clock();
    }

    String quoted(String identifier) {
        return '"' + identifier + '"';
    }

    String lock() {
        return qualified(tables.lock());
    }

    String latch() {
        return qualified(tables.latch());
    }

    String qualified(String table) {
        return tables.schema() == null ? quoted(table) : quoted(tables.schema()) + "." + quoted(table);
    }

    String greatest(String a, String b) {
        return "GREATEST(" + a + ", " + b + ")";
    }

    String least(String a, String b) {
        return "LEAST(" + a + ", " + b + ")";
    }

    /**
     * A query that counts reasons why the column of names would take two names for one; null where {@link Schema#check} sees it
     * by the type of the column.
     */
    @Nullable
    String confusions() {
        return null;
    }

    /** Whether a text column begins with a value, as a condition. */
    abstract String beginsWith(String column, String value);

    /** A name or an id as the database keeps it: a string, or bytes. */
    abstract Object key(String text);

    abstract @Nullable String readKey(ResultSet row, String column) throws SQLException;

    /** Whether {@link Connection#setNetworkTimeout} ends a request in time. */
    boolean hasNetworkTimeout() {
        return true;
    }

    /** Whether keepers can notify each other. */
    boolean hasNotifications() {
        return false;
    }

    /** A query for the time in milliseconds that {@link #begin} changes; null if it changes none. */
    @Nullable
    String lockTimeout() {
        return null;
    }

    /** A statement that sets that time. */
    String lockTimeout(int millis) {
        throw new IllegalStateException(name() + " has no such time");
    }

    /**
     * A condition that is always true, by which a statement that is a transaction of its own is answered before it is on disk;
     * empty if the database has none. See {@link Durability#SOON}.
     */
    String answeredBeforeDisk() {
        return "";
    }

    /** Prepares a connection that was just borrowed, for a request with this deadline. */
    void begin(Connection connection, Deadline until) throws SQLException {}

    /**
     * A pooler of transactions was found between this process and the server: two statements of one connection may be
     * executed on two connections of the server.
     */
    void behindPooler() {}

    /** Checks that the server can keep locks. */
    void check(Connection connection) throws SQLException {}

    /** A statement that inserts a row. Nothing is logged by the server if the row is there. */
    final Sql insertInto(String table, String columns, String values) {
        return new Sql("INSERT INTO " + table + " (" + columns + ") VALUES (" + values + ")" + unlessThere());
    }

    /** What makes an insert do nothing if the row is there; empty if that is an error, which only its caller sees. */
    String unlessThere() {
        return "";
    }

    /** The head of an update that acquires, whose condition follows. */
    abstract String acquireText(String where);

    /** The assignments of a statement that acquires, in an order that suits every database. */
    final String acquireAssignments() {
        String mine = "CASE WHEN claim = :claim AND expires_at > " + time() + " THEN ";
        return "tokens = " + newTokens() + ", last_token = " + newLastToken() + ", granted_at = " + mine
                + "granted_at ELSE " + time() + " END, expires_at = " + mine
                + greatest("expires_at", time() + " + :lease") + " ELSE " + time() + " + :lease END, updated_at = "
                + time()
                + ", keeper = :keeper, host = :host, pid = :pid, thread = :thread, note = :note, claim = :claim";
    }

    final String newTokens() {
        return "CASE WHEN claim = :claim AND expires_at > " + time() + " THEN tokens ELSE "
                + greatest("1", least(":wanted", time() + " - last_token")) + " END";
    }

    final String newLastToken() {
        return "CASE WHEN claim = :claim AND expires_at > " + time() + " THEN last_token ELSE "
                + greatest("last_token + 1", time()) + " END";
    }

    /** Grants the resource to an exclusive claim if nobody queues for it and it is free, or the claim's already. */
    Row.Acquired acquire(Connection connection, String keeperId, Claim claim) throws SQLException {
        Row.Acquired granted = acquire(connection, acquire, parameters(keeperId, claim));
        return granted.isGranted() ? granted : Row.Acquired.refused(read(connection, claim.resource()));
    }

    /** Grants what another claim holds to this one, if nobody queues for it. */
    Row.Acquired exchange(Connection connection, String released, String keeperId, Claim claim) throws SQLException {
        return acquire(connection, exchange, parameters(keeperId, claim).set("released", key(released)));
    }

    /** Executes a statement that acquires and answers with the last token and how many there are. */
    abstract Row.Acquired acquire(Connection connection, Sql statement, Parameters values) throws SQLException;

    final Sql acquireStatement() {
        return acquire;
    }

    /** Ends the grant of an exclusive claim that nobody queues behind; says whether it did. */
    final boolean release(Connection connection, Resource resource, String claimId, Durability durability)
            throws SQLException {
        Sql statement = durability == Durability.SOON ? releaseSoon : release;
        return update(connection, statement, at(resource).set("claim", key(claimId))) > 0;
    }

    @Nullable
    Row read(Connection connection, Resource resource) throws SQLException {
        try (PreparedStatement statement = read.prepare(connection, at(resource));
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? row(rows) : null;
        }
    }

    /** The rows of these resources, as far as there are any. */
    Map<Resource, Row> read(Connection connection, Collection<Resource> resources) throws SQLException {
        String text = "SELECT name, family, " + COLUMNS + ", " + clock() + " AS now FROM " + lock() + " WHERE "
                + String.join(" OR ", Collections.nCopies(resources.size(), "(name = ? AND family = ?)"));
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            int index = 1;
            for (Resource resource : resources) {
                Sql.set(statement, index++, key(resource.name()));
                Sql.set(statement, index++, resource.family().key());
            }
            return rows(statement);
        }
    }

    final Map<Resource, Row> rows(PreparedStatement query) throws SQLException {
        Map<Resource, Row> found = new LinkedHashMap<>();
        try (ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                String name = readKey(rows, "name");
                if (name != null) {
                    found.put(new Resource(new Family(rows.getString("family")), name), row(rows));
                }
            }
        }
        return found;
    }

    /** Makes the row of a resource, free, unless another keeper did. */
    void insert(Connection connection, Resource resource) throws SQLException {
        insert(connection, insert, at(resource));
    }

    /** Inserts a row unless it is there. */
    final void insert(Connection connection, Sql statement, Parameters values) throws SQLException {
        try {
            update(connection, statement, values);
        } catch (SQLException e) {
            if (SqlProblem.of(e) != SqlProblem.DUPLICATE) {
                throw e;
            }
        }
    }

    /**
     * Writes what was decided on a row, if the row is still as it was read, and sends the notifications that belong to it.
     *
     * @return whether it was
     */
    boolean replace(
            Connection connection,
            Resource resource,
            long version,
            RowForm form,
            List<LeasedStore.Signal> signals,
            Durability durability)
            throws SQLException {
        Sql statement = durability == Durability.SOON ? replaceSoon : replace;
        return update(connection, statement, replacement(resource, version, form)) > 0;
    }

    /** What is to be written to a row, if it still has this version. */
    record Replacement(Resource resource, long version, RowForm form) {}

    /** Whether {@link #replaceAll} writes anything: one statement for many rows, which passes over those that are locked. */
    boolean replacesMany() {
        return false;
    }

    /**
     * Writes what was decided on rows, each if it is still as it was read and nobody has it locked.
     *
     * @return those that were written
     */
    Set<Resource> replaceAll(Connection connection, List<Replacement> replacements) throws SQLException {
        return Set.of();
    }

    final String replaceTemplate() {
        return "UPDATE " + lock() + " SET version = version + 1, in_line = :inLine, line = :line, claim = :claim,"
                + " keeper = :keeper, host = :host, pid = :pid, thread = :thread, note = :note, tokens = :tokens,"
                + " last_token = :lastToken, granted_at = :grantedAt, expires_at = :expiresAt, updated_at = " + clock()
                + " WHERE name = :name AND family = :family AND version = :version";
    }

    final Parameters replacement(Resource resource, long version, RowForm form) {
        SoleGrant grant = form.grant();
        Parameters values = at(resource)
                .set("version", version)
                .set("inLine", form.governs() ? 1 : 0)
                .set("line", form.line())
                .set("lastToken", form.lastToken());
        if (grant == null) {
            return holder(values, null).set("tokens", 0).set("grantedAt", 0L).set("expiresAt", 0L);
        }
        // A sole grant has the newest tokens: its block ends where the row's tokens do.
        return holder(values, grant.holder())
                .set("claim", key(grant.claimId()))
                .set("keeper", grant.keeperId())
                .set("tokens", (int) (form.lastToken() - grant.lastToken() + grant.tokens()))
                .set("grantedAt", micros(grant.grantedAt()))
                .set("expiresAt", micros(grant.expiresAt()));
    }

    /** Sends notifications that belong to no write. */
    void tell(Connection connection, List<LeasedStore.Signal> signals) throws SQLException {}

    /** Sends a notification that tells nothing, to find out whether it arrives. */
    void probe(Connection connection, String channel, String payload) throws SQLException {}

    /** The most grants that {@link #renew} takes at once. */
    int renewedAtOnce() {
        return 1_000;
    }

    /**
     * Renews the grants among these that are in columns.
     *
     * @return how long each of them lasts from now, by claim id; those that are missing have to be looked at one by one
     */
    Map<String, Duration> renew(Connection connection, List<Claim> held) throws SQLException {
        Map<Long, List<Claim>> byLease = new HashMap<>();
        for (Claim claim : held) {
            if (!claim.fixed()) {
                byLease.computeIfAbsent(micros(claim.lease()), lease -> new ArrayList<>())
                        .add(claim);
            }
        }
        for (Map.Entry<Long, List<Claim>> group : byLease.entrySet()) {
            String due =
                    " WHERE in_line = 0 AND expires_at > " + clock() + " AND (" + sameResource(group.getValue()) + ")";
            try (PreparedStatement statement = connection.prepareStatement(renewText(due))) {
                statement.setLong(
                        renewsLeaseFirst() ? 1 : 1 + 3 * group.getValue().size(), group.getKey());
                set(statement, renewsLeaseFirst() ? 2 : 1, group.getValue());
                statement.executeUpdate();
            }
        }
        return renewed(connection, held);
    }

    /** The update that sets a new end for the rows of this condition; the lease is a parameter before or after those of it. */
    String renewText(String due) {
        return "UPDATE " + lock() + " SET version = version + 1, expires_at = " + clock() + " + ?" + due;
    }

    boolean renewsLeaseFirst() {
        return true;
    }

    /** What of these grants is in columns. */
    private Map<String, Duration> renewed(Connection connection, List<Claim> held) throws SQLException {
        String text = "SELECT claim, expires_at - " + clock() + " AS rest FROM " + lock()
                + " WHERE in_line = 0 AND expires_at > " + clock() + " AND (" + sameResource(held) + ")";
        Map<String, Duration> rests = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            set(statement, 1, held);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String claim = readKey(rows, "claim");
                    if (claim != null) {
                        rests.put(claim, duration(rows.getLong("rest")));
                    }
                }
            }
        }
        return rests;
    }

    private static String sameResource(List<Claim> claims) {
        return String.join(" OR ", Collections.nCopies(claims.size(), "(name = ? AND family = ? AND claim = ?)"));
    }

    private void set(PreparedStatement statement, int first, List<Claim> claims) throws SQLException {
        int index = first;
        for (Claim claim : claims) {
            Sql.set(statement, index++, key(claim.resource().name()));
            Sql.set(statement, index++, claim.resource().family().key());
            Sql.set(statement, index++, key(claim.id()));
        }
    }

    /** A resource and its row. */
    record Listed(Resource resource, Row row) {}

    /** The rows that may be held or queued for, whose names begin with the prefix. */
    List<Listed> list(Connection connection, String prefix) throws SQLException {
        List<Listed> found = new ArrayList<>();
        try (PreparedStatement statement = list.prepare(connection, new Parameters().set("prefix", key(prefix)));
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                String name = readKey(rows, "name");
                if (name != null) {
                    found.add(new Listed(new Resource(new Family(rows.getString("family")), name), row(rows)));
                }
            }
        }
        return found;
    }

    final int update(Connection connection, Sql sql, Parameters values) throws SQLException {
        try (PreparedStatement statement = sql.prepare(connection, values)) {
            return statement.executeUpdate();
        }
    }

    final Parameters at(Resource resource) {
        return new Parameters()
                .set("name", key(resource.name()))
                .set("family", resource.family().key());
    }

    final Parameters parameters(String keeperId, Claim claim) {
        return holder(at(claim.resource()), claim.holder())
                .set("claim", key(claim.id()))
                .set("keeper", keeperId)
                .set("wanted", (long) Math.min(claim.tokens(), MOST_TOKENS))
                .set("lease", micros(claim.lease()));
    }

    private static Parameters holder(Parameters values, @Nullable HolderInfo holder) {
        return holder == null
                ? values.set("pid", 0L)
                : values.set("host", KeyText.encode(holder.host()))
                        .set("pid", holder.pid())
                        .set("thread", KeyText.encode(holder.thread()))
                        .set("note", KeyText.encode(holder.note()));
    }

    final Row row(ResultSet rows) throws SQLException {
        boolean governs = rows.getInt("in_line") != 0;
        long lastToken = rows.getLong("last_token");
        String claim = readKey(rows, "claim");
        SoleGrant grant = null;
        if (claim != null && !governs) {
            HolderInfo holder = new HolderInfo(
                    text(rows, "keeper"),
                    text(rows, "host"),
                    rows.getLong("pid"),
                    text(rows, "thread"),
                    text(rows, "note"));
            grant = new SoleGrant(
                    claim,
                    holder.keeper(),
                    holder,
                    lastToken,
                    Math.max(1, rows.getInt("tokens")),
                    nanos(rows.getLong("granted_at")),
                    nanos(rows.getLong("expires_at")));
        }
        RowForm form = new RowForm(lastToken, grant, governs, rows.getString("line"));
        return new Row(rows.getLong("version"), form, nanos(rows.getLong("now")));
    }

    private static String text(ResultSet rows, String column) throws SQLException {
        String text = rows.getString(column);
        return text == null ? "" : KeyText.decode(text);
    }

    static long nanos(long micros) {
        return micros * 1_000;
    }

    static long micros(long nanos) {
        return nanos / 1_000;
    }

    /** Rounded up: a lease must not end before its keeper thinks so. */
    static long micros(Duration duration) {
        return (duration.toNanos() + 999) / 1_000;
    }

    static Duration duration(long micros) {
        return Duration.ofNanos(nanos(micros));
    }
}
