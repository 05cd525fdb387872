package io.lockkeeper.jdbc;

import io.lockkeeper.Resource;
import io.lockkeeper.line.OpenRow;
import io.lockkeeper.line.RowForm;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.testkit.BackendFixture;
import io.lockkeeper.testkit.Fault;
import io.lockkeeper.testkit.sql.PgBouncer;
import io.lockkeeper.testkit.sql.PostgresServer;
import io.lockkeeper.testkit.sql.SqlDatabase;
import io.lockkeeper.testkit.sql.SqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A store in a database, in tables of its own, used by the user of least privilege where the database has users. Several
 * fixtures share a server, unless one stands alone to stop it.
 */
final class SqlFixture implements BackendFixture {

    /** How many connections to the server a pooler has. */
    static final int POOLED = 10;

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final SqlDatabase admin;
    private final @Nullable SqlServer own;
    private final Tables tables;
    private final Dialect dialect;
    private final String url;
    private final boolean otherProcesses;
    private final @Nullable PgBouncer pooler;
    private final JdbcBackend backend;

    private SqlFixture(SqlDatabase admin, SqlDatabase user, @Nullable SqlServer own, boolean otherProcesses) {
        this(admin, user, own, otherProcesses, null);
    }

    private SqlFixture(
            SqlDatabase admin,
            SqlDatabase user,
            @Nullable SqlServer own,
            boolean otherProcesses,
            @Nullable PgBouncer pooler) {
        this.admin = admin;
        this.own = own;
        this.otherProcesses = otherProcesses;
        this.pooler = pooler;
        this.tables = new Tables(null, "t" + ProcessHandle.current().pid() + "_" + COUNT.incrementAndGet() + "_");
        this.dialect = TestTables.create(admin, tables, user.equals(admin) ? null : user.user());
        String separator =
                user.fullUrl().startsWith("jdbc:h2:") ? ";" : user.fullUrl().contains("?") ? "&" : "?";
        this.url = user.fullUrl() + separator + "lockkeeper.tablePrefix=" + tables.prefix();
        this.backend = JdbcBackend.at(url);
    }

    static SqlFixture h2() {
        SqlDatabase database = Databases.h2();
        return new SqlFixture(database, database, null, false);
    }

    static SqlFixture sqlite() {
        SqlDatabase database = Databases.sqlite();
        return new SqlFixture(database, database, null, true);
    }

    static SqlFixture postgres() {
        SqlServer server = Databases.postgres();
        return new SqlFixture(server.admin(), server.asApp(server.admin()), null, true);
    }

    static SqlFixture mariaDb() {
        SqlServer server = Databases.mariaDb();
        SqlDatabase database = Databases.mariaDbDatabase();
        return new SqlFixture(database, server.asApp(database), null, true);
    }

    static SqlFixture mySql() {
        SqlServer server = Databases.mySql();
        SqlDatabase database = Databases.mySqlDatabase();
        return new SqlFixture(database, server.asApp(database), null, true);
    }

    /** Behind a pooler of transactions. */
    static SqlFixture pooled() {
        SqlServer server = Databases.postgres();
        return new SqlFixture(server.admin(), Databases.pooler().through(server.asApp(server.admin())), null, true);
    }

    /** Behind a pooler, on a server that it may stop. */
    static SqlFixture pooledAlone() {
        PostgresServer server = PostgresServer.start();
        SqlDatabase database = server.createDatabase();
        PgBouncer pooler = PgBouncer.before(server, POOLED);
        return new SqlFixture(database, pooler.through(server.asApp(database)), server, true, pooler);
    }

    /** On a server that it may stop, and which it closes. */
    static SqlFixture alone(SqlServer server) {
        SqlDatabase database = server.createDatabase();
        return new SqlFixture(database, server.asApp(database), server, true);
    }

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public Optional<String> url() {
        return otherProcesses ? Optional.of(url) : Optional.empty();
    }

    @Override
    public Set<Fault> faults() {
        return own == null ? EnumSet.of(Fault.LOSE_GRANTS) : EnumSet.of(Fault.LOSE_GRANTS, Fault.PAUSE, Fault.KILL);
    }

    /** As a failover does that comes before the grant was replicated: the rest of what is known stays. */
    @Override
    public void loseGrants(Resource resource) {
        try (Connection connection = admin.connect()) {
            while (true) {
                Row row = dialect.read(connection, resource);
                if (row == null) {
                    return;
                }
                OpenRow open = row.form().open(resource);
                open.store().loseGrants(resource);
                RowForm changed = open.changed();
                if (changed == null
                        || dialect.replace(
                                connection, resource, row.version(), changed, List.of(), Durability.AT_ONCE)) {
                    return;
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void pauseServer() {
        server().pause();
    }

    @Override
    public void resumeServer() {
        server().resume();
    }

    @Override
    public void killServer() {
        server().kill();
    }

    @Override
    public void restartServer() {
        server().restart();
    }

    private SqlServer server() {
        if (own == null) {
            throw new IllegalStateException("Others use this server too; take a fixture that stands alone");
        }
        return own;
    }

    @Override
    public void close() {
        backend.close();
        if (pooler != null) {
            pooler.close();
        }
        if (own != null) {
            own.close();
        }
    }
}
