package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.LockLostException;
import io.lockkeeper.testkit.sql.EmbeddedDatabases;
import io.lockkeeper.testkit.sql.SqlDatabase;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Locks and transactions in each other, with {@code @Transactional} in all its forms. */
class TransactionsTest {

    static final SqlDatabase DATABASE = EmbeddedDatabases.h2InMemory();

    @Configuration
    @EnableTransactionManagement
    static class Config extends Database {}

    @EnableLockkeeper
    static class Database {
        @Bean
        DataSource dataSource() {
            return DATABASE.dataSource();
        }

        @Bean
        PlatformTransactionManager transactions(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean
        JdbcTemplate jdbc(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }

        @Bean
        TransactionTemplate template(PlatformTransactionManager transactions) {
            return new TransactionTemplate(transactions);
        }
    }

    static class Stock {
        @Autowired
        JdbcTemplate jdbc;

        @Autowired
        ApplicationEventPublisher events;

        @Transactional
        @Locked("stock")
        public void inTransaction(Runnable body) {
            jdbc.update("UPDATE stock SET n = n - 1");
            body.run();
        }

        @Locked(name = "stock", waitFor = "0")
        public void locked(Runnable body) {
            body.run();
        }

        @Locked(name = "other", waitFor = "0")
        public void other(Runnable body) {
            body.run();
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @Locked("stock")
        public void inItsOwn(Runnable body) {
            jdbc.update("UPDATE audit SET n = n + 1");
            body.run();
        }

        @Transactional
        public void transactionOnly(Runnable body) {
            body.run();
        }

        @Transactional
        @Locked("stock")
        public void publish(String event) {
            events.publishEvent(event);
        }
    }

    static class Listener {
        static final List<String> SEEN = new ArrayList<>();

        @Autowired
        io.lockkeeper.Lockkeeper keeper;

        @TransactionalEventListener
        public void afterCommit(String event) {
            SEEN.add(event + " " + (keeper.lock("stock").isHeldByCurrentThread() ? "under the lock" : "without"));
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
        @Locked(name = "listener", waitFor = "0")
        public void locked(String event) {
            SEEN.add("locked " + keeper.lock("listener").isHeldByCurrentThread());
        }
    }

    private final App app =
            App.of(LockkeeperSettings.defaults().withOrderSampling(1), Config.class, Stock.class, Listener.class);
    private final Stock stock = app.get(Stock.class);
    private final TransactionTemplate template = app.get(TransactionTemplate.class);

    TransactionsTest() {
        DATABASE.execute(
                "CREATE TABLE IF NOT EXISTS stock (n int)",
                "CREATE TABLE IF NOT EXISTS audit (n int)",
                "DELETE FROM stock",
                "DELETE FROM audit",
                "INSERT INTO stock VALUES (10)",
                "INSERT INTO audit VALUES (0)");
        Listener.SEEN.clear();
    }

    @AfterEach
    void close() {
        app.close();
    }

    @Test
    void theLockIsOutsideTheTransactionAndFreeOnlyAfterItsCommit() {
        List<String> seen = new ArrayList<>();
        stock.inTransaction(() -> atEnd(() -> seen.add(stock() + (app.isFree("stock") ? " free" : " held"))));
        assertThat(seen).containsExactly("9 held");
        assertThat(app.isFree("stock")).isTrue();
    }

    @Test
    void theLockIsFreeAfterARollback() {
        assertThatThrownBy(() -> stock.inTransaction(() -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(stock()).isEqualTo(10);
        assertThat(app.isFree("stock")).isTrue();
    }

    @Test
    void aTransactionThatIsOpenAlreadyKeepsTheLockUntilItsEndAndAWarningSaysSoOnce() {
        try (Logged logged = new Logged()) {
            for (int i = 0; i < 2; i++) {
                template.executeWithoutResult(status -> {
                    stock.locked(() -> app.context.getBean(JdbcTemplate.class).update("UPDATE stock SET n = n - 1"));
                    assertThat(app.isFree("stock")).isFalse();
                    stock.locked(() -> {});
                });
                assertThat(app.isFree("stock")).isTrue();
            }
            assertThat(logged.with("A transaction was open already when Stock.locked took its lock"))
                    .hasSize(1);
        }
        assertThat(stock()).isEqualTo(8);
    }

    @Test
    void aTransactionThatIsOpenAlreadyAndRollsBackFreesTheLockToo() {
        template.executeWithoutResult(status -> {
            stock.locked(() -> {});
            status.setRollbackOnly();
        });
        assertThat(app.isFree("stock")).isTrue();
        assertThatThrownBy(() -> template.executeWithoutResult(status -> stock.locked(() -> {
                    throw new IllegalStateException("no");
                })))
                .hasMessage("no");
        assertThat(app.isFree("stock")).isTrue();
        assertThat(Holds.here()).isEmpty();
    }

    @Test
    void aTransactionOfItsOwnFreesTheLockAtItsEndAlsoInsideAnother() {
        try (Logged logged = new Logged()) {
            template.executeWithoutResult(status -> {
                stock.inItsOwn(() -> {});
                assertThat(app.isFree("stock")).isTrue();
                status.setRollbackOnly();
            });
            assertThat(logged.with("A transaction was open already")).isEmpty();
        }
        assertThat(DATABASE.number("SELECT n FROM audit")).isEqualTo(1);
    }

    @Configuration
    @EnableTransactionManagement(order = 0)
    static class TransactionsOutside extends Database {}

    @Test
    void aTransactionOfItsOwnThatBeginsBeforeTheLockKeepsItUntilItsEndAndIsFenced() {
        LockkeeperSettings settings =
                LockkeeperSettings.defaults().withAlwaysFenced(true).withFenceTable("outside");
        try (Logged logged = new Logged();
                App outside = App.of(settings, TransactionsOutside.class, Stock.class)) {
            List<Boolean> free = new ArrayList<>();
            outside.get(Stock.class).inItsOwn(() -> atEnd(() -> free.add(outside.isFree("stock"))));
            assertThat(free).containsExactly(false);
            assertThat(outside.isFree("stock")).isTrue();
            assertThat(DATABASE.number("SELECT count(*) FROM outside")).isEqualTo(1);
            assertThat(logged.with("Give @EnableTransactionManagement a greater order"))
                    .hasSize(1);
        }
    }

    private static void atEnd(Runnable body) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                body.run();
            }
        });
    }

    @Test
    void theSameNameNestsAcrossTransactions() {
        try (Logged logged = new Logged()) {
            stock.inTransaction(() -> stock.inTransaction(() -> {
                stock.inItsOwn(() -> {});
                assertThat(app.isFree("stock")).isFalse();
            }));
            assertThat(logged.with("A transaction was open already")).isEmpty();
        }
        assertThat(stock()).isEqualTo(8);
        assertThat(app.isFree("stock")).isTrue();
    }

    @Test
    void aLostLockRollsTheTransactionBack() {
        assertThatThrownBy(() -> stock.inTransaction(() -> lose("stock"))).isInstanceOf(LockLostException.class);
        assertThat(stock()).isEqualTo(10);
    }

    @Test
    void aLostLockRollsATransactionTemplateBackToo() {
        assertThatThrownBy(() -> stock.locked(() -> template.executeWithoutResult(status -> {
                    app.context.getBean(JdbcTemplate.class).update("UPDATE stock SET n = n - 1");
                    lose("stock");
                })))
                .isInstanceOf(LockLostException.class);
        assertThat(stock()).isEqualTo(10);
    }

    @Test
    void aLockThatIsLostInAnOpenTransactionRollsItBack() {
        assertThatThrownBy(() -> template.executeWithoutResult(status -> {
                    stock.locked(() -> app.context.getBean(JdbcTemplate.class).update("UPDATE stock SET n = n - 1"));
                    lose("stock");
                }))
                .isInstanceOf(LockLostException.class);
        assertThat(stock()).isEqualTo(10);
        assertThat(Holds.here()).isEmpty();
    }

    @Test
    void listenersOfTheCommitRunUnderTheLock() {
        try (Logged logged = new Logged()) {
            stock.publish("sold");
            assertThat(Listener.SEEN).containsExactlyInAnyOrder("sold under the lock", "locked true");
            assertThat(logged.with("A transaction was open already")).isEmpty();
        }
        assertThat(app.isFree("stock") && app.isFree("listener")).isTrue();
    }

    @Test
    void listenersOfTheCommitRunUnderTheLockThatAnOpenTransactionKeeps() {
        template.executeWithoutResult(status -> {
            stock.locked(() -> {});
            app.context.publishEvent("sold");
        });
        assertThat(Listener.SEEN).containsExactlyInAnyOrder("sold under the lock", "locked true");
        assertThat(app.isFree("stock")).isTrue();
    }

    @Test
    void locksThatAreTakenInTwoOrdersAreReportedOnceWithBothPlaces() {
        try (Logged logged = new Logged()) {
            for (int i = 0; i < 2; i++) {
                stock.locked(() -> stock.other(() -> {}));
                assertThat(logged.with("Locks are taken in two orders")).hasSize(i);
                stock.other(() -> stock.locked(() -> {}));
            }
            assertThat(logged.with("Locks are taken in two orders"))
                    .singleElement()
                    .asString()
                    .contains("Stock.other, then Stock.locked", "Stock.locked, then Stock.other", "[stock]", "[other]");
        }
    }

    @Test
    void everyExclusiveLockIsFencedIfTheSettingsSaySo() {
        LockkeeperSettings settings =
                LockkeeperSettings.defaults().withAlwaysFenced(true).withFenceTable("guards");
        try (App fenced = App.of(settings, Config.class, Stock.class)) {
            fenced.get(Stock.class).inTransaction(() -> {});
            assertThat(DATABASE.number("SELECT count(*) FROM guards")).isEqualTo(1);
            assertThat(stock()).isEqualTo(9);
        }
    }

    @Configuration
    @EnableLockkeeper
    @EnableTransactionManagement
    static class NotInjected {
        private final DataSource hidden = DATABASE.dataSource();

        @Bean(autowireCandidate = false)
        DataSource hidden() {
            return hidden;
        }

        @Bean
        PlatformTransactionManager transactions() {
            return new DataSourceTransactionManager(hidden);
        }

        @Bean
        JdbcTemplate jdbc() {
            return new JdbcTemplate(hidden);
        }
    }

    @Test
    void aDataSourceThatIsNotInjectedByTypeIsFencedToo() {
        LockkeeperSettings settings =
                LockkeeperSettings.defaults().withAlwaysFenced(true).withFenceTable("hidden");
        try (App fenced = App.of(settings, NotInjected.class, Stock.class)) {
            fenced.get(Stock.class).inTransaction(() -> {});
            assertThat(DATABASE.number("SELECT count(*) FROM hidden")).isEqualTo(1);
        }
    }

    @Configuration
    @EnableLockkeeper
    @EnableTransactionManagement
    static class NoBean {
        private final DataSource unknown = DATABASE.dataSource();

        @Bean
        PlatformTransactionManager transactions() {
            return new DataSourceTransactionManager(unknown);
        }

        @Bean
        JdbcTemplate jdbc() {
            return new JdbcTemplate(unknown);
        }
    }

    @Test
    void aTransactionThatCannotBeFencedIsReportedOnceIfAllAre() {
        LockkeeperSettings settings = LockkeeperSettings.defaults().withAlwaysFenced(true);
        try (Logged logged = new Logged();
                App unfenced = App.of(settings, NoBean.class, Stock.class)) {
            unfenced.get(Stock.class).inTransaction(() -> {});
            unfenced.get(Stock.class).inTransaction(() -> {});
            assertThat(logged.with("is not fenced")).hasSize(1);
        }
    }

    @Test
    void theOrderIsNotCheckedIfThatIsOff() throws Exception {
        try (Logged logged = new Logged();
                App off = App.of(LockkeeperSettings.defaults().withOrderSampling(0), Config.class, Stock.class)) {
            Stock quiet = off.get(Stock.class);
            quiet.locked(() -> quiet.other(() -> {}));
            quiet.other(() -> quiet.locked(() -> {}));
            assertThat(logged.with("two orders")).isEmpty();
        }
    }

    /** Takes the lock away as an operator would, and waits until its holder knows. */
    private void lose(String name) {
        app.other.forceRelease(name);
        while (Holds.current().isHeld()) {
            Thread.onSpinWait();
        }
    }

    private static long stock() {
        return DATABASE.number("SELECT n FROM stock");
    }
}
