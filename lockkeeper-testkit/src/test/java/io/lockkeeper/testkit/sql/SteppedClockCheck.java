package io.lockkeeper.testkit.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Needs a C compiler, so it runs only where the profile {@code c-compiler} finds one. */
final class SteppedClockCheck {

    @Test
    void postgresSeesTheStepOnOpenConnections() throws Exception {
        try (SteppedClock clock = SteppedClock.create();
                PostgresServer server = PostgresServer.options().clock(clock).start()) {
            steps(server, clock, "SELECT extract(epoch FROM clock_timestamp()) * 1000000");
        }
    }

    @Test
    void mariaDbSeesTheStepOnOpenConnections() throws Exception {
        try (SteppedClock clock = SteppedClock.create();
                MariaDbServer server = MariaDbServer.options().clock(clock).start()) {
            steps(server, clock, "SELECT timestampdiff(MICROSECOND, '1970-01-01', utc_timestamp(6))");
        }
    }

    private static void steps(SqlServer server, SteppedClock clock, String now) throws SQLException {
        try (Connection connection = server.admin().connect();
                Statement statement = connection.createStatement()) {
            showsRealTimePlus(Duration.ZERO, statement, now);
            clock.step(Duration.ofHours(2));
            showsRealTimePlus(Duration.ofHours(2), statement, now);
            clock.step(Duration.ofMinutes(-150).plusMillis(-1));
            assertThat(clock.shift()).isEqualTo(Duration.ofMinutes(-30).plusMillis(-1));
            showsRealTimePlus(clock.shift(), statement, now);
            server.restart();
        }
        try (Connection connection = server.admin().connect();
                Statement statement = connection.createStatement()) {
            showsRealTimePlus(clock.shift(), statement, now);
            clock.set(Duration.ZERO);
            showsRealTimePlus(Duration.ZERO, statement, now);
        }
    }

    /** The answer lies between the real times before and after the question: no bound that a busy machine could break. */
    private static void showsRealTimePlus(Duration shift, Statement statement, String now) throws SQLException {
        long before = System.currentTimeMillis();
        try (ResultSet rows = statement.executeQuery(now)) {
            rows.next();
            long shown = rows.getLong(1) / 1000 - shift.toMillis();
            assertThat(shown).isBetween(before - 2, System.currentTimeMillis() + 2);
        }
    }
}
