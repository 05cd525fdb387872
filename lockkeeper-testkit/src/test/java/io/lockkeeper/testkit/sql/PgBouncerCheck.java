package io.lockkeeper.testkit.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Needs a PgBouncer, so it is no part of the default build: the profile {@code pgbouncer} runs it. */
final class PgBouncerCheck {

    @Test
    void lendsOneConnectionToManyClientsForATransactionEach() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                PgBouncer pooler = PgBouncer.before(server, 1)) {
            SqlDatabase database = pooler.through(server.createDatabase());
            try (Connection one = database.connect();
                    Connection two = database.connect()) {
                assertThat(backend(one)).isEqualTo(backend(two));
                one.setAutoCommit(false);
                backend(one);
                CompletableFuture<Long> waits = SqlServerCases.inThread(() -> backend(two));
                assertThatThrownBy(() -> waits.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
                one.commit();
                assertThat(waits.get(60, TimeUnit.SECONDS)).isPositive();
            }
            assertThat(server.asApp(database).value("SELECT current_user")).isEqualTo("app");
        }
    }

    private static long backend(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT pg_backend_pid()")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Test
    void canBePausedKilledAndStartedAgain() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                PgBouncer pooler = PgBouncer.before(server, 2)) {
            SqlDatabase database = pooler.through(server.admin());
            try (Connection open = database.connect()) {
                pooler.pause();
                CompletableFuture<Long> waits = SqlServerCases.inThread(() -> backend(open));
                assertThatThrownBy(() -> waits.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
                pooler.resume();
                assertThat(waits.get(60, TimeUnit.SECONDS)).isPositive();
                pooler.kill();
                assertThatThrownBy(() -> backend(open)).isInstanceOf(SQLException.class);
            }
            pooler.restart();
            assertThat(database.number("SELECT 7")).isEqualTo(7);
        }
    }
}
