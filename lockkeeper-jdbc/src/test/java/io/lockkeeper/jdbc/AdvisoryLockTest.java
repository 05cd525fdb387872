package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A lock on a name lasts for the transaction. */
@Timeout(300)
final class AdvisoryLockTest {

    private static final int ROUNDS = 25;

    private static Connection transaction(TestDatabase on) throws SQLException {
        Connection connection = on.database().connect();
        connection.setAutoCommit(false);
        return connection;
    }

    @Test
    void aNameIsLockedUntilTheTransactionEnds() throws Exception {
        try (Connection first = transaction(TestDatabase.POSTGRESQL);
                Connection second = transaction(TestDatabase.POSTGRESQL)) {
            AdvisoryLock.inTransaction(first, "order T-1");
            AdvisoryLock.inTransaction(first, "order T-1");
            assertThat(AdvisoryLock.tryInTransaction(second, "order T-1")).isFalse();
            assertThat(AdvisoryLock.tryInTransaction(second, "order T-2")).isTrue();
            first.commit();
            assertThat(AdvisoryLock.tryInTransaction(second, "order T-1")).isTrue();
            second.rollback();
            assertThat(AdvisoryLock.tryInTransaction(first, "order T-1")).isTrue();
            first.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "SQLITE", "MARIADB"})
    void otherDatabasesSayThatTheyHaveNone(TestDatabase on) throws Exception {
        try (Connection connection = transaction(on)) {
            assertThatThrownBy(() -> AdvisoryLock.inTransaction(connection, "name"))
                    .isInstanceOf(UnfitDatabaseException.class)
                    .hasMessageContaining("ends with the transaction");
        }
    }

    @Test
    void autocommitIsRefused() throws Exception {
        try (Connection connection = TestDatabase.POSTGRESQL.database().connect()) {
            assertThatThrownBy(() -> AdvisoryLock.inTransaction(connection, "name"))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void noUpdateOfAThreadOrProcessIsLost() throws Exception {
        TestDatabase on = TestDatabase.POSTGRESQL;
        String table = on.table("id bigint PRIMARY KEY, stock bigint NOT NULL");
        on.database().execute("INSERT INTO " + table + " VALUES (1, 1000)");
        Crowd.threads(Crowd.THREADS, worker -> IdiomJobs.named("advisory").run(on.database(), table, worker, ROUNDS));
        long done = Crowd.processes(on.remote(), "advisory", table, ROUNDS);
        assertThat(on.database().number("SELECT stock FROM " + table)).isEqualTo(1000 - Crowd.THREADS * ROUNDS - done);
    }
}
