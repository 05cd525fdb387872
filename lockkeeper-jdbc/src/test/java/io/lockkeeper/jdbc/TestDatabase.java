package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.sql.SqlDatabase;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.tools.Server;

/** The databases on which each idiom is tested, all of them shared by the tests of this JVM. */
enum TestDatabase {
    H2,
    SQLITE,
    POSTGRESQL,
    MARIADB;

    private static final AtomicInteger COUNT = new AtomicInteger();

    /** The same database in memory, for other processes. */
    private static final class H2Server {
        static final Server SERVER = start();

        private static Server start() {
            try {
                return Server.createTcpServer("-tcpPort", "0").start();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    SqlDatabase database() {
        return switch (this) {
            case H2 -> Databases.h2();
            case SQLITE -> Databases.sqlite();
            case POSTGRESQL -> Databases.postgres().admin();
            case MARIADB -> Databases.mariaDbDatabase();
        };
    }

    /** The same database as other processes reach it. */
    SqlDatabase remote() {
        if (this != H2) {
            return database();
        }
        SqlDatabase local = Databases.h2();
        String url = local.url().replaceFirst("jdbc:h2:mem:([^;]+).*", "$1");
        return new SqlDatabase(
                "jdbc:h2:tcp://localhost:" + H2Server.SERVER.getPort() + "/mem:" + url, local.user(), local.password());
    }

    boolean hasServer() {
        return this == POSTGRESQL || this == MARIADB;
    }

    /** A new table, with these columns. */
    String table(String columns) {
        String table = "idiom_" + ProcessHandle.current().pid() + "_" + COUNT.incrementAndGet();
        database().execute("CREATE TABLE " + table + " (" + columns + ")");
        return table;
    }
}
