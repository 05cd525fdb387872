package io.lockkeeper.zookeeper;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceState;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.zookeeper.ZookeeperEnsemble;
import io.lockkeeper.testkit.zookeeper.ZookeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three servers: what the loss of the leader, of the majority, and of one after the other does. */
@Timeout(180)
class EnsembleTest {

    private static final int CLIENTS = 100;
    private static final int NAMES = 10;

    private static ZookeeperEnsemble ensemble;

    private final List<Lockkeeper> keepers = new ArrayList<>();

    @BeforeAll
    static void start() {
        ensemble = ZookeeperEnsemble.start();
    }

    @AfterAll
    static void stop() {
        ensemble.close();
    }

    @AfterEach
    void close() {
        keepers.forEach(Lockkeeper::close);
    }

    private Lockkeeper keeper(Duration lease) {
        return keeper(ensemble.addresses(), lease);
    }

    private Lockkeeper keeper(String servers, Duration lease) {
        Lockkeeper keeper = Lockkeeper.builder()
                .lease(lease)
                .commandTimeout(Duration.ofSeconds(10))
                .connect("zk://" + servers + "/shop");
        keepers.add(keeper);
        return keeper;
    }

    /** How many wait; less than 0 if nobody holds it, or no server answers just now. */
    private static int waiting(Lockkeeper keeper, String name) {
        try {
            return keeper.inspect(name).map(ResourceState::waiting).orElse(-1);
        } catch (StoreUnavailableException e) {
            return -1;
        }
    }

    @Test
    void aHoldOutlastsTheDeathOfTheLeader() throws Exception {
        Lockkeeper first = keeper(Duration.ofSeconds(30));
        Lockkeeper second = keeper(Duration.ofSeconds(30));
        ExclusiveHold hold = first.lock("leader").acquire();
        CompletableFuture<ExclusiveHold> waiter = second.lock("leader").acquireAsync();
        ZookeeperServer leader = ensemble.leader();
        leader.kill();
        try {
            ensemble.leader();
            until(
                    "it is confirmed by the others",
                    () -> hold.state() == HoldState.HELD && waiting(first, "leader") >= 0);
            assertThat(waiter).isNotDone();
            hold.close();
            try (ExclusiveHold next = waiter.get(60, TimeUnit.SECONDS)) {
                assertThat(next.token()).isGreaterThan(hold.token());
            }
        } finally {
            leader.restart();
            ensemble.awaitAll();
        }
    }

    /** A leader that was stopped does not know that there is another one, and has clients of its own. */
    @Test
    void aLeaderThatWasStoppedGrantsNothingThatIsHeldElsewhere() throws Exception {
        ZookeeperServer stopped = ensemble.leader();
        String others = ensemble.servers().stream()
                .filter(server -> server != stopped)
                .map(ZookeeperServer::address)
                .collect(Collectors.joining(","));
        Lockkeeper first = keeper(others, Duration.ofSeconds(30));
        Lockkeeper second = keeper(others, Duration.ofSeconds(30));
        Lockkeeper ofStopped = keeper(stopped.address(), Duration.ofSeconds(30));
        ExclusiveHold hold = first.lock("stopped").acquire();
        CompletableFuture<ExclusiveHold> waiter = second.lock("stopped").acquireAsync();
        ofStopped.lock("else").acquire().close();
        ExclusiveHold next;
        stopped.pause();
        try {
            until(
                    "another one leads",
                    () -> ensemble.servers().stream().anyMatch(server -> server != stopped && server.leads()));
            until(
                    "the hold is confirmed by the others",
                    () -> hold.state() == HoldState.HELD && waiting(first, "stopped") >= 0);
            assertThat(waiter).isNotDone();
            hold.close();
            next = waiter.get(60, TimeUnit.SECONDS);
            assertThat(next.token()).isGreaterThan(hold.token());
        } finally {
            stopped.resume();
        }
        CompletableFuture<ExclusiveHold> last = ofStopped.lock("stopped").acquireAsync();
        ensemble.awaitAll();
        until("it queues behind", () -> waiting(first, "stopped") == 1);
        assertThat(last).isNotDone();
        assertThat(next.state()).isEqualTo(HoldState.HELD);
        next.close();
        try (ExclusiveHold third = last.get(60, TimeUnit.SECONDS)) {
            assertThat(third.token()).isGreaterThan(next.token());
        }
    }

    @Test
    void withoutAMajorityHoldsAreLostInTimeAndWithOneItGoesOn() throws Exception {
        Lockkeeper keeper = keeper(Duration.ofSeconds(6));
        ExclusiveHold hold = keeper.lock("majority").acquire();
        List<ZookeeperServer> killed = ensemble.servers().subList(0, 2);
        killed.forEach(ZookeeperServer::kill);
        CompletableFuture<ExclusiveHold> waiter;
        try {
            until("it is not sure", () -> hold.state() != HoldState.HELD);
            hold.lost().get(60, TimeUnit.SECONDS);
            waiter = keeper.lock("majority").acquireAsync();
        } finally {
            killed.forEach(ZookeeperServer::startAgain);
            ensemble.awaitAll();
        }
        try (ExclusiveHold next = waiter.get(60, TimeUnit.SECONDS)) {
            assertThat(next.token()).isGreaterThan(hold.token());
            assertThat(hold.state()).isEqualTo(HoldState.LOST);
        }
    }

    @Test
    void oneAfterTheOtherIsRestartedWhileAHundredClientsWork() throws Exception {
        Workers workers = new Workers();
        for (int i = 0; i < CLIENTS; i++) {
            workers.add(keeper(Duration.ofSeconds(30)).lock("rolling/" + i % NAMES));
        }
        for (ZookeeperServer server : ensemble.servers()) {
            workers.awaitProgress();
            server.restart();
            ensemble.awaitAll();
        }
        workers.awaitProgress();
        workers.stop();
        assertThat(workers.mistakes()).isZero();
    }
}
