package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.ResourceState;
import io.lockkeeper.testkit.contract.AboutTime;
import io.lockkeeper.testkit.redis.RedisCluster;
import io.lockkeeper.testkit.redis.RedisServer;
import io.lockkeeper.testkit.redis.SlotMove;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Slots may move while locks in them are held and waited for: no lock is lost and no waiter forgotten. While the keys of a name
 * are on both nodes Redis runs no script on them (TRYAGAIN), so the move has to end before the lease does.
 */
@AboutTime
class SlotMigrationTest {

    private static final Duration LEASE = Duration.ofSeconds(9);
    private static final int NAMES = 12;

    private static Lockkeeper connect(RedisCluster cluster, KeeperListener listener) {
        return Lockkeeper.builder()
                .lease(LEASE)
                .commandTimeout(LEASE.dividedBy(3))
                .listener(listener)
                .connect(cluster.url(AppUser.NAME, AppUser.PASSWORD));
    }

    private static int slot(RedisCluster cluster, int number) {
        return cluster.slotOf("lockkeeper:{lock:name " + number + "}");
    }

    private static RedisServer next(RedisCluster cluster, int slot) {
        List<RedisServer> nodes = cluster.nodes();
        return nodes.get((nodes.indexOf(cluster.primaryOf(slot)) + 1) % nodes.size());
    }

    @Test
    void holdersAndWaitersNoticeNothing() throws Exception {
        RenewalCount renewals = new RenewalCount();
        try (RedisCluster cluster = RedisCluster.startWithoutReplicas(AppUser::onCluster);
                Lockkeeper keeper = connect(cluster, renewals);
                Lockkeeper other = connect(cluster, new KeeperListener() {})) {
            List<ExclusiveHold> holds = new ArrayList<>();
            List<CompletableFuture<ExclusiveHold>> waiting = new ArrayList<>();
            List<SlotMove> moves = new ArrayList<>();
            for (int i = 0; i < NAMES; i++) {
                String name = "name " + i;
                holds.add(keeper.lock(name).acquire());
                waiting.add(other.lock(name).acquireAsync());
                Eventually.holds(
                        () -> other.inspect(name).map(ResourceState::waiting).orElse(0) == 1);
            }
            // A third moves at once, a third is on its way until somebody met that, a third stays where it is.
            for (int i = 1; i < NAMES; i += 3) {
                int slot = slot(cluster, i);
                cluster.moveSlot(slot, next(cluster, slot));
            }
            for (int i = 0; i < NAMES; i += 3) {
                int slot = slot(cluster, i);
                moves.add(cluster.beginMove(slot, next(cluster, slot)));
            }
            Eventually.holds(() -> cluster.nodes().stream()
                    .anyMatch(node -> node.info("errorstats").containsKey("errorstat_TRYAGAIN")));
            moves.forEach(SlotMove::moveKeys);
            moves.forEach(SlotMove::finish);
            renewedTwice(renewals);
            HeldLocks.areHeld(holds);
            assertThat(waiting).noneMatch(CompletableFuture::isDone);

            for (int i = 0; i < NAMES; i++) {
                assertThat(holds.get(i).release()).isEqualTo(ReleaseOutcome.RELEASED);
                ExclusiveHold heir = waiting.get(i).get(60, TimeUnit.SECONDS);
                assertThat(heir.token()).isGreaterThan(holds.get(i).token());
                heir.close();
            }
            Eventually.holds(() -> keeper.list("").isEmpty());
        }
    }

    private static void renewedTwice(RenewalCount renewals) {
        int before = renewals.grants.get();
        Eventually.holds(() -> renewals.grants.get() >= before + 2 * NAMES);
    }
}
