package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.LockLostException;
import io.lockkeeper.StaleTokenException;
import io.lockkeeper.testkit.sql.EmbeddedDatabases;
import io.lockkeeper.testkit.sql.PostgresServer;
import io.lockkeeper.testkit.sql.SqlDatabase;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** A holder that lost its lock does not commit over its successor, whatever it believes. */
class FencedCommitTest {

    /** What happens right before a commit, after all checks. */
    static final class BeforeCommit implements TransactionExecutionListener {
        volatile Runnable action = () -> {};

        @Override
        public void beforeCommit(TransactionExecution transaction) {
            action.run();
        }
    }

    @Configuration
    @EnableLockkeeper
    @EnableTransactionManagement
    static class Config {
        @Bean
        BeforeCommit beforeCommit() {
            return new BeforeCommit();
        }

        @Bean
        PlatformTransactionManager transactions(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        /** After the listener that checks the lock. */
        @Bean
        static SmartInitializingSingleton last(
                ObjectProvider<DataSourceTransactionManager> manager, ObjectProvider<BeforeCommit> listener) {
            return () -> manager.getObject().addListener(listener.getObject());
        }

        @Bean
        TransactionTemplate template(PlatformTransactionManager transactions) {
            return new TransactionTemplate(transactions);
        }

        @Bean
        JdbcTemplate jdbc(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }
    }

    static class Shop {
        @Autowired
        JdbcTemplate jdbc;

        @Autowired
        Audit audit;

        @Autowired
        TransactionTemplate template;

        /** The lease is short and not renewed, as if the holder were paused. */
        @Transactional
        @Locked(name = "good:#{#id}", fence = "goods", fixedLease = "300ms", onLost = OnLost.REPORT)
        public void sellAndBePaused(int id, Runnable paused) {
            int stock = stock(id);
            paused.run();
            jdbc.update("UPDATE good SET stock = ? WHERE id = ?", stock - 1, id);
        }

        /** Paused before its transaction begins. */
        @Locked(name = "good:#{#id}", fence = "goods", fixedLease = "300ms", onLost = OnLost.REPORT)
        public void bePausedAndSell(int id, Runnable paused) {
            paused.run();
            template.executeWithoutResult(status -> jdbc.update("UPDATE good SET stock = 0 WHERE id = ?", id));
        }

        @Transactional
        @Locked(name = "good:#{#id}", fixedLease = "300ms")
        public void sellUnfenced(int id, Runnable paused) {
            paused.run();
            jdbc.update("UPDATE good SET stock = 0 WHERE id = ?", id);
        }

        @Transactional
        @Locked(name = "good:#{#id}", fence = "goods")
        public void sell(int id, Runnable meanwhile) {
            int stock = stock(id);
            meanwhile.run();
            jdbc.update("UPDATE good SET stock = ? WHERE id = ?", stock - 1, id);
        }

        @Transactional
        @Locked(name = "good:#{#id}", fence = "goods")
        public void sellWithAudit(int id) {
            jdbc.update("UPDATE good SET stock = stock - 1 WHERE id = ?", id);
            audit.write();
        }

        @Transactional
        @Locked(
                name = {"good:2", "good:1"},
                fence = "goods")
        public void sellBoth() {
            jdbc.update("UPDATE good SET stock = stock - 1");
        }

        @Transactional
        @Locked("good:1")
        public void unfenced(Runnable body) {
            body.run();
        }

        @Transactional
        @Locked(name = "good:#{#id}", fence = "orders")
        public void order(int id) {}

        @Transactional(readOnly = true)
        @Locked(name = "good:#{#id}", fence = "goods")
        public int look(int id) {
            return stock(id);
        }

        private int stock(int id) {
            return jdbc.queryForObject("SELECT stock FROM good WHERE id = ?", Integer.class, id);
        }
    }

    static class Audit {
        @Autowired
        JdbcTemplate jdbc;

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void write() {
            jdbc.update("UPDATE audit SET n = n + 1");
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    abstract static class Cases {

        SqlDatabase database;
        private App app;
        private Shop shop;
        private BeforeCommit beforeCommit;

        abstract SqlDatabase start();

        abstract void cutConnections();

        @BeforeAll
        void startDatabase() {
            database = start();
            database.execute(
                    "CREATE TABLE good (id int PRIMARY KEY, stock int)",
                    "CREATE TABLE audit (n int)",
                    "INSERT INTO good VALUES (1, 10)",
                    "INSERT INTO good VALUES (2, 10)",
                    "INSERT INTO audit VALUES (0)");
        }

        @BeforeEach
        void startApplication() {
            database.execute("UPDATE good SET stock = 10", "UPDATE audit SET n = 0");
            app = App.of(
                    Map.of(),
                    context -> context.registerBean(DataSource.class, () -> database.dataSource()),
                    Config.class,
                    Shop.class,
                    Audit.class);
            database.execute("DELETE FROM lockkeeper_fence"); // the store is a new one
            shop = app.get(Shop.class);
            beforeCommit = app.get(BeforeCommit.class);
        }

        @AfterEach
        void stopApplication() {
            app.close();
        }

        private long stock() {
            return database.number("SELECT stock FROM good WHERE id = 1");
        }

        @Test
        void aHolderWritesItsTokenInItsOwnTransaction() {
            shop.sell(1, () -> {});
            assertThat(stock()).isEqualTo(9);
            long first = token();
            shop.sell(1, () -> {});
            assertThat(token()).isGreaterThan(first);
        }

        private long token() {
            return database.number("SELECT max(fence_token) FROM lockkeeper_fence");
        }

        @Test
        void aHolderThatIsPausedPastItsLeaseUntilItsSuccessorHasCommittedIsRolledBack() throws Exception {
            assertThatThrownBy(() -> shop.bePausedAndSell(1, () -> {
                        await(() -> app.isFree("good:1"));
                        App.async(() -> shop.sell(1, () -> {})).join();
                    }))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining("goods/good:1");
            assertThat(stock()).isEqualTo(9);
            assertThat(Holds.here()).isEmpty();
        }

        @Test
        void aHolderThatIsPausedPastItsLeaseIsRolledBackByTheCheckAloneToo() {
            assertThatThrownBy(() -> shop.sellUnfenced(1, () -> await(() -> app.isFree("good:1"))))
                    .isInstanceOf(LockLostException.class);
            assertThat(stock()).isEqualTo(10);
        }

        @Test
        void aPausedHolderThatIsAdmittedCommitsBeforeItsSuccessorReads() throws Exception {
            CompletableFuture<Void> successor = new CompletableFuture<>();
            shop.sellAndBePaused(1, () -> {
                await(() -> app.isFree("good:1"));
                App.async(() -> shop.sell(1, () -> {})).whenComplete((done, failure) -> complete(successor, failure));
                await(() -> !app.isFree("good:1"));
            });
            successor.get(30, TimeUnit.SECONDS);
            // Two sales, two pieces less: neither was written over.
            assertThat(stock()).isEqualTo(8);
        }

        @Test
        void aKeyThatWasDeletedRollsTheTransactionBack() {
            assertThatThrownBy(() -> shop.sell(1, () -> {
                        app.other.forceRelease("good:1");
                        await(() -> !Holds.current().isHeld());
                    }))
                    .isInstanceOf(LockLostException.class);
            assertThat(stock()).isEqualTo(10);
        }

        @Test
        void aLossBetweenTheCheckAndTheCommitKeepsTheSuccessorWaitingForTheCommit() throws Exception {
            CompletableFuture<Void> successor = new CompletableFuture<>();
            beforeCommit.action = () -> {
                beforeCommit.action = () -> {};
                app.other.forceRelease("good:1");
                App.async(() -> shop.sell(1, () -> {})).whenComplete((done, failure) -> complete(successor, failure));
                await(() -> !app.isFree("good:1"));
            };
            assertThatThrownBy(() -> shop.sell(1, () -> {})).isInstanceOf(LockLostException.class);
            successor.get(30, TimeUnit.SECONDS);
            assertThat(stock()).isEqualTo(8);
        }

        @Test
        void aConnectionThatIsLostBetweenTheCheckAndTheCommitCommitsNothingAndFreesTheLock() {
            beforeCommit.action = () -> {
                beforeCommit.action = () -> {};
                cutConnections();
            };
            assertThatThrownBy(() -> shop.sell(1, () -> {})).isInstanceOf(RuntimeException.class);
            assertThat(stock()).isEqualTo(10);
            assertThat(app.isFree("good:1")).isTrue();
            shop.sell(1, () -> {});
            assertThat(stock()).isEqualTo(9);
        }

        @Test
        void twoFencesOnOneLockBothGetItsToken() {
            shop.sell(1, () -> shop.order(1));
            assertThat(database.number("SELECT count(*) FROM lockkeeper_fence")).isEqualTo(2);
        }

        @Test
        void aTransactionInsideAnotherDoesNotWaitForTheGuardOfTheOuterOne() {
            shop.sellWithAudit(1);
            assertThat(stock()).isEqualTo(9);
            assertThat(database.number("SELECT n FROM audit")).isEqualTo(1);
        }

        @Test
        void everyLockOfSeveralHasItsGuard() {
            shop.sellBoth();
            assertThat(database.number("SELECT count(*) FROM lockkeeper_fence")).isEqualTo(2);
        }

        @Test
        void aFenceInsideAnUnfencedLockOfTheSameNameIsWrittenToo() {
            shop.unfenced(() -> {});
            assertThat(database.number("SELECT count(*) FROM lockkeeper_fence")).isZero();
            shop.unfenced(() -> shop.sell(1, () -> {}));
            assertThat(database.number("SELECT count(*) FROM lockkeeper_fence")).isEqualTo(1);
        }

        @Test
        void aTransactionThatOnlyReadsWritesNoToken() {
            assertThat(shop.look(1)).isEqualTo(10);
            assertThat(database.number("SELECT count(*) FROM lockkeeper_fence")).isZero();
        }

        private static void complete(CompletableFuture<Void> future, Throwable failure) {
            if (failure == null) {
                future.complete(null);
            } else {
                future.completeExceptionally(failure);
            }
        }
    }

    static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @Nested
    class OnH2 extends Cases {
        @Override
        SqlDatabase start() {
            return EmbeddedDatabases.h2InMemory();
        }

        @Override
        void cutConnections() {
            for (String session :
                    database.column("SELECT session_id FROM information_schema.sessions WHERE contains_uncommitted")) {
                database.execute("CALL ABORT_SESSION(" + session + ")");
            }
        }
    }

    @Nested
    class OnPostgres extends Cases {
        private PostgresServer server;

        @Override
        SqlDatabase start() {
            server = PostgresServer.start();
            return server.admin();
        }

        @Override
        void cutConnections() {
            server.terminateConnections("state = 'idle in transaction'");
        }

        @AfterAll
        void stop() {
            server.close();
        }
    }
}
