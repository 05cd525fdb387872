package io.lockkeeper.faults.site;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.faults.drive.Fault;
import io.lockkeeper.faults.drive.Pauses;
import io.lockkeeper.faults.drive.Scene;
import io.lockkeeper.faults.drive.ScriptedFault;
import io.lockkeeper.faults.drive.Site;
import io.lockkeeper.testkit.sql.MariaDbServer;
import io.lockkeeper.testkit.sql.PostgresServer;
import io.lockkeeper.testkit.sql.SqlDatabase;
import io.lockkeeper.testkit.sql.SqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One database server that keeps what it committed when it is killed. Each client comes through a proxy, as a user that may read
 * and write the tables and nothing else.
 */
final class SqlSite implements Site {

    private final SqlServer server;
    private final SqlDatabase database;
    private final Links links;
    private final List<Fault> further;

    private SqlSite(SqlServer server, int clients, String grantee, List<Fault> further) {
        this.server = server;
        this.database = server.createDatabase();
        this.links = new Links(clients, server.port());
        this.further = further;
        Lockkeeper.connect(database.with("lockkeeper.createTables", "true").fullUrl())
                .close();
        database.execute(
                "GRANT SELECT, INSERT, UPDATE, DELETE ON lockkeeper_lock TO " + grantee,
                "GRANT SELECT, INSERT, UPDATE, DELETE ON lockkeeper_latch TO " + grantee);
    }

    static SqlSite postgresql(int clients) {
        SqlServer server = PostgresServer.start();
        return new SqlSite(
                server,
                clients,
                SqlServer.APP,
                List.of(new ScriptedFault(
                        "notifications cut", false, true, (scene, random) -> cut(server, "query LIKE 'LISTEN%'"))));
    }

    static SqlSite mariaDb(int clients) {
        return new SqlSite(MariaDbServer.start(), clients, "'" + SqlServer.APP + "'@'%'", List.of());
    }

    @Override
    public String url(int client) {
        return url().replace(":" + server.port() + "/", ":" + links.port(client) + "/");
    }

    @Override
    public String url() {
        return server.asApp(database).fullUrl();
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(links.faults());
        faults.add(new ScriptedFault("server stopped", false, false, this::stop));
        faults.add(new ScriptedFault("server killed", false, false, this::restart));
        faults.add(new ScriptedFault("server read-only", false, false, this::readOnly));
        faults.add(new ScriptedFault("rows deleted", true, true, this::delete));
        faults.add(new ScriptedFault("rows locked", false, false, this::lockRows));
        faults.add(new ScriptedFault("connections ended", false, true, (scene, random) -> cut(server, "1 = 1")));
        faults.addAll(further);
        return faults;
    }

    private String stop(Scene scene, SplittableRandom random) {
        server.pause();
        try {
            Pauses.forTime(Pauses.times(scene.lease(), 0.3, 1.6, random));
        } finally {
            server.resume();
        }
        return "server";
    }

    private String restart(Scene scene, SplittableRandom random) {
        server.kill();
        Pauses.forTime(Pauses.times(Duration.ofMillis(500), 0, 1, random));
        server.restart();
        return "server";
    }

    private String readOnly(Scene scene, SplittableRandom random) {
        server.readOnly(true);
        try {
            Pauses.forTime(Pauses.times(scene.lease(), 0.3, 1.6, random));
        } finally {
            server.readOnly(false);
        }
        return "server";
    }

    private String delete(Scene scene, SplittableRandom random) {
        database.execute("DELETE FROM lockkeeper_lock");
        return "server";
    }

    /** Somebody else's transaction has all rows, as a backup or a person at a console does. */
    private String lockRows(Scene scene, SplittableRandom random) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement
                    .executeQuery("SELECT name FROM lockkeeper_lock FOR UPDATE")
                    .close();
            Pauses.forTime(Pauses.times(scene.lease(), 0.3, 1.6, random));
            connection.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException("The rows could not be locked", e);
        }
        return "server";
    }

    /** The connections of clients are ended, several times, so that some are met in the middle of a statement. */
    private static String cut(SqlServer server, String where) {
        for (int i = 0; i < 10; i++) {
            server.terminateConnections(where);
            Pauses.forTime(Duration.ofMillis(100));
        }
        return "server";
    }

    @Override
    public void close() {
        links.close();
        server.close();
    }
}
