package io.lockkeeper.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.FaultProxy.Rule;
import io.lockkeeper.testkit.TestTimeouts;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RedisClusterTest {

    private RedisCluster cluster;

    @BeforeAll
    void start() {
        cluster = RedisCluster.startProxied(options -> options.password("hidden"));
    }

    @AfterAll
    void stop() {
        cluster.close();
        assertThat(cluster.nodes()).hasSize(6).noneMatch(RedisServer::isAlive);
    }

    @Test
    void eachKeyHasANodeAndTheOthersSendThereThroughItsProxy() {
        RedisServer home = cluster.nodeOf("k");
        RedisServer other = another(home);
        assertThat(home.command("SET", "k", "v")).isEqualTo("OK");
        assertThatThrownBy(() -> other.command("GET", "k"))
                .hasMessage("MOVED " + cluster.slotOf("k") + " 127.0.0.1:"
                        + cluster.proxy(home).port());
        assertThat(cluster.slotOf("{k}:tail")).isEqualTo(cluster.slotOf("k"));
        assertThat(cluster.url()).contains("127.0.0.1:" + cluster.proxy(home).port());
    }

    @Test
    void aSlotMovesWithItsKeysByAskAndMoved() {
        RedisServer from = cluster.nodeOf("{a}1");
        RedisServer to = another(from);
        int slot = cluster.slotOf("{a}1");
        int address = cluster.proxy(to).port();
        from.command("SET", "{a}1", "one");
        from.command("SET", "{a}2", "two");
        SlotMove move = cluster.beginMove(slot, to);
        move.moveKey("{a}1");
        assertThatThrownBy(() -> from.command("GET", "{a}1")).hasMessage("ASK " + slot + " 127.0.0.1:" + address);
        assertThat(from.command("GET", "{a}2")).isEqualTo("two");
        assertThatThrownBy(() -> from.command("MGET", "{a}1", "{a}2")).hasMessageStartingWith("TRYAGAIN");
        try (RedisWire wire = to.connect()) {
            wire.command("ASKING");
            assertThat(wire.command("GET", "{a}1")).isEqualTo("one");
        }
        move.finish();
        assertThatThrownBy(() -> from.command("GET", "{a}2")).hasMessage("MOVED " + slot + " 127.0.0.1:" + address);
        assertThat(to.command("MGET", "{a}1", "{a}2")).isEqualTo(List.of("one", "two"));
        assertThat(cluster.primaryOf(slot)).isSameAs(to);
        cluster.moveSlot(slot, from);
        assertThat(from.command("GET", "{a}1")).isEqualTo("one");
    }

    @Test
    void whatIsDoneToTheProxyHurtsClientsOnly() {
        RedisServer node = cluster.nodeOf("p");
        FaultProxy proxy = cluster.proxy(node);
        proxy.refuse();
        assertThatThrownBy(() -> new RedisWire(proxy.port())).hasMessageStartingWith("No server can be reached");
        assertThat(node.command("SET", "p", "v")).isEqualTo("OK");
        proxy.heal();
        proxy.toClient(Rule.pass());
        try (RedisWire wire = new RedisWire(proxy.port())) {
            wire.command("AUTH", "hidden");
            assertThat(wire.command("GET", "p")).isEqualTo("v");
        }
    }

    @Test
    void aKilledPrimaryIsReplacedByItsReplica() {
        try (RedisCluster plain = RedisCluster.start()) {
            RedisServer primary = plain.nodeOf("k");
            try (RedisWire wire = primary.connect()) {
                wire.command("SET", "k", "v");
                assertThat(wire.command("WAIT", "1", "10000")).isEqualTo(1L);
            }
            RedisServer promoted = plain.killAndAwaitPromotion(primary);
            assertThat(promoted).isSameAs(plain.replicaOf(primary));
            assertThat(promoted.command("GET", "k")).isEqualTo("v");
            primary.restart();
            plain.awaitCalm();
            TestTimeouts.until(
                    "the old one follows",
                    () -> "slave".equals(primary.info("replication").get("role")));
        }
    }

    @Test
    void aPausedNodeHurtsItsSlotsOnly() {
        try (RedisCluster primaries = RedisCluster.startWithoutReplicas(options -> options)) {
            RedisServer hung = primaries.nodeOf("k");
            hung.pause();
            RedisServer other = primaries.nodes().stream()
                    .filter(node -> node != hung)
                    .findFirst()
                    .orElseThrow();
            assertThat(other.command("SET", keyOn(other), "v")).isEqualTo("OK");
            hung.resume();
            primaries.awaitCalm();
        }
    }

    /** Found by asking the node: it refuses those of others. */
    private static String keyOn(RedisServer node) {
        for (int i = 0; ; i++) {
            try {
                node.command("GET", "key" + i);
                return "key" + i;
            } catch (RedisError moved) {
                assertThat(moved).hasMessageStartingWith("MOVED");
            }
        }
    }

    private RedisServer another(RedisServer primary) {
        return cluster.nodes().subList(0, 3).stream()
                .filter(node -> node != primary)
                .findFirst()
                .orElseThrow();
    }
}
