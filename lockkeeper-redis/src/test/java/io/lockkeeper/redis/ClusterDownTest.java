package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SingleHold;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.redis.client.LogRecorder;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.redis.RedisCluster;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** A cluster that is down, wholly or in part, says so in a sentence; what it has not lost is there when it is up again. */
@Execution(CONCURRENT)
class ClusterDownTest {

    private static final Duration TIMEOUT = Duration.ofMillis(700);

    private static Lockkeeper connect(RedisCluster cluster) {
        // Time enough for one answer at least: what the cluster says is told, not that it said nothing.
        return Lockkeeper.builder()
                .lease(Duration.ofMinutes(1))
                .commandTimeout(Duration.ofSeconds(3))
                .connect(cluster.url());
    }

    /** A name whose lock is kept on this node. */
    private static String nameOn(RedisServer node, RedisCluster cluster, String beginning) {
        int i = 0;
        while (cluster.nodeOf(key(beginning + i)) != node) {
            i++;
        }
        return beginning + i;
    }

    private static String key(String name) {
        return "lockkeeper:{lock:" + name + "}";
    }

    private static RedisServer nodeOfTheStoreItself(RedisCluster cluster) {
        return cluster.nodeOf("lockkeeper:{store}");
    }

    private static RedisServer another(RedisCluster cluster, RedisServer... than) {
        return cluster.nodes().stream()
                .filter(node -> !List.of(than).contains(node))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aClusterThatWantsAllItsNodesAndMissesOneSaysSo() throws Exception {
        try (RedisCluster cluster =
                        RedisCluster.startWithoutReplicas(node -> node.set("cluster-require-full-coverage", "yes"));
                Lockkeeper keeper = connect(cluster)) {
            RedisServer well = nodeOfTheStoreItself(cluster);
            RedisServer dead = another(cluster, well);
            String held = nameOn(well, cluster, "held");
            String tried = nameOn(well, cluster, "tried");
            ExclusiveHold hold = keeper.lock(held).acquire();

            dead.kill();
            TestTimeouts.until("the cluster is down", () -> saysThatItIsDown(well));
            Throwable e = catchThrowable(() -> keeper.lock(tried).tryAcquire(TIMEOUT));
            assertThat(e)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContainingAll(
                            "127.0.0.1:" + well.port(), "its cluster is down", "see CLUSTER INFO there")
                    .hasMessageNotContaining("\n");
            CompletableFuture<ExclusiveHold> waiting = keeper.lock(tried).acquireAsync();
            assertThat(hold.state()).isNotEqualTo(HoldState.LOST);

            dead.restart();
            cluster.awaitCalm();
            waiting.get(60, TimeUnit.SECONDS).close();
            Eventually.holds(() -> hold.state() == HoldState.HELD);
            hold.close();
            Eventually.holds(() ->
                    keeper.inspect(held).isEmpty() && keeper.inspect(tried).isEmpty());
        }
    }

    private static boolean saysThatItIsDown(RedisServer node) {
        return String.valueOf(node.command("CLUSTER", "INFO")).contains("cluster_state:fail");
    }

    @Test
    void aSlotThatNobodyHasHurtsNoOther() throws Exception {
        try (RedisCluster cluster = RedisCluster.startWithoutReplicas(options -> options);
                Lockkeeper keeper = connect(cluster)) {
            RedisServer node = cluster.nodes().get(0);
            String name = nameOn(node, cluster, "name");
            String slot = Integer.toString(cluster.slotOf(key(name)));
            String other = nameOn(cluster.nodes().get(1), cluster, "other");
            keeper.lock(name).acquire().close();

            cluster.nodes().forEach(each -> each.command("CLUSTER", "DELSLOTS", slot));
            assertThat(catchThrowable(() -> keeper.lock(name).tryAcquire(TIMEOUT)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("slot " + slot)
                    .hasMessageContaining("see CLUSTER SLOTS there");
            try (SingleHold hold = keeper.lock(other).tryAcquire()) {
                assertThat(hold).isNotNull();
            }
            CompletableFuture<ExclusiveHold> waiting = keeper.lock(name).acquireAsync();

            node.command("CLUSTER", "ADDSLOTS", slot);
            cluster.awaitCalm();
            waiting.get(60, TimeUnit.SECONDS).close();
            Eventually.holds(() -> keeper.inspect(name).isEmpty());
        }
    }

    @Test
    void aKeeperOpensWhileANodeIsDown() throws Exception {
        try (RedisCluster cluster = RedisCluster.startWithoutReplicas(options -> options)) {
            RedisServer well = nodeOfTheStoreItself(cluster);
            RedisServer dead = another(cluster, well);
            String there = nameOn(dead, cluster, "there");
            String here = nameOn(well, cluster, "here");
            dead.kill();

            try (LogRecorder log = LogRecorder.of("io.lockkeeper.redis", "127.0.0.1:" + dead.port());
                    Lockkeeper keeper = connect(cluster);
                    SingleHold hold = keeper.lock(here).tryAcquire()) {
                assertThat(hold).isNotNull();
                assertThat(log.warnings())
                        .anySatisfy(warning -> assertThat(warning).startsWith("Some keys cannot be used for now"));
                assertThat(catchThrowable(() -> keeper.lock(there).tryAcquire(TIMEOUT)))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("127.0.0.1:" + dead.port());

                dead.restart();
                cluster.awaitCalm();
                keeper.lock(there).acquire().close();
            }
        }
    }
}
