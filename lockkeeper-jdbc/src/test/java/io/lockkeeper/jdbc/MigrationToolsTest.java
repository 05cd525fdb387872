package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.sql.EmbeddedDatabases;
import io.lockkeeper.testkit.sql.SqlDatabase;
import io.lockkeeper.testkit.sql.SqlServer;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import liquibase.Scope;
import liquibase.command.CommandScope;
import liquibase.command.core.UpdateCommandStep;
import liquibase.command.core.helpers.DbUrlConnectionArgumentsCommandStep;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.resource.CompositeResourceAccessor;
import liquibase.resource.DirectoryResourceAccessor;
import liquibase.ui.LoggerUIService;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables as migration tools make them, in the way that {@code docs/sql.md} has, with the rights that it has. */
@Timeout(120)
class MigrationToolsTest {

    private static SqlDatabase empty(Place place, Path folder) {
        return switch (place) {
            case H2 -> EmbeddedDatabases.h2InMemory();
            case SQLITE -> EmbeddedDatabases.sqlite(folder);
            case POSTGRES -> Databases.postgres().createDatabase();
            case MARIADB -> Databases.mariaDb().createDatabase();
        };
    }

    private static String script(SqlDatabase database) {
        return TestTables.dialect(database, new Tables(null, Tables.DEFAULT_PREFIX))
                .script();
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void flywayRunsTheScript(Place place, @TempDir Path folder) throws Exception {
        SqlDatabase database = empty(place, folder);
        Path copy = folder.resolve(SqlPage.migration());
        Files.createDirectories(copy.getParent());
        Files.writeString(copy, Schema.script(script(database)));
        for (int run = 0; run < 2; run++) {
            int executed = Flyway.configure()
                    .dataSource(database.dataSource())
                    .locations("filesystem:" + copy.getParent())
                    .load()
                    .migrate()
                    .migrationsExecuted;
            assertThat(executed).isEqualTo(run == 0 ? 1 : 0);
        }
        locksWork(place, database);
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void liquibaseRunsTheScript(Place place, @TempDir Path folder) throws Exception {
        SqlDatabase database = empty(place, folder);
        Files.writeString(folder.resolve("changelog.xml"), """
                <?xml version="1.0" encoding="UTF-8"?>
                <databaseChangeLog xmlns="http://www.liquibase.org/xml/ns/dbchangelog"
                    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                    xsi:schemaLocation="http://www.liquibase.org/xml/ns/dbchangelog
                        http://www.liquibase.org/xml/ns/dbchangelog/dbchangelog-latest.xsd">
                %s
                </databaseChangeLog>
                """.formatted(SqlPage.changeSet(script(database))));
        for (int run = 0; run < 2; run++) {
            update(database, folder);
        }
        locksWork(place, database);
    }

    private static void update(SqlDatabase database, Path folder) throws Exception {
        try (Connection connection = database.connect();
                DirectoryResourceAccessor files = new DirectoryResourceAccessor(folder);
                ClassLoaderResourceAccessor classPath = new ClassLoaderResourceAccessor();
                CompositeResourceAccessor resources = new CompositeResourceAccessor(files, classPath)) {
            Database target =
                    DatabaseFactory.getInstance().findCorrectDatabaseImplementation(new JdbcConnection(connection));
            var scope = Map.<String, Object>of(
                    Scope.Attr.resourceAccessor.name(), resources, Scope.Attr.ui.name(), new LoggerUIService());
            Scope.child(
                    scope,
                    () -> new CommandScope(UpdateCommandStep.COMMAND_NAME)
                            .addArgumentValue(DbUrlConnectionArgumentsCommandStep.DATABASE_ARG, target)
                            .addArgumentValue(UpdateCommandStep.CHANGELOG_FILE_ARG, "changelog.xml")
                            .setOutput(new ByteArrayOutputStream())
                            .execute());
        }
    }

    /** As a user that has the documented rights, where there are users; the view is there too. */
    private static void locksWork(Place place, SqlDatabase database) throws Exception {
        Dialect dialect = TestTables.dialect(database, new Tables(null, Tables.DEFAULT_PREFIX));
        SqlDatabase user = database;
        if (place.isServer()) {
            SqlServer server = place == Place.POSTGRES ? Databases.postgres() : Databases.mariaDb();
            user = server.asApp(database);
            SqlPage.grants(dialect).forEach(database::execute);
        }
        try (Lockkeeper keeper =
                Lockkeeper.builder().commandTimeout(Duration.ofSeconds(20)).connect(user.fullUrl())) {
            try (ExclusiveHold hold = keeper.lock("a").acquire()) {
                assertThat(hold.isHeld()).isTrue();
                assertThat(database.number("SELECT COUNT(*) FROM " + dialect.quoted("lockkeeper_resource_lock")))
                        .isEqualTo(1);
            }
            assertThat(keeper.latch("l").trySetCount(1)).isTrue();
        }
    }
}
