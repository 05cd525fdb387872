package io.lockkeeper.redis.client;

import static io.lockkeeper.redis.client.TestScripts.TIMEOUT;
import static io.lockkeeper.redis.client.TestScripts.bytes;
import static io.lockkeeper.redis.client.TestScripts.count;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.FaultProxy.Rule;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.redis.RedisCluster;
import io.lockkeeper.testkit.redis.RedisServer;
import io.lockkeeper.testkit.redis.SlotMove;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Three primaries with a replica each. */
class ClusterRedisTest {

    private static final Duration SHORT = Duration.ofMillis(400);

    private final RedisCluster cluster = RedisCluster.start(options -> options);
    private final Redis redis = TestClients.connect(cluster.url());

    @AfterEach
    void end() {
        redis.close();
        cluster.close();
    }

    /** A key for each of the three primaries. */
    private List<String> keys() {
        List<String> keys = new ArrayList<>();
        Set<RedisServer> nodes = new HashSet<>();
        for (int i = 0; nodes.size() < 3; i++) {
            if (nodes.add(cluster.nodeOf("k" + i))) {
                keys.add("k" + i);
            }
        }
        return keys;
    }

    private RedisServer otherThan(RedisServer node) {
        return cluster.nodes().stream()
                .limit(3)
                .filter(candidate -> candidate != node)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void eachKeyIsAskedForAtItsNode() {
        redis.check(TIMEOUT);
        List<String> keys = keys();
        keys.forEach(key -> assertThat(redis.run(count(key), TIMEOUT)).isEqualTo(1L));

        assertThat(keys.stream().map(key -> redis.node(bytes(key))))
                .containsExactlyElementsOf(keys.stream()
                        .map(key -> "127.0.0.1:" + cluster.nodeOf(key).port())
                        .toList());
        assertThat(redis.run(count(keys.get(0)), 1, TIMEOUT)).isEqualTo(new Redis.Replicated(2L, 1));
        assertThat(redis.mixesKeys()).isFalse();
        assertThat(redis.countsListeners()).isFalse();
        assertThat(redis.scan(bytes("k*"), TIMEOUT)).extracting(String::new).containsExactlyInAnyOrderElementsOf(keys);
        assertThat(redis.uptime(TIMEOUT)).isPositive();
    }

    @Test
    void aSlotThatMovedIsFollowed() {
        String key = keys().get(0);
        redis.run(count(key), TIMEOUT);
        RedisServer to = otherThan(cluster.nodeOf(key));

        cluster.moveSlot(cluster.slotOf(key), to);

        assertThat(redis.run(count(key), TIMEOUT)).isEqualTo(2L);
        assertThat(redis.node(bytes(key))).isEqualTo("127.0.0.1:" + to.port());
        assertThat(redis.runAll(TestScripts.counts(key, 3), TIMEOUT)).containsExactly(3L, 4L, 5L);
    }

    @Test
    void aSlotOnItsWayIsAskedForAtBothEnds() {
        String key = "{tag}a";
        String late = "{tag}b";
        redis.run(count(key), TIMEOUT);
        redis.run(count(late), TIMEOUT);
        RedisServer to = otherThan(cluster.nodeOf(key));
        SlotMove move = cluster.beginMove(cluster.slotOf(key), to);
        move.moveKey(key);

        // The new node does not know the script yet, and has to be asked for its consent both times.
        to.command("SCRIPT", "FLUSH");
        assertThat(redis.run(count(key), TIMEOUT)).isEqualTo(2L);
        assertThat(redis.run(count(key), 1, TIMEOUT).reply()).isEqualTo(3L);
        assertThat(redis.run(count(late), TIMEOUT)).isEqualTo(2L);
        assertThat(redis.run(count("{tag}new"), TIMEOUT)).isEqualTo(1L);
        assertThat(redis.runAll(List.of(count(key), count(late), count(key)), TIMEOUT))
                .containsExactly(4L, 3L, 5L);

        move.finish();
        assertThat(redis.run(count(late), TIMEOUT)).isEqualTo(4L);
        assertThat(redis.run(count("{tag}new"), TIMEOUT)).isEqualTo(2L);
    }

    @Test
    void aScriptWithHalfMovedKeysIsRetried() throws InterruptedException {
        RedisServer from = cluster.nodeOf("{tag}");
        redis.run(count("{tag}a"), TIMEOUT);
        redis.run(count("{tag}b"), TIMEOUT);
        SlotMove move = cluster.beginMove(cluster.slotOf("{tag}"), otherThan(from));
        move.moveKey("{tag}a");
        Redis.Call both =
                new Redis.Call(TestScripts.COUNT, List.of(bytes("{tag}a"), bytes("{tag}b")), List.of(bytes("1")));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> redis.run(both, SHORT));

        Thread mover = new Thread(move::finish);
        mover.start();
        assertThat(redis.run(both, TIMEOUT.multipliedBy(4))).isEqualTo(2L);
        mover.join();
    }

    @Test
    void aDeadNodeAffectsOnlyItsSlots() {
        List<String> keys = keys();
        keys.forEach(key -> redis.run(count(key), TIMEOUT));
        RedisServer dead = cluster.nodeOf(keys.get(0));
        int slot = cluster.slotOf(keys.get(0));
        dead.pause();

        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> redis.run(count(keys.get(0)), SHORT))
                .withMessageContaining("127.0.0.1:" + dead.port());
        assertThat(redis.run(count(keys.get(1)), TIMEOUT)).isEqualTo(2L);
        assertThat(redis.run(count(keys.get(2)), TIMEOUT)).isEqualTo(2L);

        dead.kill();
        cluster.awaitPromotion(dead, slot);
        TestTimeouts.until("the replica is used", () -> {
            try {
                return redis.run(count(keys.get(0)), TIMEOUT) != null;
            } catch (StoreUnavailableException e) {
                return false;
            }
        });
        assertThat(redis.node(bytes(keys.get(0)))).isNotEqualTo("127.0.0.1:" + dead.port());
    }

    @Test
    void replicasAreWaitedForAtTheNodeOfTheKey() {
        for (String key : keys()) {
            assertThat(redis.run(count(key), 1, TIMEOUT)).isEqualTo(new Redis.Replicated(1L, 1));
        }
    }

    @Test
    void theTableComesFromAnyNode() {
        List<String> keys = keys();
        RedisServer dead = cluster.nodes().get(0);
        cluster.killAndAwaitPromotion(dead);

        // Knows only the addresses it was given, of which one is dead.
        for (String key : keys) {
            assertThat(redis.run(count(key), TIMEOUT)).isEqualTo(1L);
        }
    }

    @Test
    void hearsWhatIsPublishedAnywhereAndMovesToAnotherNode() {
        RecordingListener heard = new RecordingListener();
        try (Redis.Subscription subscription = redis.subscribe(bytes("channel"), heard)) {
            TestTimeouts.until("it is acknowledged", subscription::isActive);
            // Again and again: a subscription that is made anew meanwhile misses some.
            cluster.nodes()
                    .forEach(node -> TestTimeouts.until("what " + node + " says is heard", () -> {
                        String said = "from " + node.port();
                        node.command("PUBLISH", "channel", said);
                        return heard.messages.contains(said);
                    }));

            int before = heard.subscribed.get();
            cluster.nodes().forEach(node -> node.command("CLIENT", "KILL", "TYPE", "pubsub"));
            TestTimeouts.until("it listens again", () -> heard.subscribed.get() > before);
        }
    }

    @Test
    void everyRequestIsExecutedOnceWhileSlotsMove() {
        String key = "{moving}n";
        redis.run(count(key), TIMEOUT);
        int slot = cluster.slotOf(key);
        List<RedisServer> primaries = cluster.nodes().subList(0, 3);
        Thread mover = new Thread(() -> {
            for (int i = 0; i < 6; i++) {
                RedisServer from = cluster.primaryOf(slot);
                cluster.moveSlot(slot, primaries.get((primaries.indexOf(from) + 1) % 3));
            }
        });
        mover.start();
        List<Object> replies = new ArrayList<>();
        while (mover.isAlive()) {
            replies.add(redis.run(count(key), TIMEOUT));
        }

        assertThat(replies)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(2, replies.size() + 1).boxed().toList());
    }

    @Test
    void aServerThatIsNoClusterIsRefused() {
        try (RedisServer single = RedisServer.start();
                Redis wrong = TestClients.connect("redis-cluster://127.0.0.1:" + single.port());
                Redis other =
                        TestClients.single("127.0.0.1", cluster.nodes().get(0).port())) {
            assertThatExceptionOfType(RedisRefusedException.class)
                    .isThrownBy(() -> wrong.check(TIMEOUT))
                    .withMessageContaining("is not a node of a cluster; use redis://");
            assertThatExceptionOfType(RedisRefusedException.class)
                    .isThrownBy(() -> other.check(TIMEOUT))
                    .withMessageContaining("is a node of a cluster; use redis-cluster://");
        }
    }

    @Test
    void aNodeThatIsSlowIsGivenTheTimeThatTheCallerHas() {
        try (RedisServer single = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(single.port());
                Redis wrong = TestClients.connect("redis-cluster://127.0.0.1:" + proxy.port())) {
            proxy.toClient(Rule.delay(Duration.ofMillis(600)));
            assertThatExceptionOfType(RedisRefusedException.class)
                    .isThrownBy(() -> wrong.check(Duration.ofSeconds(30)))
                    .withMessageContaining("is not a node of a cluster; use redis://");
        }
    }
}
