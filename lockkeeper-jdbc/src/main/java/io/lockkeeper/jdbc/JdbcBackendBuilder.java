package io.lockkeeper.jdbc;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.spi.Durations;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link JdbcBackend}. */
public final class JdbcBackendBuilder {

    record Settings(
            Tables tables,
            boolean createTables,
            int connections,
            boolean notifications,
            boolean durableReleases,
            @Nullable Duration idleRows) {}

    private @Nullable JdbcUrl url;
    private @Nullable DataSource dataSource;
    private @Nullable DataSource listenOn;
    private @Nullable String schema;
    private String tablePrefix = Tables.DEFAULT_PREFIX;
    private boolean createTables;
    private int connections = Requests.DEFAULT_CONNECTIONS;
    private boolean notifications = true;
    private boolean durableReleases;
    private @Nullable Duration idleRows = JdbcPolicy.IDLE_ROWS;

    JdbcBackendBuilder() {}

    /**
     * Sets the URL of the database, as its driver knows it, such as {@code jdbc:postgresql://localhost/app?user=app}. The driver
     * has to be on the class path. Connections are opened as they are needed and kept; no pool is required.
     *
     * <p>Beside the driver's own parameters the URL may have {@code lockkeeper.createTables=true}, {@code lockkeeper.schema} and
     * {@code lockkeeper.tablePrefix}; they override the settings of this builder.
     *
     * @throws IllegalArgumentException if it is no URL of a database
     */
    public JdbcBackendBuilder url(String url) {
        given(url, "url");
        JdbcUrl parsed = JdbcUrl.parse(url);
        if (parsed.isSessionMode()) {
            throw new IllegalArgumentException(
                    "The URL has lockkeeper.mode=session, and this is a store in tables; use SessionLocksBackend.at");
        }
        this.url = parsed;
        return this;
    }

    /**
     * Sets the application's own connections, instead of a {@link #url}. A connection is borrowed for each request, used in
     * autocommit, and given back as it was. The application closes the data source, after the backend.
     *
     * <p>On PostgreSQL each keeper borrows one more connection for as long as it is open, to be notified; see {@link #listenOn}.
     */
    public JdbcBackendBuilder dataSource(DataSource dataSource) {
        given(dataSource, "dataSource");
        this.dataSource = dataSource;
        return this;
    }

    /**
     * Sets where the connection comes from that waits for notifications on PostgreSQL, if not from the {@link #dataSource}: a
     * pooler of transactions passes no notifications on, and a pool may be too small to lend a connection for long.
     */
    public JdbcBackendBuilder listenOn(DataSource dataSource) {
        given(dataSource, "dataSource");
        listenOn = dataSource;
        return this;
    }

    /** Sets whether waiters are notified where the database can. Default: true. Otherwise they poll. */
    public JdbcBackendBuilder notifications(boolean notified) {
        notifications = notified;
        return this;
    }

    /**
     * Sets whether a release is on disk before it is answered. Default: false, which halves the waits for the disk of a lock and its
     * release on PostgreSQL; the other databases wait in any case. A crash of the server can then forget a release of the last
     * second, and the lock is held for nobody until its lease ends, a minute later at most: where the lease is longer, the release
     * is on disk first. Grants, renewals and tokens are always on disk first.
     */
    public JdbcBackendBuilder durableReleases(boolean durable) {
        durableReleases = durable;
        return this;
    }

    /**
     * Sets the schema of the tables. Default: that of the connection.
     *
     * @throws IllegalArgumentException if it is not made of lower-case letters, digits and underscores
     */
    public JdbcBackendBuilder schema(String schema) {
        given(schema, "schema");
        this.schema = new Tables(schema, tablePrefix).schema();
        return this;
    }

    /**
     * Sets the first part of the tables' names. Default: {@code lockkeeper_}. Backends with different prefixes in one database
     * know nothing of each other.
     *
     * @throws IllegalArgumentException if it is not made of lower-case letters, digits and underscores
     */
    public JdbcBackendBuilder tablePrefix(String prefix) {
        given(prefix, "prefix");
        tablePrefix = new Tables(null, prefix).prefix();
        return this;
    }

    /** Sets whether tables that are missing are made when a keeper is opened. Default: false; then they have to be there. */
    public JdbcBackendBuilder createTables(boolean create) {
        createTables = create;
        return this;
    }

    /** Sets how many requests are made at a time, each with a connection of its own. Default: 8. Renewals have one more. */
    public JdbcBackendBuilder connections(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("connections must be at least 1 but was " + most);
        }
        connections = most;
        return this;
    }

    /** Sets for how long a row is unused before it is deleted; at least a day. Default: 7 days. */
    public JdbcBackendBuilder deleteIdleRowsAfter(Duration idle) {
        given(idle, "idle");
        if (idle.compareTo(JdbcPolicy.SHORTEST_IDLE_ROWS) < 0) {
            throw new IllegalArgumentException(
                    "Rows have to be idle for at least a day before they are deleted, not " + Durations.text(idle));
        }
        idleRows = idle;
        return this;
    }

    /** Rows are never deleted. */
    public JdbcBackendBuilder keepIdleRows() {
        idleRows = null;
        return this;
    }

    /** Makes the backend. It connects when a keeper opens it. */
    public JdbcBackend build() {
        JdbcUrl place = url;
        DataSource own = dataSource;
        if (place != null && own != null) {
            throw new IllegalArgumentException("A data source and a URL are given; leave one of them out");
        }
        ConnectionSource listening = listenOn == null ? null : new DataSourceConnections(listenOn);
        if (own != null) {
            return new JdbcBackend(
                    new DataSourceConnections(own), listening, settings(schema, tablePrefix, createTables));
        }
        if (place == null) {
            throw new IllegalArgumentException(
                    "No database is named; give a data source, or a url such as 'jdbc:postgresql://localhost/app'");
        }
        String urlSchema = place.setting("schema");
        String urlPrefix = place.setting("tablePrefix");
        return new JdbcBackend(
                new UrlConnections(place),
                listening,
                settings(
                        urlSchema == null ? schema : urlSchema,
                        urlPrefix == null ? tablePrefix : urlPrefix,
                        place.createTables(createTables)));
    }

    private Settings settings(@Nullable String inSchema, String prefix, boolean create) {
        return new Settings(
                new Tables(inSchema, prefix), create, connections, notifications, durableReleases, idleRows);
    }
}
