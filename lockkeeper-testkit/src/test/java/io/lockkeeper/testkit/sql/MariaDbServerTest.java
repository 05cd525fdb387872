package io.lockkeeper.testkit.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

final class MariaDbServerTest extends SqlServerCases<MariaDbServer> {

    @Override
    MariaDbServer start() {
        return MariaDbServer.start();
    }

    @Override
    Path folder() {
        return server.folder().path();
    }

    @Override
    void grant(SqlDatabase database, String rights) {
        database.execute("GRANT " + rights + " ON t TO app");
    }

    @Override
    String connectionsOf(SqlDatabase database) {
        return "db = '" + database.name() + "'";
    }

    @Test
    void speaksToBothDrivers() throws Exception {
        SqlDatabase other = server.byMySqlDriver(database);
        try (Connection one = database.connect();
                Connection two = other.connect()) {
            assertThat(one.getMetaData().getDriverName()).contains("MariaDB");
            assertThat(two.getMetaData().getDriverName()).contains("MySQL");
            assertThat(count(two)).isEqualTo(1);
        }
        assertThat(server.asApp(other).url()).startsWith("jdbc:mysql:");
    }

    @Test
    void waitsForTheDiskOnlyIfWished() {
        assertThat(server.admin().value("SELECT @@innodb_flush_log_at_trx_commit"))
                .isEqualTo("2");
        try (MariaDbServer durable =
                MariaDbServer.options().fsync(true).set("max-connections", "20").start()) {
            assertThat(durable.admin().value("SELECT @@innodb_flush_log_at_trx_commit"))
                    .isEqualTo("1");
            assertThat(durable.admin().value("SELECT @@max_connections")).isEqualTo("20");
        }
    }

    @Test
    void countsWhatIsWritten() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            long before = server.redoBytes();
            long questions = server.status("Questions");
            statement.executeUpdate("UPDATE t SET n = 0 WHERE n = 10");
            assertThat(server.redoBytes()).isGreaterThan(before);
            assertThat(server.status("Questions")).isGreaterThan(questions);
        }
    }

    @Test
    void itsLogStartsWithoutTrouble() {
        try (MariaDbServer fresh = MariaDbServer.start()) {
            assertThat(fresh.troubleSince(0)).noneMatch(line -> line.contains("ERROR"));
        }
    }

    @Test
    void aSettingThatItDoesNotKnowIsToldInItsOwnWords() {
        assertThatThrownBy(() ->
                        MariaDbServer.options().set("no-such-setting", "1").start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no-such-setting");
    }

    @Test
    void aMachineWithoutAServerIsTold() {
        assertThatThrownBy(() -> MariaDbHome.fromClassPath("1.0"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("There is no MariaDB 1.0 on the class path");
        assertThatThrownBy(() -> MariaDbHome.of(Path.of("/nowhere")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("No MariaDB is at /nowhere");
    }
}
