package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.sql.SqlDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A lock on a row lasts for the transaction, and says which row when it cannot be had. */
@Timeout(300)
final class RowLockTest {

    private static final int ROUNDS = 25;
    private static final RowMapper<Long> STOCK = row -> row.getLong("stock");

    private static String table(TestDatabase on) {
        String table = on.table("id bigint PRIMARY KEY, stock bigint NOT NULL, version bigint DEFAULT 0 NOT NULL");
        for (int id = 1; id <= 5; id++) {
            on.database().execute("INSERT INTO " + table + " (id, stock) VALUES (" + id + ", 1000)");
        }
        return table;
    }

    private static Connection transaction(SqlDatabase database) throws SQLException {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        return connection;
    }

    @ParameterizedTest
    @EnumSource
    void aRowIsLockedUntilTheTransactionEnds(TestDatabase on) throws Exception {
        String table = table(on);
        RowLock lock = RowLock.of(table).key("id");
        try (Connection first = transaction(on.database());
                Connection second = transaction(on.database())) {
            assertThat(lock.lock(first, 1, STOCK)).contains(1000L);
            assertThatThrownBy(() -> lock.nowait().lock(second, 1, STOCK))
                    .isInstanceOf(RowLockTimeoutException.class)
                    .hasMessageContaining("the row of " + table + " with id 1");
            second.rollback();
            first.commit();
            assertThat(lock.nowait().lock(second, 1, STOCK)).contains(1000L);
            second.rollback();
            assertThat(lock.nowait().lock(first, 1, STOCK)).contains(1000L);
            first.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRowThatIsNotThereIsNotLocked(TestDatabase on) throws Exception {
        try (Connection connection = transaction(on.database())) {
            assertThat(RowLock.of(table(on)).key("id").lock(connection, 77, STOCK))
                    .isEmpty();
            connection.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTimeoutEndsTheWaitAndIsRestored(TestDatabase on) throws Exception {
        String table = table(on);
        RowLock lock = RowLock.of(table).key("id").within(Duration.ofMillis(300));
        try (Connection first = transaction(on.database());
                Connection second = transaction(on.database())) {
            String before = timeout(on, second);
            assertThat(lock.lock(second, 2, STOCK)).contains(1000L);
            assertThat(timeout(on, second)).isEqualTo(before);
            second.commit();
            assertThat(lock.lock(first, 1, STOCK)).contains(1000L);
            assertThatThrownBy(() -> lock.lock(second, 1, STOCK))
                    .isInstanceOf(RowLockTimeoutException.class)
                    .hasMessageContaining(table + " with id 1")
                    .hasMessageContaining("300 ms");
            second.rollback();
            assertThat(timeout(on, second)).isEqualTo(before);
            second.rollback();
            first.rollback();
        }
    }

    private static String timeout(TestDatabase on, Connection connection) throws SQLException {
        String query = switch (on) {
            case POSTGRESQL -> "SHOW lock_timeout";
            case MARIADB -> "SELECT @@SESSION.innodb_lock_wait_timeout";
            case H2 -> "CALL LOCK_TIMEOUT()";
            case SQLITE -> "PRAGMA busy_timeout";
        };
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    /** The statements of MySQL, which MariaDB understands too. */
    @Test
    void theTimeoutOfASessionIsRestored() throws Exception {
        TestDatabase on = TestDatabase.MARIADB;
        String table = table(on);
        RowLockMode mode = RowLockMode.DEFAULT.within(Duration.ofMillis(300));
        String select = "SELECT * FROM " + table + " WHERE id = ?";
        try (Connection first = transaction(on.database());
                Connection second = transaction(on.database())) {
            String before = timeout(on, second);
            assertThat(mode.<Long>select(first, Product.MYSQL, select, List.of(1), STOCK, "it"))
                    .containsExactly(1000L);
            assertThat(timeout(on, first)).isEqualTo(before);
            assertThatThrownBy(() -> mode.<Long>select(second, Product.MYSQL, select, List.of(1), STOCK, "it"))
                    .isInstanceOf(RowLockTimeoutException.class);
            assertThat(timeout(on, second)).isEqualTo(before);
            second.rollback();
            first.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void lockedRowsAreSkipped(TestDatabase on) throws Exception {
        String table = table(on);
        RowLock lock = RowLock.of(table).key("id").skipLocked();
        LockedSelect next = RowLock.select("SELECT id FROM " + table + " WHERE stock > ? ORDER BY id")
                .skipLocked();
        try (Connection first = transaction(on.database());
                Connection second = transaction(on.database())) {
            assertThat(lock.lock(first, 2, STOCK)).isPresent();
            assertThat(lock.lock(second, 2, STOCK)).isEmpty();
            assertThat(lock.lockAll(second, List.of(3, 2, 1), row -> row.getLong("id")))
                    .containsExactly(1L, 3L);
            second.rollback();
            assertThat(next.lock(second, row -> row.getLong(1), 10)).containsExactly(1L, 3L, 4L, 5L);
            second.rollback();
            first.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void sharedLocksAreHeldTogetherAndKeepWritersOut(TestDatabase on) throws Exception {
        RowLock lock = RowLock.of(table(on)).key("id");
        try (Connection first = transaction(on.database());
                Connection second = transaction(on.database())) {
            assertThat(lock.forShare().lock(first, 1, STOCK)).isPresent();
            assertThat(lock.forShare().nowait().lock(second, 1, STOCK)).isPresent();
            assertThatThrownBy(() -> lock.nowait().lock(second, 1, STOCK)).isInstanceOf(RowLockTimeoutException.class);
            second.rollback();
            assertThat(lock.forShare().within(Duration.ofSeconds(1)).lock(second, 1, STOCK))
                    .isPresent();
            assertThat(lock.forShare().skipLocked().lock(second, 1, STOCK)).isPresent();
            second.rollback();
            first.rollback();
        }
    }

    @Test
    void whatADatabaseLacksIsSaidInOneSentence() throws Exception {
        String table = table(TestDatabase.SQLITE);
        RowLock lock = RowLock.of(table).key("id");
        try (Connection connection = transaction(TestDatabase.SQLITE.database())) {
            assertThatThrownBy(() -> lock.forShare().lock(connection, 1, STOCK))
                    .isInstanceOf(UnfitDatabaseException.class)
                    .hasMessageContaining("SQLite");
            assertThatThrownBy(() -> lock.skipLocked().lock(connection, 1, STOCK))
                    .isInstanceOf(UnfitDatabaseException.class);
            assertThatThrownBy(() -> RowLock.select("SELECT * FROM " + table).lock(connection, STOCK))
                    .isInstanceOf(UnfitDatabaseException.class);
        }
        RowLock inH2 = RowLock.of(table(TestDatabase.H2)).key("id").forShare();
        try (Connection connection = transaction(TestDatabase.H2.database())) {
            assertThatThrownBy(() -> inH2.lock(connection, 1, STOCK))
                    .isInstanceOf(UnfitDatabaseException.class)
                    .hasMessageContaining("H2");
        }
    }

    @ParameterizedTest
    @EnumSource
    void autocommitIsRefused(TestDatabase on) throws Exception {
        try (Connection connection = on.database().connect()) {
            assertThatThrownBy(() -> RowLock.of("any_table").key("id").lock(connection, 1, STOCK))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)");
            assertThatThrownBy(() -> RowLock.select("SELECT 1").lock(connection, STOCK))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(() -> RowLock.of("a").key("id").within(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Rows locked one by one in opposite orders; the loser is told which row it waited for. */
    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void aDeadlockSaysWhichRow(TestDatabase on) throws Exception {
        String table = table(on);
        RowLock lock = RowLock.of(table).key("id");
        try (Connection first = transaction(on.database());
                Connection second = transaction(on.database())) {
            lock.lock(first, 1, STOCK);
            lock.lock(second, 2, STOCK);
            // Threads of their own: on two cores the common pool has one.
            Executor threads = task -> new Thread(task).start();
            CompletableFuture<Optional<Throwable>> one =
                    CompletableFuture.supplyAsync(() -> tried(lock, first, 2), threads);
            CompletableFuture<Optional<Throwable>> other =
                    CompletableFuture.supplyAsync(() -> tried(lock, second, 1), threads);
            List<Throwable> lost = List.of(one.get(100, TimeUnit.SECONDS), other.get(100, TimeUnit.SECONDS)).stream()
                    .flatMap(Optional::stream)
                    .toList();
            assertThat(lost).hasSize(1);
            assertThat(lost.get(0))
                    .isInstanceOf(RowDeadlockException.class)
                    .hasMessageContaining("the row of " + table + " with id");
        }
    }

    private static Optional<Throwable> tried(RowLock lock, Connection connection, int id) {
        try {
            lock.lock(connection, id, STOCK);
            return Optional.empty();
        } catch (SQLException | RuntimeException e) {
            return Optional.of(e);
        } finally {
            try {
                connection.rollback();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void noUpdateOfAThreadOrProcessIsLost(TestDatabase on) throws Exception {
        String table = table(on);
        Crowd.threads(Crowd.THREADS, worker -> IdiomJobs.named("rowLock").run(on.database(), table, worker, ROUNDS));
        assertThat(on.database().number("SELECT stock FROM " + table + " WHERE id = 1"))
                .isEqualTo(1000 - Crowd.THREADS * ROUNDS);
        long done = Crowd.processes(on.remote(), "rowLock", table, ROUNDS);
        assertThat(on.database().number("SELECT stock FROM " + table + " WHERE id = 1"))
                .isEqualTo(1000 - Crowd.THREADS * ROUNDS - done);
    }

    /** A deadlock would be an exception, and so a failure of the crowd. */
    @ParameterizedTest
    @EnumSource
    void severalRowsInAnyOrderDoNotDeadlock(TestDatabase on) throws Exception {
        String table = table(on);
        Crowd.threads(Crowd.THREADS, worker -> IdiomJobs.named("transfer").run(on.database(), table, worker, ROUNDS));
        assertThat(Crowd.processes(on.remote(), "transfer", table, ROUNDS)).isEqualTo(16 * ROUNDS);
        assertThat(on.database().number("SELECT SUM(stock) FROM " + table)).isEqualTo(5000);
    }

    /** Otherwise two statements could lock the same rows in different orders. */
    @Test
    void postgresLocksRowsAfterItHasSortedThem() {
        String table = table(TestDatabase.POSTGRESQL);
        SqlDatabase database = TestDatabase.POSTGRESQL.database();
        Object plan = database.column("EXPLAIN SELECT * FROM " + table + " WHERE id IN (5, 3) ORDER BY id FOR UPDATE");
        assertThat(plan.toString()).startsWith("[LockRows").contains("Sort Key: id");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aRowIsOneRoundTrip(TestDatabase on) throws Exception {
        RowLock lock = RowLock.of(table(on)).key("id");
        int port = (on == TestDatabase.POSTGRESQL ? Databases.postgres() : Databases.mariaDb()).port();
        try (TurnCounter counter = TurnCounter.to(port);
                Connection connection = transaction(counter.through(on.database()))) {
            lock.lock(connection, 1, STOCK);
            connection.commit();
            counter.turns();
            lock.lock(connection, 1, STOCK);
            assertThat(counter.turns()).as("a row").isEqualTo(1);
            lock.within(Duration.ofSeconds(2)).lock(connection, 2, STOCK);
            // MySQL has no timeout for a single statement: the session's is read, set and restored.
            int withTimeout = on == TestDatabase.MARIADB && Databases.isMySqlForMariaDb() ? 4 : 1;
            assertThat(counter.turns()).as("with a timeout").isEqualTo(withTimeout);
            assertThat(lock.lockAll(connection, List.of(5, 4, 3), STOCK)).hasSize(3);
            assertThat(counter.turns()).as("three rows").isEqualTo(on == TestDatabase.POSTGRESQL ? 1 : 3);
            connection.commit();
        }
    }

    /** The lock of a process that was killed ends with its connection. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void theLockOfALostConnectionIsFree(TestDatabase on) throws Exception {
        RowLock lock = RowLock.of(table(on)).key("id").nowait();
        try (Connection second = transaction(on.database())) {
            Connection first = transaction(on.database());
            lock.lock(first, 1, STOCK);
            first.abort(Runnable::run);
            TestTimeouts.until("the row is free", () -> tried(lock, second, 1).isEmpty());
        }
    }
}
