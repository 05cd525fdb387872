package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spring.LockkeeperSettings;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which keepers an application has, by what it says and by what it has. */
class KeeperAutoConfigurationTest {

    private static RedisServer redis;

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockkeeperAutoConfiguration.class))
            .withPropertyValues("spring.application.name=shop");

    private final ApplicationContextRunner withH2 = application
            .withConfiguration(AutoConfigurations.of(BootLine.DATA_SOURCE))
            .withPropertyValues(
                    "spring.datasource.url=jdbc:h2:mem:boot;DB_CLOSE_DELAY=-1", "lockkeeper.create-tables=true");

    private ApplicationContextRunner withRedis() {
        return application
                .withConfiguration(AutoConfigurations.of(BootLine.REDIS))
                .withPropertyValues("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port());
    }

    @BeforeAll
    static void startRedis() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    private static void locks(ApplicationContext context, String where) {
        locks(context.getBean(Lockkeeper.class), where);
    }

    private static void locks(Lockkeeper keeper, String where) {
        assertThat(keeper).asString().contains(where);
        try (ExclusiveHold hold = keeper.lock("orders/42").tryAcquire()) {
            assertThat(hold).isNotNull();
            assertThat(hold.isHeld()).isTrue();
        }
    }

    @Test
    void aUrlIsTakenAtItsWord() {
        application
                .withPropertyValues("lockkeeper.url=" + redis.url())
                .run(context -> locks(context, "redis://127.0.0.1:" + redis.port()));
    }

    @Test
    void withoutAUrlLocksAreInTheDataSource() {
        withH2.run(context -> locks(context, "jdbc:h2"));
    }

    @Test
    void scriptsOfTheApplicationMakeTheTablesFirst() {
        application
                .withConfiguration(AutoConfigurations.of(BootLine.DATA_SOURCE, BootLine.SCRIPTS))
                .withPropertyValues(
                        "spring.datasource.url=jdbc:h2:mem:scripts;DB_CLOSE_DELAY=-1",
                        "spring.sql.init.schema-locations=classpath:io/lockkeeper/jdbc/h2.sql")
                .run(context -> locks(context, "jdbc:h2"));
    }

    @Test
    void withoutAUrlLocksAreInTheRedisOfSpringData() {
        withRedis().run(context -> locks(context, "redis://127.0.0.1:" + redis.port()));
    }

    @Test
    void aUrlGoesBeforeWhatTheApplicationHas() {
        withH2.withPropertyValues("lockkeeper.url=memory:").run(context -> locks(context, "memory"));
    }

    @Test
    void twoStoresAndNoChoiceAreOneSentenceThatNamesBoth() {
        withRedis()
                .withConfiguration(AutoConfigurations.of(BootLine.DATA_SOURCE))
                .run(context -> assertThat(KeeperFailures.of(context))
                        .contains("the DataSource 'dataSource'")
                        .contains("the Redis of spring.data.redis at 127.0.0.1:" + redis.port())
                        .contains("lockkeeper.store=data-source")
                        .contains("lockkeeper.store=redis")
                        .contains("lockkeeper.url"));
    }

    @Test
    void ofTwoStoresOneCanBeChosen() {
        ApplicationContextRunner both = withRedis()
                .withConfiguration(AutoConfigurations.of(BootLine.DATA_SOURCE))
                .withPropertyValues("lockkeeper.create-tables=true");
        both.withPropertyValues("lockkeeper.store=redis").run(context -> locks(context, "redis://"));
        both.withPropertyValues("lockkeeper.store=data-source").run(context -> locks(context, "jdbc:h2"));
    }

    @Test
    void oneOfSeveralDataSourcesCanBeNamed() {
        ApplicationContextRunner several = application
                .withUserConfiguration(TwoDataSources.class)
                .withPropertyValues("lockkeeper.create-tables=true");
        several.run(context -> assertThat(KeeperFailures.of(context))
                .contains("orders, stock")
                .contains("lockkeeper.data-source=orders"));
        several.withPropertyValues("lockkeeper.data-source=stock").run(context -> locks(context, "jdbc:h2:mem:stock"));
        several.withPropertyValues("lockkeeper.data-source=bonds")
                .run(context -> assertThat(KeeperFailures.of(context)).contains("'bonds'"));
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {

        @Bean
        DataSource orders() {
            return h2("orders");
        }

        @Bean
        DataSource stock() {
            return h2("stock");
        }

        private static DataSource h2(String name) {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
            return source;
        }
    }

    @Test
    void withoutAnyStoreItSaysWhatToSet() {
        application.run(context -> assertThat(KeeperFailures.of(context))
                .contains("lockkeeper.url is not set")
                .contains("redis://localhost:6379"));
    }

    @Test
    void aMissingModuleIsNamed() {
        application
                .withClassLoader(new FilteredClassLoader("io.lockkeeper.jdbc"))
                .withPropertyValues("lockkeeper.store=data-source")
                .run(context -> assertThat(KeeperFailures.of(context)).contains("io.lockkeeper:lockkeeper-jdbc"));
        application
                .withPropertyValues("lockkeeper.url=zk://localhost")
                .run(context -> assertThat(KeeperFailures.of(context)).contains("io.lockkeeper:lockkeeper-zookeeper"));
    }

    @Test
    void aStoreThatCannotBeReachedIsNamedWithoutItsPassword() {
        application
                .withPropertyValues("lockkeeper.url=redis://user:hush@127.0.0.1:1")
                .run(context -> assertThat(KeeperFailures.of(context))
                        .contains("127.0.0.1:1")
                        .contains("lockkeeper.lazy=true")
                        .doesNotContain("hush"));
    }

    @Test
    void aLazyKeeperStartsBeforeItsStore() {
        application
                .withPropertyValues("lockkeeper.url=redis://127.0.0.1:1", "lockkeeper.lazy=true")
                .run(context -> assertThat(context).hasSingleBean(Lockkeeper.class));
    }

    @Test
    void anApplicationMayBringItsOwnKeeper() {
        application
                .withBean("own", Lockkeeper.class, () -> Lockkeeper.connect("memory:"))
                .run(context ->
                        assertThat(context).hasSingleBean(Lockkeeper.class).hasBean("own"));
    }

    @Test
    void keepersHaveNames() {
        application
                .withPropertyValues(
                        "lockkeeper.url=memory:",
                        "lockkeeper.note=the shop",
                        "lockkeeper.keepers.billing.url=" + redis.url(),
                        "lockkeeper.keepers.audit.url=memory:audit",
                        "lockkeeper.keepers.audit.note=the auditor")
                .run(context -> {
                    locks(context, "memory");
                    Lockkeeper billing = context.getBean("billing", Lockkeeper.class);
                    locks(billing, "redis://");
                    assertThat(noteOf(billing)).isEqualTo("the shop");
                    assertThat(noteOf(context.getBean("audit", Lockkeeper.class)))
                            .isEqualTo("the auditor");
                });
    }

    @Test
    void onlyNamedKeepersMeanNoDefaultOne() {
        application
                .withPropertyValues("lockkeeper.keepers.billing.url=memory:")
                .run(context -> assertThat(context.getBeanNamesForType(Lockkeeper.class))
                        .containsExactly("billing"));
    }

    private static String noteOf(Lockkeeper keeper) {
        try (ExclusiveHold hold = keeper.lock("noted").tryAcquire()) {
            assertThat(hold).isNotNull();
            ResourceState state = keeper.inspect("noted").orElseThrow();
            return state.grants().get(0).holder().note();
        }
    }

    @Test
    void theNoteIsTheNameOfTheApplication() {
        application
                .withPropertyValues("lockkeeper.url=memory:")
                .run(context ->
                        assertThat(noteOf(context.getBean(Lockkeeper.class))).isEqualTo("shop"));
    }

    @Test
    void namesBeginWithThePrefix() {
        application
                .withPropertyValues("lockkeeper.url=" + redis.url(), "lockkeeper.prefix=shop/")
                .run(context -> {
                    Lockkeeper keeper = context.getBean(Lockkeeper.class);
                    try (Lockkeeper plain = Lockkeeper.connect(redis.url());
                            ExclusiveHold hold = keeper.lock("a").tryAcquire()) {
                        assertThat(hold).isNotNull();
                        assertThat(hold.name()).isEqualTo("shop/a");
                        assertThat(plain.inspect("shop/a")).isPresent();
                        assertThat(keeper.inspect("a")
                                        .orElseThrow()
                                        .grants()
                                        .get(0)
                                        .token())
                                .isEqualTo(hold.token());
                        assertThat(keeper.list("")).hasSize(1);
                        assertThat(keeper.requests().tryLock("a", "request-1", Duration.ofSeconds(5)))
                                .isFalse();
                    }
                });
    }

    @Test
    void everyListenerIsToldAndCustomizersHaveTheirSay() {
        List<String> told = new CopyOnWriteArrayList<>();
        application
                .withPropertyValues("lockkeeper.url=memory:")
                .withBean("first", KeeperListener.class, () -> listener("first", told))
                .withBean("second", KeeperListener.class, () -> listener("second", told))
                .withBean(LockkeeperBuilderCustomizer.class, () -> (name, builder) -> builder.note("of " + name))
                .run(context -> {
                    assertThat(noteOf(context.getBean(Lockkeeper.class))).isEqualTo("of lockkeeper");
                    assertThat(told).containsExactlyInAnyOrder("first", "second");
                });
    }

    private static KeeperListener listener(String name, List<String> told) {
        return new KeeperListener() {
            @Override
            public void acquired(KeeperEvent.Acquired event) {
                told.add(name);
                throw new IllegalStateException("the others are told all the same");
            }
        };
    }

    @Test
    void theSettingsOfAnnotationsAreProperties() {
        application
                .withPropertyValues(
                        "lockkeeper.url=memory:",
                        "lockkeeper.wait=3s",
                        "lockkeeper.transactions.fence=true",
                        "lockkeeper.transactions.fence-table=guards",
                        "lockkeeper.log-token=true")
                .run(context -> {
                    LockkeeperSettings settings = context.getBean(LockkeeperSettings.class);
                    assertThat(settings.waitFor()).contains(Duration.ofSeconds(3));
                    assertThat(settings.isAlwaysFenced()).isTrue();
                    assertThat(settings.fenceTable()).isEqualTo("guards");
                    assertThat(settings.isTokenInLog()).isTrue();
                });
    }
}
