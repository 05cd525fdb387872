package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.micrometer.LockkeeperMetrics;
import io.lockkeeper.micrometer.LockkeeperObservations;
import io.lockkeeper.testkit.redis.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What Actuator shows of keepers. */
class ActuatorTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LockkeeperAutoConfiguration.class,
                    StoreChecksAutoConfiguration.class,
                    LocksEndpointAutoConfiguration.class,
                    LockkeeperMetricsAutoConfiguration.class,
                    LockkeeperObservationAutoConfiguration.class,
                    BootLine.HEALTH))
            .withPropertyValues("lockkeeper.url=memory:", "management.endpoints.web.exposure.include=locks");

    @SuppressWarnings("unchecked")
    private static Map<String, Object> report(LocksEndpoint endpoint, boolean store) {
        Map<String, Object> keepers =
                (Map<String, Object>) endpoint.locks(store).get("keepers");
        return (Map<String, Object>) keepers.get("lockkeeper");
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> listed(LocksEndpoint endpoint, String what) {
        return (List<Map<String, Object>>) report(endpoint, true).get(what);
    }

    private static void eventually(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Test
    void showsWhatIsHeldAndWhatIsWaitedFor() {
        application.run(context -> {
            LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
            Lockkeeper keeper = context.getBean(Lockkeeper.class);
            ExclusiveHold hold = Caller.acquire(keeper);
            CompletableFuture<ExclusiveHold> waiter = keeper.lock("orders/42").acquireAsync();
            eventually(() -> listed(endpoint, "waiting").size() == 1);
            Map<String, Object> held = listed(endpoint, "held").get(0);
            assertThat(held)
                    .containsEntry("name", "orders/42")
                    .containsEntry("family", "lock")
                    .containsEntry("token", String.valueOf(hold.token()))
                    .containsEntry("uncertain", false)
                    .containsEntry("thread", Thread.currentThread().getName())
                    .containsKeys("since", "forMillis");
            assertThat(listed(endpoint, "waiting").get(0))
                    .containsEntry("name", "orders/42")
                    .doesNotContainKey("token");
            assertThat(listed(endpoint, "store").get(0)).containsEntry("name", "orders/42");
            assertThat(report(endpoint, false)).doesNotContainKey("store").containsKey("held");
            hold.close();
            waiter.join().close();
            assertThat(listed(endpoint, "held")).isEmpty();
            assertThat(listed(endpoint, "waiting")).isEmpty();
            assertThat(listed(endpoint, "store")).isEmpty();
        });
    }

    /** Stands for code of the application. */
    private static final class Caller {
        static ExclusiveHold acquire(Lockkeeper keeper) throws InterruptedException {
            return keeper.lock("orders/42").acquire();
        }
    }

    @Test
    void whatGaveUpOrNestedIsNotListed() {
        application.run(context -> {
            LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
            Lockkeeper keeper = context.getBean(Lockkeeper.class);
            keeper.lock("a").lock();
            keeper.lock("a").lock();
            assertThat(CompletableFuture.supplyAsync(() -> keeper.lock("a").tryLock())
                            .join())
                    .isFalse();
            assertThat(listed(endpoint, "held")).hasSize(1);
            assertThat(listed(endpoint, "waiting")).isEmpty();
            keeper.lock("a").unlock();
            keeper.lock("a").unlock();
            assertThat(listed(endpoint, "held")).isEmpty();
        });
    }

    @Test
    void aLostHoldIsNotListed() {
        application.run(context -> {
            LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
            Lockkeeper keeper = context.getBean(Lockkeeper.class);
            ExclusiveHold hold =
                    keeper.lock("a").withFixedLease(Duration.ofMillis(100)).acquire();
            hold.lost().join();
            eventually(() -> listed(endpoint, "held").isEmpty());
        });
    }

    @Test
    void theEndpointIsThereOnlyIfItIsExposed() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(LockkeeperAutoConfiguration.class, LocksEndpointAutoConfiguration.class))
                .withPropertyValues("lockkeeper.url=memory:")
                .run(context -> assertThat(context).doesNotHaveBean(LocksEndpoint.class));
    }

    @Test
    void withoutActuatorNothingIsWatched() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockkeeperAutoConfiguration.class))
                .withPropertyValues("lockkeeper.url=memory:")
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context ->
                        assertThat(context).hasSingleBean(Lockkeeper.class).doesNotHaveBean(KeeperWatches.class));
    }

    @Test
    void healthFollowsTheStore() {
        try (RedisServer redis = RedisServer.start()) {
            application.withPropertyValues("lockkeeper.url=" + redis.url()).run(context -> {
                assertThat(BootLine.health(context))
                        .startsWith("UP")
                        .contains("REACHABLE", "roundTripMicros", "uncertain=0");
                redis.kill();
                assertThat(BootLine.health(context)).startsWith("DOWN").contains("UNCERTAIN");
            });
        }
    }

    @Test
    void healthCanBeSwitchedOff() {
        application
                .withPropertyValues("management.health.lockkeeper.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("lockkeeperHealthIndicator"));
    }

    @Test
    void keepersHaveMetersWhereThereIsARegistry() {
        application.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
            context.getBean(Lockkeeper.class).lock("a").acquire().close();
            assertThat(context.getBean(MeterRegistry.class)
                            .get("lockkeeper.acquire")
                            .tag("backend", "memory")
                            .timer()
                            .count())
                    .isEqualTo(1);
        });
        application.run(context -> assertThat(context).doesNotHaveBean(LockkeeperMetrics.class));
        application
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues("lockkeeper.metrics=false")
                .run(context -> assertThat(context).doesNotHaveBean(LockkeeperMetrics.class));
    }

    @Test
    void keepersAreObservedIfThatIsSwitchedOn() {
        List<String> observed = new CopyOnWriteArrayList<>();
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(context -> {
            observed.add(context.getName());
            return false;
        });
        ApplicationContextRunner traced = application.withBean(ObservationRegistry.class, () -> registry);
        traced.run(context -> assertThat(context).doesNotHaveBean(LockkeeperObservations.class));
        traced.withPropertyValues("lockkeeper.observations=true").run(context -> {
            context.getBean(Lockkeeper.class).lock("a").acquire().close();
            assertThat(observed).contains(LockkeeperObservations.ACQUIRE, LockkeeperObservations.HOLD);
        });
    }

    @Test
    void aPlaceIsALineOfTheApplication() {
        assertThat(KeeperWatch.isOfApplication("com.example.Orders")).isTrue();
        assertThat(KeeperWatch.isOfApplication("com.example.Orders$$SpringCGLIB$$0"))
                .isFalse();
        assertThat(KeeperWatch.isOfApplication("org.springframework.aop.Anything"))
                .isFalse();
        assertThat(KeeperWatch.isOfApplication("io.lockkeeper.shell.LiveLock")).isFalse();
    }
}
