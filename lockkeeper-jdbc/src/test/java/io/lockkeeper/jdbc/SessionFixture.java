package io.lockkeeper.jdbc;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.testkit.BackendFixture;
import io.lockkeeper.testkit.Fault;
import io.lockkeeper.testkit.sql.SqlDatabase;
import io.lockkeeper.testkit.sql.SqlServer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Session locks of a database, for a user that has no rights but to connect. Several fixtures share a server, unless one stands alone. */
final class SessionFixture implements BackendFixture {

    private final SqlDatabase user;
    private final SqlServer server;
    private final @Nullable SqlServer own;
    private final SessionLocksBackend backend;

    private SessionFixture(SqlServer server, SqlDatabase user, @Nullable SqlServer own) {
        this.server = server;
        this.user = user;
        this.own = own;
        this.backend = SessionLocksBackend.at(user.fullUrl());
    }

    static SessionFixture postgres() {
        SqlServer server = Databases.postgres();
        return new SessionFixture(server, server.asApp(server.admin()), null);
    }

    static SessionFixture mariaDb() {
        SqlServer server = Databases.mariaDb();
        return new SessionFixture(server, newDatabase(server), null);
    }

    /** On a server that it may stop, and which it closes. */
    static SessionFixture alone(SqlServer server) {
        return new SessionFixture(server, newDatabase(server), server);
    }

    /** A database to which the user of least privilege may connect, which takes a right on MariaDB and MySQL. */
    static SqlDatabase newDatabase(SqlServer server) {
        SqlDatabase database = server.createDatabase();
        if (!database.url().startsWith("jdbc:postgresql")) {
            database.execute("GRANT SELECT ON `" + database.name() + "`.* TO 'app'@'%'");
        }
        return server.asApp(database);
    }

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public Optional<String> url() {
        return Optional.of(url(user));
    }

    static String url(SqlDatabase database) {
        return database.with("lockkeeper.mode", "session").fullUrl();
    }

    @Override
    public Set<Fault> faults() {
        return own == null
                ? EnumSet.of(Fault.END_SESSION)
                : EnumSet.of(Fault.LOSE_GRANTS, Fault.PAUSE, Fault.KILL, Fault.END_SESSION);
    }

    /** The server ends the session that has it, with all that it has. */
    @Override
    public void loseGrants(Resource resource) {
        if (own == null) {
            BackendFixture.super.loseGrants(resource);
        }
        endHolder(server, user, resource);
    }

    /** The server does not tell keepers apart, but which connection has a lock: so the keeper takes one. */
    @Override
    public void endSession(Lockkeeper keeper) {
        String name = "session/" + UUID.randomUUID();
        ExclusiveHold hold = keeper.lock(name).tryAcquire();
        if (hold == null) {
            throw new AssertionError("A new name is free");
        }
        endHolder(server, user, Resource.lock(name));
    }

    /** Ends the connection that holds a lock. */
    static void endHolder(SqlServer server, SqlDatabase database, Resource resource) {
        SqlDatabase admin = server.database(database.name());
        if (database.url().startsWith("jdbc:postgresql")) {
            LockKey key = LockKey.ofIntegers(resource);
            server.terminateConnections("pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND"
                    + " CAST(classid AS bigint) = " + Integer.toUnsignedLong(key.first())
                    + " AND CAST(objid AS bigint) = " + Integer.toUnsignedLong(key.second()) + ")");
        } else {
            String holder = admin.value("SELECT IS_USED_LOCK('"
                    + LockKey.ofName(database.name(), resource).name() + "')");
            admin.execute("KILL " + holder);
        }
    }

    @Override
    public void pauseServer() {
        alone().pause();
    }

    @Override
    public void resumeServer() {
        alone().resume();
    }

    @Override
    public void killServer() {
        alone().kill();
    }

    @Override
    public void restartServer() {
        alone().restart();
    }

    private SqlServer alone() {
        if (own == null) {
            throw new IllegalStateException("Others use this server too; take a fixture that stands alone");
        }
        return own;
    }

    @Override
    public void close() {
        backend.close();
        if (own != null) {
            own.close();
        }
    }
}
