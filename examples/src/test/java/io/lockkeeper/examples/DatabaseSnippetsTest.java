package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.jdbc.VersionedUpdate;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.testkit.sql.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples of the page about locks and databases do what it says. */
@Timeout(60)
final class DatabaseSnippetsTest {

    private static final int THREADS = 8;

    private final JdbcConnectionPool pool =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    private final Lockkeeper keeper = Lockkeeper.of(MemoryBackend.create());

    @BeforeEach
    void tables() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE seckill_good (id int PRIMARY KEY, stock int NOT NULL, version bigint DEFAULT 0"
                            + " NOT NULL, fence_token bigint, fence_id varchar(64))");
            statement.execute("INSERT INTO seckill_good (id, stock) VALUES (42, 10)");
            statement.execute("CREATE TABLE seckill_order (good_id int NOT NULL)");
            statement.execute("CREATE TABLE account (id int PRIMARY KEY, balance bigint NOT NULL)");
            statement.execute("INSERT INTO account VALUES (3, 100), (7, 100)");
            statement.execute("CREATE TABLE orders (transaction_number varchar(40) PRIMARY KEY, cents int NOT NULL)");
        }
    }

    @AfterEach
    void close() {
        keeper.close();
        pool.dispose();
    }

    private int number(String query) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }

    @Test
    void sessionLocksNeedNoTable() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            DatabaseSnippets.sessionLocks(server.admin().dataSource());
        }
    }

    @Test
    void eachIdiomTakesOnePiece() throws Exception {
        DatabaseSnippets.setUp("memory:" + UUID.randomUUID());
        DatabaseSnippets.rowLock(pool);
        assertThat(DatabaseSnippets.versioned(pool)).isEqualTo(new VersionedUpdate.Counts(1, 0, 0));
        assertThat(DatabaseSnippets.oneStatement(pool)).isTrue();
        DatabaseSnippets.fencedRow(pool, keeper);
        assertThat(number("SELECT stock FROM seckill_good")).isEqualTo(6);
        DatabaseSnippets.guarded(pool, keeper);
        assertThat(number("SELECT COUNT(*) FROM seckill_order")).isEqualTo(1);
        DatabaseSnippets.severalRows(pool);
        assertThat(number("SELECT balance FROM account WHERE id = 3")).isEqualTo(110);
        assertThat(number("SELECT SUM(balance) FROM account")).isEqualTo(200);
    }

    @Test
    void anOrderThatArrivesOftenIsTakenOnce() throws Exception {
        OrderIntake intake = new OrderIntake(pool);
        assertThat(winners(() -> intake.take("T-1", 995))).isEqualTo(1);
        assertThat(number("SELECT COUNT(*) FROM orders")).isEqualTo(1);
    }

    @Test
    void anOrderThatArrivesOftenIsChargedOnce() throws Exception {
        OrderIntake intake = new OrderIntake(pool);
        AtomicInteger charges = new AtomicInteger();
        OrderIntake.Payments payments = (number, cents) -> charges.incrementAndGet();
        assertThat(winners(() -> intake.takeAndCharge(keeper, payments, "T-1", 995)))
                .isEqualTo(1);
        assertThat(charges).hasValue(1);
    }

    private interface Taking {
        boolean run() throws Exception;
    }

    private static long winners(Taking taking) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            CountDownLatch ready = new CountDownLatch(THREADS);
            List<Future<Boolean>> results = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                results.add(threads.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return taking.run();
                }));
            }
            long winners = 0;
            for (Future<Boolean> result : results) {
                winners += result.get(30, TimeUnit.SECONDS) ? 1 : 0;
            }
            return winners;
        } finally {
            threads.shutdownNow();
        }
    }
}
