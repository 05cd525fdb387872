package io.lockkeeper.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.etcd.EtcdMetrics;
import io.lockkeeper.testkit.etcd.EtcdServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a lock costs on the wire and in the server's log. */
@Timeout(120)
class CostTest {

    private static final int TIMES = 100;
    private static EtcdServer server;

    @BeforeAll
    static void start() {
        server = EtcdServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Lockkeeper connect() {
        return Lockkeeper.builder()
                .lease(Duration.ofMinutes(5))
                .commandTimeout(Duration.ofSeconds(20))
                .connect(server.url());
    }

    /** Requests and entries of the log for each time. */
    private static void assertCost(double requests, double entries, Runnable what) {
        what.run();
        EtcdMetrics metrics = server.metrics();
        // Of the server's own, such as the check of its health.
        long requestsBefore = metrics.requests("Txn") + metrics.requests("Range");
        long entriesBefore = metrics.entries();
        for (int i = 0; i < TIMES; i++) {
            what.run();
        }
        assertThat(metrics.requests("Txn") + metrics.requests("Range") - requestsBefore)
                .isEqualTo(Math.round(requests * TIMES));
        assertThat(metrics.entries() - entriesBefore).isEqualTo(Math.round(entries * TIMES));
    }

    private static ExclusiveHold acquired(Lockkeeper keeper) {
        try {
            return keeper.lock("a").acquire();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anUncontendedPairIsTwoRequestsAndTwoEntries() {
        try (Lockkeeper keeper = connect()) {
            assertCost(2, 2, () -> acquired(keeper).close());
        }
    }

    @Test
    void aSingleTryThatSucceedsReadsFirst() {
        try (Lockkeeper keeper = connect()) {
            assertCost(3, 2, () -> {
                ExclusiveHold hold = keeper.lock("b").tryAcquire();
                assertThat(hold).isNotNull();
                hold.close();
            });
        }
    }

    @Test
    void aFailedTryLeavesNoEntryInTheLog() {
        try (Lockkeeper keeper = connect();
                Lockkeeper other = connect();
                ExclusiveHold held = other.lock("c").tryAcquire()) {
            assertThat(held).isNotNull();
            assertCost(1, 0, () -> assertThat(keeper.lock("c").tryAcquire()).isNull());
        }
    }

    @Test
    void aKeeperHasFewConnections() throws Exception {
        int before = server.connections();
        try (Lockkeeper keeper = connect()) {
            // Kept, since a forgotten hold is released by another thread, on another connection.
            List<ExclusiveHold> holds = new ArrayList<>();
            for (int i = 0; i < TIMES; i++) {
                holds.add(keeper.lock("d" + i).acquire());
            }
            assertThat(server.connections() - before)
                    .as("requests, leases, the watch")
                    .isLessThanOrEqualTo(4);
            holds.forEach(ExclusiveHold::close);
        }
    }
}
