package io.lockkeeper.zookeeper;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.zookeeper.ZookeeperEnsemble;
import io.lockkeeper.testkit.zookeeper.ZookeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three servers: what the loss of the leader, of the majority, and of one after the other does. */
@Timeout(180)
class EnsembleTest {

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
        Lockkeeper keeper = Lockkeeper.builder()
                .lease(lease)
                .commandTimeout(Duration.ofSeconds(10))
                .connect("zk://" + ensemble.addresses() + "/shop");
        keepers.add(keeper);
        return keeper;
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
                    () -> hold.state() == HoldState.HELD
                            && first.inspect("leader").isPresent());
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
    void oneAfterTheOtherIsRestartedWhileClientsWork() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger together = new AtomicInteger();
        AtomicInteger pairs = new AtomicInteger();
        AtomicLong lastToken = new AtomicLong();
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (int k = 0; k < 4; k++) {
            Lockkeeper keeper = keeper(Duration.ofSeconds(30));
            for (int t = 0; t < 3; t++) {
                workers.add(CompletableFuture.runAsync(
                        () -> {
                            while (!stop.get()) {
                                try (ExclusiveHold hold = keeper.lock("rolling").acquire()) {
                                    if (inside.incrementAndGet() > 1) {
                                        together.incrementAndGet();
                                    }
                                    long before = lastToken.getAndSet(hold.token());
                                    if (before >= hold.token()) {
                                        together.incrementAndGet();
                                    }
                                    pairs.incrementAndGet();
                                    inside.decrementAndGet();
                                } catch (InterruptedException e) {
                                    return;
                                }
                            }
                        },
                        task -> new Thread(task, "worker").start()));
            }
        }
        for (ZookeeperServer server : ensemble.servers()) {
            int before = pairs.get();
            until("work goes on", () -> pairs.get() > before + 20);
            server.restart();
            ensemble.awaitAll();
        }
        int before = pairs.get();
        until("work goes on", () -> pairs.get() > before + 20);
        stop.set(true);
        for (CompletableFuture<Void> worker : workers) {
            worker.get(60, TimeUnit.SECONDS);
        }
        assertThat(together).hasValue(0);
    }
}
