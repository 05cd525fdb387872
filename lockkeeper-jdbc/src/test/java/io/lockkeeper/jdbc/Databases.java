package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.sql.EmbeddedDatabases;
import io.lockkeeper.testkit.sql.MariaDbServer;
import io.lockkeeper.testkit.sql.MySqlServer;
import io.lockkeeper.testkit.sql.PgBouncer;
import io.lockkeeper.testkit.sql.PostgresServer;
import io.lockkeeper.testkit.sql.SqlDatabase;
import io.lockkeeper.testkit.sql.SqlServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Databases that all tests of this JVM share, each started when it is first needed. They end with the JVM. */
final class Databases {

    private static final class Postgres {
        static final PostgresServer SERVER = PostgresServer.start();
    }

    private static final class Pooler {
        static final PgBouncer POOLER = PgBouncer.before(Postgres.SERVER, SqlFixture.POOLED);
    }

    private static final class MariaDb {
        static final SqlServer SERVER = newMariaDb();
        static final SqlDatabase DATABASE = SERVER.createDatabase();
    }

    private static final class MySql {
        static final MySqlServer SERVER = MySqlServer.start();
        static final SqlDatabase DATABASE = SERVER.createDatabase();
    }

    private static final class Embedded {
        static final SqlDatabase H2 = EmbeddedDatabases.h2InMemory();
        static final SqlDatabase SQLITE = EmbeddedDatabases.sqlite(folder(), 3_000);
    }

    private Databases() {}

    private static Path folder() {
        try {
            Path folder = Files.createTempDirectory("lockkeeper-sqlite");
            folder.toFile().deleteOnExit();
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static SqlServer postgres() {
        return Postgres.SERVER;
    }

    /** In front of {@link #postgres}. */
    static PgBouncer pooler() {
        return Pooler.POOLER;
    }

    /** A MariaDB, or the MySQL that takes its place in all tests when the profile {@code mysql} runs them. */
    static SqlServer newMariaDb() {
        return isMySqlForMariaDb() ? MySqlServer.start() : MariaDbServer.start();
    }

    /** Whether MySQL takes the place of MariaDB. */
    static boolean isMySqlForMariaDb() {
        return Boolean.getBoolean("mysql.for.mariadb");
    }

    static SqlServer mariaDb() {
        return MariaDb.SERVER;
    }

    static SqlDatabase mariaDbDatabase() {
        return MariaDb.DATABASE;
    }

    static SqlServer mySql() {
        return MySql.SERVER;
    }

    static SqlDatabase mySqlDatabase() {
        return MySql.DATABASE;
    }

    static SqlDatabase h2() {
        return Embedded.H2;
    }

    static SqlDatabase sqlite() {
        return Embedded.SQLITE;
    }
}
