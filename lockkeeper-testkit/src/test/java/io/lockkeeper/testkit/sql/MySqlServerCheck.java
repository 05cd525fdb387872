package io.lockkeeper.testkit.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** Its artifact is huge, so it is no part of the default build: the profile {@code mysql} runs it. */
final class MySqlServerCheck extends SqlServerCases<MySqlServer> {

    @Override
    MySqlServer start() {
        return MySqlServer.start();
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
    void isMySqlProper() throws Exception {
        try (Connection connection = database.connect()) {
            assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("MySQL");
            assertThat(connection.getMetaData().getDatabaseProductVersion()).doesNotContain("MariaDB");
            assertThat(connection.getMetaData().getDatabaseMajorVersion()).isGreaterThanOrEqualTo(8);
        }
    }

    @Test
    void countsWhatIsWritten() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            long before = server.redoBytes();
            statement.executeUpdate("UPDATE t SET n = 0 WHERE n = 10");
            assertThat(server.redoBytes()).isGreaterThan(before);
        }
    }

    @Test
    void aMachineWithoutAServerIsTold() {
        assertThatThrownBy(() -> MySqlHome.of(Path.of("/nowhere")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("No MySQL is at '/nowhere'");
    }
}
