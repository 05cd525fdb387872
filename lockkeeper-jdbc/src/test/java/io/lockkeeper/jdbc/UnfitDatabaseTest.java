package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.sql.EmbeddedDatabases;
import io.lockkeeper.testkit.sql.PostgresServer;
import io.lockkeeper.testkit.sql.SqlDatabase;
import io.lockkeeper.testkit.sql.SqlServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases that cannot keep locks as they are, and what is said of them. */
@Timeout(120)
class UnfitDatabaseTest {

    @ParameterizedTest
    @EnumSource(Place.class)
    void aMissingTableIsOneSentenceWithThePlaceOfTheScript(Place place) throws Exception {
        try (SqlScene scene = SqlScene.bare(place);
                JdbcBackend backend = scene.builder().url(scene.admin.fullUrl()).build()) {
            assertThatThrownBy(() -> Lockkeeper.of(backend))
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining("io/lockkeeper/jdbc/" + scene.dialect.script());
            // It is made while the application runs.
            TestTables.create(scene.admin, scene.tables, scene.user.equals(scene.admin) ? null : scene.user.user());
            try (Lockkeeper keeper = Lockkeeper.of(backend)) {
                keeper.lock("a").acquire().close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void aTableWithOtherColumnsIsOneSentenceWithThePlaceOfTheScript(Place place) throws Exception {
        try (SqlScene scene = SqlScene.bare(place);
                JdbcBackend backend = scene.builder().url(scene.admin.fullUrl()).build()) {
            scene.sql("CREATE TABLE {lock} (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP)");
            assertThatThrownBy(() -> Lockkeeper.of(backend))
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining("io/lockkeeper/jdbc/" + scene.dialect.script());
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void aColumnThatTakesTwoNamesForOneIsRefused(Place place) throws Exception {
        try (SqlScene scene = SqlScene.bare(place);
                JdbcBackend backend = scene.builder().url(scene.admin.fullUrl()).build()) {
            String name = switch (place) {
                case H2 -> "name VARCHAR_IGNORECASE(600)";
                case SQLITE -> "name TEXT COLLATE NOCASE";
                case POSTGRES -> "name text COLLATE \"" + caseless(scene) + "\"";
                case MARIADB -> "name VARCHAR(255) CHARACTER SET utf8mb4";
            };
            for (String statement : Schema.statements(scene.dialect)) {
                if (!statement.contains("VIEW")) {
                    scene.admin.execute(statement.replaceFirst(
                            "(?i)\\bname (varbinary\\(600\\)|text( COLLATE (\"C\"|BINARY))?)", name));
                }
            }
            assertThatThrownBy(() -> Lockkeeper.of(backend))
                    .isInstanceOf(UnfitDatabaseException.class)
                    .hasMessageContaining("'name'")
                    .hasMessageContaining("io/lockkeeper/jdbc/" + scene.dialect.script());
        }
    }

    private static String caseless(SqlScene scene) {
        scene.admin.execute("CREATE COLLATION IF NOT EXISTS caseless"
                + " (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
        return "caseless";
    }

    @Test
    void aReadOnlyServerIsUnavailableUntilItAcceptsWrites() throws Exception {
        try (PostgresServer postgres = PostgresServer.start()) {
            readOnly(Place.POSTGRES, postgres);
        }
        try (SqlServer mariaDb = Databases.newMariaDb()) {
            readOnly(Place.MARIADB, mariaDb);
        }
    }

    private static void readOnly(Place place, SqlServer server) throws Exception {
        try (SqlScene scene = SqlScene.on(place, server);
                Lockkeeper keeper = Lockkeeper.of(scene.use(scene.byUrl().build()))) {
            keeper.lock("a").acquire().close();
            server.readOnly(true);
            assertThatThrownBy(() -> keeper.lock("a").tryAcquire())
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("accepts no writes");
            assertThat(keeper.lock("a").isLocked()).as("reading works").isFalse();
            server.readOnly(false);
            keeper.lock("a").acquire().close();
        }
    }

    @Test
    void aReadOnlyFileIsUnavailable(@TempDir Path folder) throws Exception {
        SqlDatabase h2 = EmbeddedDatabases.h2File(folder);
        SqlDatabase sqlite = EmbeddedDatabases.sqlite(folder);
        for (SqlDatabase database : List.of(h2, sqlite)) {
            Place place = database == h2 ? Place.H2 : Place.SQLITE;
            try (SqlScene scene = SqlScene.on(place, database)) {
                SqlDatabase readOnly =
                        place == Place.H2 ? database.with("ACCESS_MODE_DATA", "r") : database.with("open_mode", "1");
                try (JdbcBackend backend =
                                scene.builder().url(readOnly.fullUrl()).build();
                        Lockkeeper keeper = Lockkeeper.of(backend)) {
                    assertThatThrownBy(() -> keeper.lock("a").tryAcquire())
                            .isInstanceOf(StoreUnavailableException.class)
                            .hasMessageContaining("accepts no writes");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"POSTGRES", "MARIADB"})
    void aMissingRightIsNamed(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            String grantee = place == Place.POSTGRES ? "app" : "'app'@'%'";
            scene.sql("REVOKE UPDATE ON {lock} FROM " + grantee);
            try (Lockkeeper keeper = Lockkeeper.of(scene.use(scene.byUrl().build()))) {
                assertThatThrownBy(() -> keeper.lock("a").tryAcquire())
                        .isInstanceOf(LockkeeperException.class)
                        .hasMessageContaining("lacks a right");
                scene.sql("GRANT UPDATE ON {lock} TO " + grantee);
                keeper.lock("a").acquire().close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x; DROP TABLE y",
                "x\"; --",
                "x`",
                "x'",
                "X",
                "1x",
                "x.y",
                "x y",
                "ä",
                "x\0",
                "x-",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            })
    void namesThatCouldBeMoreThanAnIdentifierAreRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcBackend.builder().schema(name))
                .withMessageContaining("letter");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcBackend.builder().tablePrefix(name))
                .withMessageContaining("letter");
        if (!name.contains(";")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JdbcBackend.at("jdbc:h2:mem:x;lockkeeper.tablePrefix=" + name));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JdbcBackend.at("jdbc:h2:mem:x;lockkeeper.schema=" + name));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"POSTGRES", "H2", "MARIADB"})
    void namesThatAreWordsOfSqlAreQuoted(Place place) throws Exception {
        try (SqlScene scene = SqlScene.bare(place)) {
            String schema = "s" + scene.tables.prefix() + "order";
            String quote = place == Place.MARIADB ? "`" : "\"";
            scene.admin.execute("CREATE SCHEMA " + quote + schema + quote);
            try (JdbcBackend backend = JdbcBackend.builder()
                            .url(scene.admin.fullUrl())
                            .schema(schema)
                            .tablePrefix("select")
                            .createTables(true)
                            .build();
                    Lockkeeper keeper = Lockkeeper.of(backend)) {
                keeper.lock("a").acquire().close();
                keeper.latch("l").trySetCount(1);
                assertThat(scene.admin.number(
                                "SELECT COUNT(*) FROM " + quote + schema + quote + "." + quote + "selectlock" + quote))
                        .isPositive();
            }
        }
    }

    @Test
    void passwordsAreNotShown() {
        for (String url : List.of(
                "jdbc:postgresql://h/db?user=u&password=secret",
                "jdbc:mariadb://u:secret@h/db",
                "jdbc:mysql://u:se@secret@h/db",
                "jdbc:mysql://u:se/secret@h/db",
                "jdbc:mysql://h/db?password=x@secret",
                "jdbc:h2:mem:x;USER=u;PASSWORD=secret")) {
            try (JdbcBackend backend = JdbcBackend.at(url)) {
                assertThat(backend.describe()).doesNotContain("secret");
            }
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcBackend.at("jdbc:h2:mem:x;PASSWORD=secret;lockkeeper.nonsense=1"))
                .withMessageContaining("lockkeeper.nonsense")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
    }
}
