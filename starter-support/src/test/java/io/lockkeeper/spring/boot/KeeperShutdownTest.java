package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.ReleaseOutcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** What becomes of locks when an application shuts down. */
class KeeperShutdownTest {

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LockkeeperAutoConfiguration.class)
    static class Application {}

    private static ConfigurableApplicationContext start(String... properties) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(properties)
                .run();
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    @Test
    void holdersFinishLeadersHandOnAndNothingNewIsAcquired() throws Exception {
        String store = "memory:shutdown-" + System.nanoTime();
        ConfigurableApplicationContext application = start("lockkeeper.url=" + store, "lockkeeper.shutdown-wait=1h");
        Lockkeeper keeper = application.getBean(Lockkeeper.class);
        try (Lockkeeper other = Lockkeeper.connect(store)) {
            LeaderElection leader = keeper.leaderElection("shop");
            leader.join();
            leader.await();
            LeaderElection next = other.leaderElection("shop");
            next.join();
            ExclusiveHold work = keeper.lock("orders/42").acquire();
            CompletableFuture<Void> closed = CompletableFuture.runAsync(application::close);
            assertThat(next.await(Duration.ofSeconds(30))).isNotNull();
            assertThatThrownBy(() -> keeper.lock("orders/43").tryAcquire()).isInstanceOf(KeeperClosedException.class);
            assertThat(work.isHeld()).isTrue();
            assertThat(closed).isNotDone();
            assertThat(work.release()).isEqualTo(ReleaseOutcome.RELEASED);
            get(closed);
            assertThatThrownBy(() -> keeper.inspect("orders/42")).isInstanceOf(KeeperClosedException.class);
        }
    }

    @Test
    void aHolderThatDoesNotFinishLosesItsLock() throws Exception {
        ConfigurableApplicationContext application = start("lockkeeper.url=memory:", "lockkeeper.shutdown-wait=10ms");
        ExclusiveHold work =
                application.getBean(Lockkeeper.class).lock("orders/42").acquire();
        application.close();
        assertThat(get(work.lost()).reason()).isEqualTo(Loss.Reason.KEEPER_CLOSED);
    }

    @Test
    void aContextThatIsStoppedMayStartAgain() throws Exception {
        try (ConfigurableApplicationContext application = start("lockkeeper.url=memory:")) {
            application.stop();
            application.start();
            application.getBean(Lockkeeper.class).lock("a").acquire().close();
        }
    }

    @Test
    void aKeeperThatNobodyAskedForIsNotOpenedAtTheEnd() {
        AtomicInteger opened = new AtomicInteger();
        new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties("lockkeeper.url=memory:", "spring.main.lazy-initialization=true")
                .initializers(
                        context -> context.getBeanFactory().registerSingleton("counter", (LockkeeperBuilderCustomizer)
                                (keeper, builder) -> opened.incrementAndGet()))
                .run()
                .close();
        assertThat(opened).hasValue(0);
    }
}
