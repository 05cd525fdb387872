package io.lockkeeper.jdbc;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Session locks of a database: advisory locks of PostgreSQL, {@code GET_LOCK} of MySQL and MariaDB. All locks of a keeper are held by
 * one connection of its own, and end with it. No table is needed, nothing is written, and a lock and its release are one round trip
 * each. The locks of {@link JdbcBackend}, which are rows with a lease, are the better choice for most; these are for many short
 * locks, and where a process that dies has to free its locks at once.
 *
 * <p><b>What it promises.</b> No two connections have a lock at once. The locks of a process that ends are free as soon as the server has
 * noticed that its connection was closed: on the same machine or in the same network at once, also after {@code kill -9}. A process that
 * is paused, or a machine that was switched off or cut off, loses its locks after the keeper's lease: the server ends a connection
 * that is idle for that long ({@code idle_session_timeout}, {@code wait_timeout}, set for this connection alone). When the connection
 * breaks, all holds are {@linkplain io.lockkeeper.HoldState#LOST lost} as soon as it is known; while something is held the connection
 * is tried four times a second. A connection that does not answer makes holds uncertain, and lost before the keeper's lease has
 * passed. Only the holder's claim can release. A new connection takes over nothing.
 *
 * <p><b>What it does not promise.</b>
 *
 * <ul>
 *   <li>A restart or failover of the server, or an operator who ends the connection, frees all its locks. For a quarter of a second, or up
 *       to the keeper's lease if the network is cut as well, a holder may not know, while another one has the lock. And a process may be
 *       paused between looking at its hold and writing. Where that matters, guard what is written with the token ({@link
 *       JdbcFencing}).
 *   <li>Tokens are the microseconds of the server's clock at which the lock was had. They go on upwards after a restart and a failover,
 *       but a clock that is set back sets them back, since nothing is stored that would remember them.
 *   <li>Locks are those of one server, and on PostgreSQL of one database of it: replicas and the nodes of a Galera cluster know nothing
 *       of them. A replica of PostgreSQL is refused.
 *   <li>Names are hashed: to 64 bits on PostgreSQL, to 240 bits on the others. Two names with the same hash exclude each other and never
 *       share a lock. Among n names in use at once the odds of that are n²/2⁶⁵ on PostgreSQL: 1 in 37 million for a million names.
 *   <li>The server knows no names and tokens, so that {@link io.lockkeeper.Lockkeeper#list} and {@link
 *       io.lockkeeper.LeaderElection#current} are refused. {@link io.lockkeeper.Lockkeeper#inspect} says that another keeper holds a lock,
 *       and only its process and host, where the server tells.
 *   <li>Nobody queues at the server. Waiters poll: of each lock the one whose turn it is 50 times a second, the others at most a few times
 *       a second for the turn. Nobody is passed over in its turn, but no order is kept between processes.
 *   <li>PostgreSQL has memory for {@code max_locks_per_transaction} × {@code max_connections} locks, 6,400 by default; beyond that an
 *       attempt fails, and the others stay.
 * </ul>
 *
 * <p><b>Poolers.</b> A pooler that lends a connection for one transaction breaks session locks. It is found out when a keeper is
 * opened, and refused with an {@link UnfitDatabaseException}: on PostgreSQL the connection has to hear a notification while
 * it executes nothing, which only a session of its own does. For that moment a second connection is opened. On MySQL and MariaDB
 * each statement makes sure that it is executed in the session that has the locks.
 */
public final class SessionLocksBackend implements Backend {

    private final ConnectionSource source;
    private volatile boolean shares;

    private SessionLocksBackend(ConnectionSource source) {
        this.source = source;
    }

    /**
     * Session locks in the database that the URL names. {@code Lockkeeper.connect} does the same for a URL with {@code
     * lockkeeper.mode=session}.
     *
     * @param url such as {@code jdbc:postgresql://localhost/app?user=app}
     * @throws IllegalArgumentException if the URL is malformed, or has settings of tables
     */
    public static SessionLocksBackend at(String url) {
        given(url, "url");
        JdbcUrl parsed = JdbcUrl.parse(url);
        if (parsed.setting("mode") != null && !parsed.isSessionMode()) {
            throw new IllegalArgumentException("The URL has lockkeeper.mode=" + parsed.setting("mode")
                    + ", and this is a store of session locks; leave it out");
        }
        return at(parsed);
    }

    static SessionLocksBackend at(JdbcUrl url) {
        for (String setting : new String[] {"createTables", "schema", "tablePrefix"}) {
            if (url.setting(setting) != null) {
                throw new IllegalArgumentException("The URL has the setting 'lockkeeper." + setting
                        + "', but session locks have no tables; leave it out");
            }
        }
        return new SessionLocksBackend(new UrlConnections(url));
    }

    /**
     * Session locks on a connection of the application's own data source. Each keeper borrows one for as long as it is open, and a second
     * one for a moment. The application closes the data source, after the backend.
     */
    public static SessionLocksBackend of(DataSource dataSource) {
        given(dataSource, "dataSource");
        return new SessionLocksBackend(new DataSourceConnections(dataSource));
    }

    @Override
    public String kind() {
        return "jdbc";
    }

    @Override
    public String describe() {
        return source.describe();
    }

    @Override
    public Set<Capability> capabilities() {
        EnumSet<Capability> all = EnumSet.of(Capability.EXPIRES, Capability.HAND_OFF);
        if (shares) {
            all.add(Capability.SHARED);
        }
        return all;
    }

    @Override
    public Store open(Keeper keeper) {
        SessionLink link = new SessionLink(source, keeper);
        link.start();
        boolean opened = false;
        try {
            Duration timeout = keeper.commandTimeout().compareTo(JdbcPolicy.OPENING) > 0
                    ? keeper.commandTimeout()
                    : JdbcPolicy.OPENING;
            boolean sharing = link.call(timeout, LockSession::hasShared);
            shares |= sharing;
            opened = true;
            return new SessionStore(this, keeper, link, sharing);
        } finally {
            if (!opened) {
                link.close();
            }
        }
    }

    /** Keepers have connections of their own, which they close. */
    @Override
    public void close() {
        source.close();
    }
}
