package io.lockkeeper.testkit.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.testkit.TestTimeouts;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

final class PostgresServerTest extends SqlServerCases<PostgresServer> {

    @Override
    PostgresServer start() {
        return PostgresServer.start();
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
        return "datname = '" + database.name() + "'";
    }

    @Test
    void waitsForTheDiskOnlyIfWished() {
        assertThat(server.admin().value("SHOW fsync")).isEqualTo("off");
        assertThat(server.admin().value("SHOW synchronous_commit")).isEqualTo("on");
        try (PostgresServer durable = PostgresServer.options()
                .fsync(true)
                .set("max_connections", "20")
                .start()) {
            assertThat(durable.port()).isNotEqualTo(server.port());
            assertThat(durable.admin().value("SHOW fsync")).isEqualTo("on");
            assertThat(durable.admin().value("SHOW max_connections")).isEqualTo("20");
        }
    }

    @Test
    void aProcessOfItsOwnServesEachConnection() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT pg_backend_pid()")) {
            rows.next();
            assertThat(server.pids()).contains(server.pid(), rows.getLong(1));
        }
    }

    @Test
    void countsWhatIsWritten() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("UPDATE t SET n = 0 WHERE n = 77");
            long bytes = server.walBytes();
            long ids = server.transactionIds();
            assertThat(statement.executeUpdate("UPDATE t SET n = 0 WHERE n = 77"))
                    .isZero();
            assertThat(server.walBytes()).isEqualTo(bytes);
            assertThat(server.transactionIds()).isEqualTo(ids);
            assertThat(statement.executeUpdate("UPDATE t SET n = 0 WHERE n = 10"))
                    .isOne();
            assertThat(server.walBytes()).isGreaterThan(bytes);
            assertThat(server.transactionIds()).isEqualTo(ids + 1);
        }
    }

    @Test
    void countsTransactions() {
        long before = server.commits(database);
        database.execute("SELECT 1", "SELECT 2", "SELECT 3");
        TestTimeouts.until("three more are counted", () -> server.commits(database) >= before + 3);
    }

    @Test
    void tellsTheTroubleInItsLog() throws Exception {
        long mark = server.mark();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("UPDATE t SET n = 0 WHERE n = 77");
            assertThat(server.troubleSince(mark)).isEmpty();
            assertThatThrownBy(() -> statement.execute("INSERT INTO t VALUES(1, 1)"))
                    .isInstanceOf(SQLException.class);
            assertThat(server.troubleSince(mark)).singleElement().asString().contains("ERROR:  duplicate key value");
        }
    }

    @Test
    void aSettingThatItDoesNotKnowIsToldInItsOwnWords() {
        assertThatThrownBy(() ->
                        PostgresServer.options().set("no_such_setting", "1").start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no_such_setting");
    }

    @Test
    void aMachineWithoutAServerIsTold() {
        assertThatThrownBy(() -> PostgresBinaries.fromClassPath("SunOS", "sparc"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("There is no PostgreSQL for SunOS on sparc on the class path (looked for"
                        + " postgres-sunos-sparc.txz");
        assertThatThrownBy(() -> PostgresBinaries.home(Path.of("/nowhere")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("No PostgreSQL is at /nowhere");
    }
}
