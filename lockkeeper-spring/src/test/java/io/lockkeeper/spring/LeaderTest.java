package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import reactor.core.publisher.Mono;

/** Elections that are beans. */
class LeaderTest {

    @Configuration
    @EnableLockkeeper
    static class Config {
        @Bean
        LeaderElection reports(Lockkeeper keeper) {
            return keeper.leaderElection("reports");
        }
    }

    static class Reports {
        static final List<String> EVENTS = new CopyOnWriteArrayList<>();

        @EventListener
        public void granted(LeadershipGrantedEvent event) {
            EVENTS.add("granted " + event.election().name());
        }

        @EventListener
        public void revoked(LeadershipRevokedEvent event) {
            EVENTS.add("revoked " + event.end().resigned());
        }

        @LeaderOnly
        public Optional<String> write(Runnable body) {
            body.run();
            return Optional.of(
                    "written under " + (Holds.current(ExclusiveHold.class).token() > 0));
        }

        @LeaderOnly(value = "reports", otherwise = WhenBusy.THROW)
        public void mustLead() {}

        @LeaderOnly
        public Mono<String> later() {
            return Mono.just("led");
        }
    }

    private final App app = App.of(Config.class, Reports.class);
    private final Reports reports = app.get(Reports.class);
    private final LeaderElection election = app.get(LeaderElection.class);

    @AfterEach
    void close() {
        app.close();
        Reports.EVENTS.clear();
    }

    @Test
    void theBeanStandsAndPublishesWhatBecomesOfIt() throws Exception {
        assertThat(election.await(Duration.ofSeconds(30))).isNotNull();
        ReturnTypesTest.await(() -> Reports.EVENTS.contains("granted reports"));
        app.context.stop();
        assertThat(Reports.EVENTS).containsExactly("granted reports", "revoked true");
        assertThat(election.isLeader()).isFalse();
    }

    @Test
    void theEndDoesNotWaitForeverForAListener() throws Exception {
        LeaderElection another = app.keeper.leaderElection("another");
        CountDownLatch over = new CountDownLatch(1);
        ApplicationEventPublisher stuck = event -> {
            if (event instanceof LeadershipRevokedEvent) {
                awaitQuietly(over);
            }
        };
        StaticListableBeanFactory beans = new StaticListableBeanFactory(Map.of("another", another));
        LeaderElections elections =
                new LeaderElections(beans.getBeanProvider(LeaderElection.class), stuck, Duration.ofMillis(100));
        elections.start();
        assertThat(another.await(Duration.ofSeconds(30))).isNotNull();
        CompletableFuture<Void> stop = App.async(elections::stop);
        try {
            stop.get(30, TimeUnit.SECONDS);
        } finally {
            over.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void methodsForTheLeaderRunOnTheLeaderOnly() throws Exception {
        assertThat(election.await(Duration.ofSeconds(30))).isNotNull();
        assertThat(reports.write(() -> {})).contains("written under true");
        assertThat(reports.later().block(Duration.ofSeconds(30))).isEqualTo("led");
        reports.mustLead();
        Mono<String> later = reports.later();
        app.context.stop();
        assertThat(reports.write(() -> {})).isEmpty();
        assertThat(later.block(Duration.ofSeconds(30))).isNull();
        assertThatThrownBy(reports::mustLead)
                .isInstanceOf(NotLeaderException.class)
                .hasMessageContaining("Reports.mustLead");
    }

    @Test
    void aLeadershipThatIsLostInTheMethodIsThrown() throws Exception {
        assertThat(election.await(Duration.ofSeconds(30))).isNotNull();
        assertThatThrownBy(() -> reports.write(() -> {
                    ExclusiveHold leadership = Holds.current(ExclusiveHold.class);
                    app.other.forceRelease(Resource.election("reports"));
                    ReturnTypesTest.await(() -> !leadership.isHeld());
                }))
                .isInstanceOf(LockLostException.class);
    }
}
