package io.lockkeeper.jdbc;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Keeper;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Session locks of PostgreSQL: its advisory locks, by two integers.
 *
 * <p><b>Invariant.</b> The server session belongs to this connection alone, for as long as it is open. That is proven before the
 * first lock: the connection listens on a channel of its own, another connection notifies it, and the notification arrives while
 * this one executes nothing. A server sends a notification to the session that listens. A pooler of transactions has lent that
 * session to nobody then, so that it has nowhere to send it on to; a direct connection, and a pooler of sessions, pass it on. Without
 * that proof locks would stay on a connection of the server that the pooler lends to somebody else: there they are re-entrant, so
 * that two keepers would have the same lock, and nobody could give them back.
 *
 * <p>What would break the proof: the same connection notifying itself. The notification comes with the answer to that statement, while
 * the session is still lent. Or the number of the server process ({@code pg_backend_pid}) before and after: a pooler that has
 * nothing else to do lends the same one each time.
 */
final class PostgresSessionSql extends SessionSql {

    private static final String CLOCK = "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)";
    private static final String HERE = "SELECT CASE WHEN pg_backend_pid() <> ? THEN " + ELSEWHERE;
    /** With the lock at hand the turn is of no use any more. */
    private static final String GIVING_BACK = "CASE WHEN pg_advisory_unlock(?, ?) THEN " + CLOCK + " END";

    private static final int LONGEST_NAME = 60;

    /** The name of the connection, by which others see the holder: pid and host. */
    private static final Pattern NAME = Pattern.compile("lockkeeper ([0-9]{1,18})@(.*)");

    private final int backend;

    private PostgresSessionSql(Connection connection, int backend) {
        super(connection);
        this.backend = backend;
    }

    static PostgresSessionSql on(Connection connection, ConnectionSource source, Keeper keeper) throws SQLException {
        if (text(connection, "SELECT pg_is_in_recovery()").equals("t")) {
            throw new UnfitDatabaseException(
                    "The server is a replica, whose locks nobody else sees; connect to the primary");
        }
        prove(connection, source);
        execute(connection, "SET idle_session_timeout = " + keeper.lease().toMillis());
        HolderInfo holder = keeper.holder();
        String name = "lockkeeper " + holder.pid() + "@" + holder.host().replaceAll("[^A-Za-z0-9._-]", "_");
        execute(
                connection,
                "SET application_name = '" + name.substring(0, Math.min(name.length(), LONGEST_NAME)) + "'");
        return new PostgresSessionSql(connection, Integer.parseInt(text(connection, "SELECT pg_backend_pid()")));
    }

    private static void prove(Connection connection, ConnectionSource source) throws SQLException {
        String channel = "lk_" + UUID.randomUUID().toString().replace("-", "");
        String probe = Notification.probe();
        execute(connection, "LISTEN \"" + channel + "\"");
        PgDriver driver = PgDriver.of(connection);
        Connection other = source.open();
        try (PreparedStatement notifying = other.prepareStatement("SELECT pg_notify(?, ?)")) {
            other.setAutoCommit(true);
            notifying.setString(1, channel);
            notifying.setString(2, probe);
            notifying.execute();
        } finally {
            other.close();
        }
        Deadline until = Deadline.in(JdbcPolicy.SESSION_PROBE);
        boolean heard = false;
        while (!heard && !until.hasPassed()) {
            heard = driver.notifications(Duration.ofMillis(until.millis())).contains(probe);
        }
        if (!heard) {
            throw new UnfitDatabaseException(
                    "A notification to the connection of the session locks did not arrive through "
                            + source.describe()
                            + ", as behind a pooler that lends connections for one transaction, on which locks"
                            + " would stay for nobody; connect to PostgreSQL itself or to a pooler in session mode, or use a"
                            + " JdbcBackend, which works behind any pooler");
        }
        execute(connection, "UNLISTEN \"" + channel + "\"");
    }

    @Override
    LockKey key(Resource resource) {
        return LockKey.ofIntegers(resource);
    }

    @Override
    boolean hasShared() {
        return true;
    }

    /** What is to be evaluated after something else is an arm of its CASE: no other order is promised. */
    @Override
    long tryLock(LockKey key, boolean shared, boolean staying) throws SQLException {
        String text = HERE + " WHEN pg_try_advisory_lock(?, ?) THEN CASE WHEN " + take(shared) + " THEN " + GIVING_BACK;
        return staying
                ? number(text + " ELSE " + IN_TURN + " END ELSE 0 END", values(key.turn(), key, key.turn()))
                : number(
                        text + " WHEN pg_advisory_unlock(?, ?) THEN 0 ELSE 0 END ELSE 0 END",
                        values(key.turn(), key, key.turn(), key.turn()));
    }

    @Override
    long tryLockInTurn(LockKey key, boolean shared) throws SQLException {
        return number(HERE + " WHEN " + take(shared) + " THEN " + GIVING_BACK + " ELSE 0 END", values(key, key.turn()));
    }

    @Override
    long tryTurn(LockKey key) throws SQLException {
        return number(HERE + " WHEN pg_try_advisory_lock(?, ?) THEN " + IN_TURN + " ELSE 0 END", values(key.turn()));
    }

    private static String take(boolean shared) {
        return shared ? "pg_try_advisory_lock_shared(?, ?)" : "pg_try_advisory_lock(?, ?)";
    }

    private Object[] values(LockKey... keys) {
        Object[] values = new Object[1 + 2 * keys.length];
        values[0] = backend;
        for (int i = 0; i < keys.length; i++) {
            values[1 + 2 * i] = keys[i].first();
            values[2 + 2 * i] = keys[i].second();
        }
        return values;
    }

    @Override
    long unlock(LockKey key, boolean shared) throws SQLException {
        String unlocking = shared ? "pg_advisory_unlock_shared(?, ?)" : "pg_advisory_unlock(?, ?)";
        return number(HERE + " WHEN " + unlocking + " THEN 1 ELSE 0 END", values(key));
    }

    /** Locks of one session are not in each other's way, so that the second is had before the first is given back. */
    @Override
    long narrow(LockKey key) throws SQLException {
        return number(
                HERE
                        + " WHEN pg_try_advisory_lock_shared(?, ?) THEN CASE WHEN pg_advisory_unlock(?, ?) THEN 1 ELSE 0 END"
                        + " ELSE 0 END",
                values(key, key));
    }

    @Override
    long ping() throws SQLException {
        return number(HERE + " ELSE 1 END", values());
    }

    @Override
    List<Seen> holders(LockKey key) throws SQLException {
        List<Seen> holders = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("SELECT l.pid, l.mode, a.application_name"
                + " FROM pg_locks l JOIN pg_database d ON d.oid = l.database LEFT JOIN pg_stat_activity a ON a.pid = l.pid"
                + " WHERE l.locktype = 'advisory' AND d.datname = current_database() AND l.granted AND l.objsubid = 2"
                + " AND CAST(l.classid AS bigint) = ? AND CAST(l.objid AS bigint) = ?")) {
            statement.setLong(1, Integer.toUnsignedLong(key.first()));
            statement.setLong(2, Integer.toUnsignedLong(key.second()));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    int pid = rows.getInt(1);
                    holders.add(new Seen(
                            pid == backend,
                            String.valueOf(rows.getString(2)).equals("ShareLock"),
                            holder(pid, String.valueOf(rows.getString(3)))));
                }
            }
        }
        return holders;
    }

    private static HolderInfo holder(int pid, String name) {
        Matcher known = NAME.matcher(name);
        return known.matches()
                ? new HolderInfo("", known.group(2), Long.parseLong(known.group(1)), "")
                : new HolderInfo("", "process " + pid + " of the server", 0, "");
    }

    @Override
    void unlockAll() throws SQLException {
        execute(connection, "SELECT pg_advisory_unlock_all()");
    }

    /** Locks are those of one database of a server, and of the server that takes its place after a failover. */
    @Override
    String storeId() throws SQLException {
        return text(
                connection,
                "SELECT 'pg-' || s.system_identifier || '-' || d.oid FROM pg_control_system() s, pg_database d"
                        + " WHERE d.datname = current_database()");
    }

    /** 53: the server has no memory left for one more lock. What it has stays. */
    @Override
    boolean isAnswer(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith("53");
    }
}
