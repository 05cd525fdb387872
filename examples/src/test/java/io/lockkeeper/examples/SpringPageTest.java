package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.LockTimeoutException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spring.EnableLockkeeper;
import io.lockkeeper.spring.Holds;
import io.lockkeeper.spring.LeaderOnly;
import io.lockkeeper.spring.LeadershipGrantedEvent;
import io.lockkeeper.spring.Limited;
import io.lockkeeper.spring.LockNameResolver;
import io.lockkeeper.spring.Locked;
import io.lockkeeper.spring.LockkeeperSettings;
import io.lockkeeper.spring.WhenBusy;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.AliasFor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** The code of docs/spring.md. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpringPageTest {

    private static final List<String> SEEN = new CopyOnWriteArrayList<>();

    record Order(long id, String customer) {}

    @Configuration
    @EnableLockkeeper
    static class Locks {
        @Bean
        Lockkeeper keeper() {
            return Lockkeeper.connect("memory:spring-page");
        }
    }

    @Configuration
    static class Settings {
        @Bean
        LockkeeperSettings settings() {
            return LockkeeperSettings.defaults()
                    .withWaitFor(Duration.ofSeconds(3))
                    .withTokenInLog(true);
        }
    }

    @Configuration
    @EnableTransactionManagement
    static class Database {
        @Bean
        DataSource dataSource() {
            return JdbcConnectionPool.create("jdbc:h2:mem:spring-page;DB_CLOSE_DELAY=-1", "sa", "");
        }

        @Bean
        PlatformTransactionManager transactions(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean
        JdbcTemplate jdbc(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }
    }

    static class Transfers {
        @Autowired
        Lockkeeper keeper;

        void transfer() {
            Lock lock = keeper.lock("transfers");
            lock.lock();
            try {
                SEEN.add("transferred");
            } finally {
                lock.unlock();
            }
        }
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @Locked(waitFor = "500ms")
    @interface CustomerLock {
        @AliasFor(annotation = Locked.class, attribute = "name")
        String[] value();
    }

    static class Orders {
        @Autowired
        JdbcTemplate jdbc;

        @Locked("order:#{#order.id}")
        @Transactional
        public void pay(Order order) {
            jdbc.update("UPDATE orders SET paid = TRUE WHERE id = ?", order.id());
        }

        @Locked(name = "order:#{#order.id}", fence = "orders")
        @Transactional
        public void ship(Order order) {
            jdbc.update("UPDATE orders SET shipped = TRUE WHERE id = ?", order.id());
        }

        @Locked({"account:#{#from}", "account:#{#to}"})
        public void move(String from, String to) {
            SEEN.add("moved from " + from + " to " + to);
        }

        @Locked("#{#orders.!['order:' + id]}")
        public void payAll(List<Order> orders) {
            SEEN.add("paid " + orders.size());
        }

        @CustomerLock("customer:#{#order.customer}")
        public void rename(Order order) {
            SEEN.add("renamed");
        }

        @Locked(resolver = "tenantLocks")
        public void close(String tenant) {
            SEEN.add("closed " + tenant);
        }

        @Limited(name = "mail-server", permits = 5, waitFor = "10s")
        public void mail(Order order) {
            SEEN.add("mailed " + order.id());
        }

        @Locked(name = "report:#{#day}", whenBusy = WhenBusy.FALLBACK, fallback = "yesterdays")
        public String report(int day) {
            return "report of day " + day;
        }

        String yesterdays(int day, LockTimeoutException busy) {
            return "report of day " + (day - 1);
        }

        @Locked("ledger")
        public void append(String entry, ExclusiveHold hold) {
            SEEN.add(entry + " under token " + hold.token());
        }

        @Locked("ledger")
        public long token() {
            return Holds.current(ExclusiveHold.class).token();
        }
    }

    @Configuration
    static class Resolvers {
        @Bean
        LockNameResolver tenantLocks() {
            return (target, method, arguments) -> List.of("tenant/" + arguments[0]);
        }
    }

    static class Jobs {
        @Scheduled(cron = "0 0 3 * * *")
        @Locked(name = "nightly-report", whenBusy = WhenBusy.SKIP, atLeast = "5m")
        public void nightlyReport() {
            SEEN.add("report made");
        }
    }

    @Configuration
    static class Elections {
        @Bean
        LeaderElection importer(Lockkeeper keeper) {
            return keeper.leaderElection("importer");
        }
    }

    static class Importer {
        @EventListener
        public void granted(LeadershipGrantedEvent event) {
            SEEN.add("leads in term " + event.leadership().token());
        }

        @LeaderOnly
        public Optional<String> importFiles() {
            return Optional.of("imported");
        }
    }

    private AnnotationConfigApplicationContext context;

    @BeforeAll
    void start() {
        context = new AnnotationConfigApplicationContext(
                Locks.class,
                Settings.class,
                Database.class,
                Transfers.class,
                Orders.class,
                Resolvers.class,
                Jobs.class,
                Elections.class,
                Importer.class);
        context.getBean(JdbcTemplate.class)
                .execute("CREATE TABLE orders (id bigint PRIMARY KEY, paid boolean, shipped boolean)");
        context.getBean(JdbcTemplate.class).execute("INSERT INTO orders VALUES (42, FALSE, FALSE)");
    }

    @AfterAll
    void stop() {
        context.close();
    }

    @Test
    void methodsRunUnderTheirLocks() {
        Orders orders = context.getBean(Orders.class);
        Order order = new Order(42, "ann");
        orders.pay(order);
        orders.ship(order);
        orders.move("a", "b");
        orders.payAll(List.of(order, new Order(43, "bob")));
        orders.rename(order);
        orders.close("acme");
        orders.mail(order);
        orders.append("paid", null);
        context.getBean(Transfers.class).transfer();
        assertThat(orders.token()).isPositive();
        assertThat(SEEN).contains("moved from a to b", "paid 2", "renamed", "closed acme", "mailed 42", "transferred");
        JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
        assertThat(jdbc.queryForObject("SELECT count(*) FROM orders WHERE paid AND shipped", Integer.class))
                .isEqualTo(1);
        assertThat(jdbc.queryForObject("SELECT count(*) FROM lockkeeper_fence", Integer.class))
                .isEqualTo(1);
    }

    @Test
    void aBusyLockFallsBackSkipsOrThrows() {
        Orders orders = context.getBean(Orders.class);
        try (Lockkeeper other = Lockkeeper.connect("memory:spring-page");
                ExclusiveHold report = other.lock("report:7").tryAcquire();
                ExclusiveHold nightly = other.lock("nightly-report").tryAcquire();
                ExclusiveHold customer = other.lock("customer:ann").tryAcquire()) {
            assertThat(report).isNotNull();
            assertThat(orders.report(7)).isEqualTo("report of day 6");
            context.getBean(Jobs.class).nightlyReport();
            assertThat(SEEN).doesNotContain("report made");
            assertThatThrownBy(() -> orders.rename(new Order(1, "ann"))).isInstanceOf(LockTimeoutException.class);
        }
        assertThat(orders.report(7)).isEqualTo("report of day 7");
        context.getBean(Jobs.class).nightlyReport();
        assertThat(SEEN).contains("report made");
    }

    @Test
    void theLeaderImports() throws Exception {
        assertThat(context.getBean(LeaderElection.class).await(Duration.ofSeconds(30)))
                .isNotNull();
        assertThat(context.getBean(Importer.class).importFiles()).contains("imported");
    }
}
