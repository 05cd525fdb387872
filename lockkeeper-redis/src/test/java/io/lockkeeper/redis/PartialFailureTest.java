package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Family;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.Resource;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Claim.Queueing;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.contract.AboutTime;
import io.lockkeeper.testkit.redis.RedisCluster;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** A failing node or a broken key affects the locks that are there, and no others. */
class PartialFailureTest {

    /** Long enough that a busy machine renews in time. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static Map<String, ExclusiveHold> hold(Lockkeeper keeper, int locks) throws InterruptedException {
        Map<String, ExclusiveHold> holds = new LinkedHashMap<>();
        for (int i = 0; i < locks; i++) {
            String name = "name " + i;
            holds.put(name, keeper.lock(name).acquire());
        }
        return holds;
    }

    // D1
    @Test
    @AboutTime
    @Execution(CONCURRENT)
    void aHungShardLosesNoLockElsewhere() throws Exception {
        try (RedisCluster cluster = RedisCluster.startWithoutReplicas(options -> options);
                Lockkeeper keeper = Lockkeeper.builder()
                        .lease(LEASE)
                        .commandTimeout(TIMEOUT)
                        .connect(cluster.url())) {
            Map<String, ExclusiveHold> healthy = hold(keeper, 60);
            RedisServer hung = cluster.nodes().get(2);
            Map<String, ExclusiveHold> there = new LinkedHashMap<>(healthy);
            there.keySet().removeIf(name -> cluster.nodeOf("lockkeeper:{lock:" + name + "}") != hung);
            healthy.keySet().removeAll(there.keySet());
            assertThat(there).isNotEmpty();
            assertThat(healthy).hasSizeGreaterThan(20);

            hung.pause();
            Eventually.holds(() -> there.values().stream().allMatch(hold -> hold.state() == HoldState.LOST));
            // As long again, with the node still hung. One renewal may come late on a busy machine, and is made up for.
            long begin = System.nanoTime();
            TestTimeouts.until("a lease has passed, and all is held", () -> {
                assertThat(healthy.values()).noneMatch(hold -> hold.state() == HoldState.LOST);
                return System.nanoTime() - begin > LEASE.toNanos()
                        && healthy.values().stream().allMatch(hold -> hold.state() == HoldState.HELD);
            });
            try (SingleHold hold =
                    keeper.lock(freshOn(cluster.nodes().get(1), cluster)).tryAcquire(LEASE)) {
                assertThat(hold).isNotNull();
            }
            hung.resume();
            keeper.lock(there.keySet().iterator().next()).acquire().close();
        }
    }

    private static String freshOn(RedisServer node, RedisCluster cluster) {
        int i = 0;
        while (cluster.nodeOf("lockkeeper:{lock:fresh " + i + "}") != node) {
            i++;
        }
        return "fresh " + i;
    }

    // D3
    @Test
    @AboutTime
    @Execution(CONCURRENT)
    void anOverwrittenKeyHurtsOnlyItsOwnLock() throws Exception {
        RenewalCount renewals = new RenewalCount();
        try (RedisServer server = RedisServer.start();
                Lockkeeper keeper = Lockkeeper.builder()
                        .lease(LEASE)
                        .commandTimeout(TIMEOUT)
                        .listener(renewals)
                        .connect(server.url());
                Lockkeeper rival = Lockkeeper.connect(server.url())) {
            Map<String, ExclusiveHold> holds = hold(keeper, 300);
            String key = "lockkeeper:{lock:name 150}";
            server.command("SET", key, "somebody else's");
            server.command("DEL", "lockkeeper:{lock:name 77}");
            server.command("RPUSH", "lockkeeper:{lock:name 77}", "of another type");
            server.command("DEL", "lockkeeper:{lock:name 5}:s");
            server.command("SET", "lockkeeper:{lock:name 5}:s", "of another type");

            ExclusiveHold taken = holds.remove("name 150");
            ExclusiveHold unreadable = holds.remove("name 77");
            Eventually.holds(() -> taken.state() == HoldState.LOST && unreadable.state() == HoldState.LOST);
            int before = renewals.grants.get();
            Eventually.holds(() -> renewals.grants.get() >= before + 3 * 298);
            // Also the one of which only the description is spoilt: who has it is in the key itself.
            assertThat(holds.values()).hasSize(298).noneMatch(hold -> hold.state() == HoldState.LOST);
            Eventually.holds(() -> holds.values().stream().allMatch(hold -> hold.state() == HoldState.HELD));
            assertThatThrownBy(() -> rival.lock("name 5").tryAcquire())
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining("type");
            assertThat(server.command("GET", key))
                    .as("no keeper deletes what another one holds")
                    .isEqualTo("somebody else's");
        }
    }

    @Test
    @Execution(CONCURRENT)
    void aHugeQueueDelaysNoOtherName() throws Exception {
        try (StoreScene scene = new StoreScene();
                Lockkeeper keeper = Lockkeeper.connect(scene.server.url())) {
            Resource crowded = new Resource(Family.LOCK, "crowded");
            ExclusiveHold hold = keeper.lock("crowded").acquire();
            for (int i = 0; i < 2000; i++) {
                scene.waits("b", StoreScene.claim(crowded, "c" + i, Mode.EXCLUSIVE, Queueing.FAIR));
            }
            long before = workOf(scene.server);
            hold.close();
            keeper.lock("other").acquire().close();
            assertThat(workOf(scene.server) - before).as("ms of work").isLessThan(50);
            scene.queue(crowded)
                    .forEach(id -> scene.silent(
                            StoreScene.claim(crowded, id, Mode.EXCLUSIVE, Queueing.FAIR), StoreScene.SILENCE));
            before = workOf(scene.server);
            keeper.lock("crowded").acquire().close();
            assertThat(workOf(scene.server) - before).as("ms of work").isLessThan(50);
        }
    }

    /** Processor time that the server has used, in milliseconds; unlike the time of day it does not pass on a busy machine. */
    private static long workOf(RedisServer server) {
        Map<String, String> cpu = server.info("cpu");
        return Math.round(
                1000 * (Double.parseDouble(cpu.get("used_cpu_user")) + Double.parseDouble(cpu.get("used_cpu_sys"))));
    }
}
