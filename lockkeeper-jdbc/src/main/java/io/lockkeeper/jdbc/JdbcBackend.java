package io.lockkeeper.jdbc;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.line.LeasedStore;
import io.lockkeeper.line.RowForm;
import io.lockkeeper.line.SoleGrant;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Store;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Locks in a SQL database: PostgreSQL, MySQL, MariaDB, H2 or SQLite.
 *
 * <p><b>What it promises.</b> Leases end by the database's clock. Fencing tokens of a resource grow strictly, also if its row is
 * deleted, since they are at least the microseconds of that clock. Only the holder's claim can release or renew. A crash frees a
 * lock within its lease and a place in a queue within 3 s. Statements use connections of their own, in autocommit: a transaction of
 * the calling thread is neither joined nor waited for. On PostgreSQL a release notifies the next waiter; on the others waiters
 * poll, at most a few times a second.
 *
 * <p><b>What it does not promise.</b> A failover to a replica that had not received the last commits can forget a grant, and two
 * holders believe for a while that they hold, with different tokens. A database whose clock is set back <em>and</em> that lost
 * a row may repeat tokens.
 */
public final class JdbcBackend implements Backend {

    private static final Resource IDENTITY = new Resource(new Family("store"), "id");
    private static final long NEVER = Long.MAX_VALUE / 2;

    /** What is known only after the database was met. */
    private record Met(Dialect dialect, Requests requests, Purge purge) {}

    private final ConnectionSource source;
    private final @Nullable ConnectionSource listening;
    private final JdbcBackendBuilder.Settings settings;
    private final Map<String, Keeper> keepers = new ConcurrentHashMap<>();
    private final ReentrantLock meeting = new ReentrantLock();
    private volatile @Nullable Met met;
    private volatile boolean notifies;
    private volatile @Nullable String storeId;

    JdbcBackend(ConnectionSource source, @Nullable ConnectionSource listening, JdbcBackendBuilder.Settings settings) {
        this.source = source;
        this.listening = listening;
        this.settings = settings;
    }

    /**
     * A backend on the database that the URL names, with connections of its own.
     *
     * @param url such as {@code jdbc:postgresql://localhost/app?user=app}; see {@link JdbcBackendBuilder#url}
     * @throws IllegalArgumentException if the URL is malformed
     */
    public static JdbcBackend at(String url) {
        given(url, "url");
        return builder().url(url).build();
    }

    /** A backend on the application's own connections; the application closes the data source, after the backend. */
    public static JdbcBackend of(DataSource dataSource) {
        given(dataSource, "dataSource");
        return builder().dataSource(dataSource).build();
    }

    public static JdbcBackendBuilder builder() {
        return new JdbcBackendBuilder();
    }

    @Override
    public String describe() {
        return source.describe();
    }

    @Override
    public Set<Capability> capabilities() {
        EnumSet<Capability> all = EnumSet.allOf(Capability.class);
        all.remove(Capability.VOTES);
        if (!notifies) {
            all.remove(Capability.SIGNALS);
            all.remove(Capability.STICKY);
        }
        return all;
    }

    @Override
    public Store open(Keeper keeper) {
        Duration timeout = keeper.commandTimeout().compareTo(JdbcPolicy.OPENING) > 0
                ? keeper.commandTimeout()
                : JdbcPolicy.OPENING;
        Met known = meet(Deadline.in(timeout));
        Listener listener = null;
        keepers.put(keeper.id(), keeper);
        boolean opened = false;
        try {
            if (known.dialect.hasNotifications() && settings.notifications()) {
                listener = new Listener(listening == null ? source : listening, known.requests, known.dialect, keeper);
                notifies |= listener.start(timeout);
            }
            opened = true;
            return new JdbcStore(this, keeper, known.dialect, known.requests, listener);
        } finally {
            if (!opened) {
                keepers.remove(keeper.id());
                if (listener != null) {
                    listener.close();
                }
            }
        }
    }

    private Met meet(Deadline until) {
        Met known = met;
        if (known != null) {
            known.requests.run(until, connection -> {
                Schema.check(connection, known.dialect);
                return true;
            });
            return known;
        }
        meeting.lock();
        try {
            Met now = met;
            if (now == null) {
                Dialect dialect = new Requests(source, null, 1).run(until, this::dialect);
                Requests requests = new Requests(source, dialect, settings.connections());
                requests.run(until, connection -> {
                    dialect.check(connection);
                    if (settings.createTables()) {
                        Schema.create(connection, dialect);
                    }
                    Schema.check(connection, dialect);
                    return true;
                });
                now = new Met(dialect, requests, new Purge(requests, dialect, settings.idleRows()));
                met = now;
            }
            return now;
        } finally {
            meeting.unlock();
        }
    }

    private Dialect dialect(Connection connection) throws SQLException {
        return Dialects.of(connection, settings.tables());
    }

    /** Notifies the keepers of this process, after the write that made it necessary. */
    void deliver(List<LeasedStore.Signal> signals) {
        for (LeasedStore.Signal signal : signals) {
            Keeper keeper = keepers.get(signal.keeperId());
            if (keeper != null) {
                signal.tell(keeper);
            }
        }
    }

    /** When a release has to be on disk. */
    Durability durability(Release release) {
        return settings.durableReleases() ? Durability.AT_ONCE : Durability.of(release);
    }

    void purgeIf(boolean newName) {
        Met known = met;
        if (newName && known != null) {
            known.purge.mayBegin();
        }
    }

    /** The store's id is the claim of a row of its own, which never ends. */
    String storeId(Deadline until) {
        Met before = met;
        Met known = before == null ? meet(until) : before;
        String id = known.requests.run(until, connection -> {
            while (true) {
                Row row = known.dialect.read(connection, IDENTITY);
                if (row == null) {
                    known.dialect.insert(connection, IDENTITY);
                    continue;
                }
                SoleGrant written = row.form().grant();
                if (written != null) {
                    return written.claimId();
                }
                String own = storeId;
                RowForm form =
                        identity(own == null ? UUID.randomUUID().toString().replace("-", "") : own, row);
                known.dialect.replace(connection, IDENTITY, row.version(), form, List.of(), Durability.AT_ONCE);
            }
        });
        storeId = id;
        return id;
    }

    private static RowForm identity(String id, Row row) {
        HolderInfo nobody = new HolderInfo("", "", 0, "");
        long token = row.form().lastToken();
        return new RowForm(token, new SoleGrant(id, "", nobody, token, 1, row.now(), NEVER), false, null);
    }

    static boolean isIdentity(Resource resource) {
        return resource.equals(IDENTITY);
    }

    void closed(Keeper keeper) {
        keepers.remove(keeper.id());
    }

    @Override
    public void close() {
        Met known = met;
        if (known != null) {
            known.requests.close();
        } else {
            source.close();
        }
    }
}
