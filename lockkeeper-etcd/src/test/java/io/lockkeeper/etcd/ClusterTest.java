package io.lockkeeper.etcd;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.etcd.EtcdCluster;
import io.lockkeeper.testkit.etcd.EtcdServer;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three servers: what the loss of the leader, of a follower, of the majority, and of one after the other does. */
@Tag("etcd")
@Timeout(180)
class ClusterTest {

    private static EtcdCluster cluster;

    private final List<Lockkeeper> keepers = new ArrayList<>();

    @BeforeAll
    static void start() {
        cluster = EtcdCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void close() {
        cluster.heal();
        cluster.awaitAll();
        keepers.forEach(Lockkeeper::close);
    }

    private Lockkeeper keeper(Duration lease) {
        return keeper(cluster.addresses(), lease);
    }

    private Lockkeeper keeper(String addresses, Duration lease) {
        Lockkeeper keeper = Lockkeeper.builder()
                .lease(lease)
                .commandTimeout(Duration.ofSeconds(5))
                .connect("etcd://" + addresses + "/shop");
        keepers.add(keeper);
        return keeper;
    }

    /** All servers, beginning with this one. */
    private static String beginningWith(EtcdServer first) {
        List<String> addresses = new ArrayList<>(List.of(first.address()));
        cluster.servers().stream()
                .filter(server -> server != first)
                .map(EtcdServer::address)
                .forEach(addresses::add);
        return String.join(",", addresses);
    }

    /** The hold and the queue behind it live on, and the waiter follows with a greater token. */
    private static void handsOn(Lockkeeper first, ExclusiveHold hold, CompletableFuture<ExclusiveHold> waiter)
            throws Exception {
        until(
                "it is confirmed by the others",
                () -> hold.state() == HoldState.HELD && Answers.shows(first, hold.name()));
        assertThat(waiter).isNotDone();
        hold.close();
        try (ExclusiveHold next = waiter.get(60, TimeUnit.SECONDS)) {
            assertThat(next.token()).isGreaterThan(hold.token());
        }
    }

    @Test
    void aHoldOutlastsTheDeathOfTheLeader() throws Exception {
        EtcdServer leader = cluster.leader();
        Lockkeeper first = keeper(beginningWith(leader), Duration.ofSeconds(30));
        Lockkeeper second = keeper(Duration.ofSeconds(30));
        ExclusiveHold hold = first.lock("leader").acquire();
        CompletableFuture<ExclusiveHold> waiter = second.lock("leader").acquireAsync();
        leader.kill();
        try {
            assertThat(cluster.leader()).isNotSameAs(leader);
            handsOn(first, hold, waiter);
        } finally {
            leader.restart();
        }
    }

    @Test
    void aHoldOutlastsTheDeathOfTheFollowerThatItsKeeperUses() throws Exception {
        EtcdServer follower = cluster.follower();
        Lockkeeper first = keeper(beginningWith(follower), Duration.ofSeconds(30));
        Lockkeeper second = keeper(beginningWith(follower), Duration.ofSeconds(30));
        ExclusiveHold hold = first.lock("follower").acquire();
        CompletableFuture<ExclusiveHold> waiter = second.lock("follower").acquireAsync();
        follower.kill();
        try {
            handsOn(first, hold, waiter);
        } finally {
            follower.restart();
        }
    }

    @Test
    void aHoldOutlastsALeaderThatIsStopped() throws Exception {
        EtcdServer leader = cluster.leader();
        Lockkeeper first = keeper(beginningWith(leader), Duration.ofSeconds(30));
        Lockkeeper second = keeper(beginningWith(leader), Duration.ofSeconds(30));
        ExclusiveHold hold = first.lock("stopped").acquire();
        CompletableFuture<ExclusiveHold> waiter = second.lock("stopped").acquireAsync();
        leader.pause();
        try {
            assertThat(cluster.leader()).isNotSameAs(leader);
            handsOn(first, hold, waiter);
        } finally {
            leader.resume();
        }
    }

    /** It has clients and no leader; what it answers must not keep anything alive. */
    @Test
    void aKeeperWithOnlyAFollowerThatIsCutOffLosesItsHoldBeforeAnotherHolds() throws Exception {
        EtcdServer follower = cluster.follower();
        Lockkeeper cutOff = keeper(follower.address(), Duration.ofSeconds(4));
        Lockkeeper other = keeper(cluster.leader().address(), Duration.ofSeconds(4));
        ExclusiveHold hold = cutOff.lock("island").acquire();
        AtomicBoolean together = new AtomicBoolean();
        CompletableFuture<ExclusiveHold> waiter = other.lock("island")
                .acquireAsync()
                .thenApply(next -> {
                    together.set(hold.state() == HoldState.HELD);
                    return next;
                });
        cluster.cutOff(follower);
        hold.lost().get(60, TimeUnit.SECONDS);
        try (ExclusiveHold next = waiter.get(60, TimeUnit.SECONDS)) {
            assertThat(next.token()).isGreaterThan(hold.token());
            assertThat(together).isFalse();
        }
        cluster.heal();
        cutOff.lock("island").acquire().close();
    }

    @Test
    void aKeeperGoesToAnotherServerWhenItsOwnIsCutOffFromTheCluster() throws Exception {
        EtcdServer follower = cluster.follower();
        Lockkeeper first = keeper(beginningWith(follower), Duration.ofSeconds(30));
        Lockkeeper second = keeper(cluster.leader().address(), Duration.ofSeconds(30));
        ExclusiveHold hold = first.lock("moved").acquire();
        CompletableFuture<ExclusiveHold> waiter = second.lock("moved").acquireAsync();
        cluster.cutOff(follower);
        handsOn(first, hold, waiter);
    }

    @Test
    void withoutAMajorityHoldsAreLostInTimeAndWithOneItGoesOn() throws Exception {
        Lockkeeper keeper = keeper(Duration.ofSeconds(6));
        ExclusiveHold hold = keeper.lock("majority").acquire();
        List<EtcdServer> killed = cluster.servers().subList(0, 2);
        killed.forEach(EtcdServer::kill);
        CompletableFuture<ExclusiveHold> waiter;
        try {
            until("it is not sure", () -> hold.state() != HoldState.HELD);
            hold.lost().get(60, TimeUnit.SECONDS);
            waiter = keeper.lock("majority").acquireAsync();
        } finally {
            killed.forEach(EtcdServer::startAgain);
            cluster.awaitAll();
        }
        try (ExclusiveHold next = waiter.get(60, TimeUnit.SECONDS)) {
            assertThat(next.token()).isGreaterThan(hold.token());
            assertThat(hold.state()).isEqualTo(HoldState.LOST);
        }
    }

    @Test
    void oneAfterTheOtherIsRestartedWhileClientsWork() throws Exception {
        restartedOneAfterTheOther(4, 3);
    }

    @Test
    @Tag("full")
    @Timeout(600)
    void oneAfterTheOtherIsRestartedWhileAHundredClientsWork() throws Exception {
        restartedOneAfterTheOther(100, 1);
    }

    private void restartedOneAfterTheOther(int clients, int threads) throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger together = new AtomicInteger();
        AtomicInteger pairs = new AtomicInteger();
        AtomicLong lastToken = new AtomicLong();
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (int k = 0; k < clients; k++) {
            Lockkeeper keeper = keeper(Duration.ofSeconds(30));
            for (int t = 0; t < threads; t++) {
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
        for (EtcdServer server : cluster.servers()) {
            int before = pairs.get();
            until("work goes on", () -> pairs.get() > before + 20);
            server.stop();
            server.restart();
            cluster.awaitAll();
        }
        int before = pairs.get();
        until("work goes on", () -> pairs.get() > before + 20);
        stop.set(true);
        for (CompletableFuture<Void> worker : workers) {
            worker.get(120, TimeUnit.SECONDS);
        }
        assertThat(together).hasValue(0);
    }
}
