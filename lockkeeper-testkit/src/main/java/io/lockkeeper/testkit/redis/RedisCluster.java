package io.lockkeeper.testkit.redis;

import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.TestTimeouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Three primaries that share the slots evenly, each with a replica. A slot without a living primary hurts no other slot.
 *
 * <p>Each node may stand behind a {@link FaultProxy}. Then everybody goes through it who learns its address from the
 * cluster: clients and replicas. The nodes' own bus does not, so what is done there makes no node suspect another.
 */
public final class RedisCluster implements AutoCloseable {

    private static final int PRIMARIES = 3;
    private static final int SLOTS = 16384;
    private static final int BUS = 10_000;
    private static final Duration NODE_TIMEOUT = Duration.ofMillis(1200);

    private final List<RedisServer> nodes = new ArrayList<>();
    private final List<FaultProxy> proxies = new ArrayList<>();

    private RedisCluster() {}

    /** Starts all and returns when every node says that the cluster is well. It takes Redis two seconds to say so. */
    public static RedisCluster start() {
        return start(options -> options);
    }

    /** The same, with wishes for the nodes, such as users. */
    public static RedisCluster start(UnaryOperator<RedisOptions> wishes) {
        return start(wishes, true, false);
    }

    /** The same, each node behind a proxy. */
    public static RedisCluster startProxied(UnaryOperator<RedisOptions> wishes) {
        return start(wishes, true, true);
    }

    /** The primaries only. */
    public static RedisCluster startWithoutReplicas(UnaryOperator<RedisOptions> wishes) {
        return start(wishes, false, false);
    }

    private static RedisCluster start(UnaryOperator<RedisOptions> wishes, boolean replicas, boolean proxied) {
        var cluster = new RedisCluster();
        try {
            for (int i = 0; i < (replicas ? 2 * PRIMARIES : PRIMARIES); i++) {
                cluster.startNode(wishes, proxied);
            }
            cluster.introduce();
            cluster.shareSlots();
            if (replicas) {
                cluster.giveReplicas();
            }
            cluster.awaitCalm();
            return cluster;
        } catch (RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
    }

    private void startNode(UnaryOperator<RedisOptions> wishes, boolean proxied) {
        RedisServer node = wishes.apply(RedisServer.options()
                        .set("cluster-enabled", "yes")
                        .set("cluster-node-timeout", Long.toString(NODE_TIMEOUT.toMillis()))
                        .set("cluster-require-full-coverage", "no")
                        .set("cluster-replica-validity-factor", "0")
                        .alsoUsesPortAt(BUS))
                .start();
        nodes.add(node);
        if (proxied) {
            FaultProxy proxy = FaultProxy.to(node.port());
            proxies.add(proxy);
            node.command("CONFIG", "SET", "cluster-announce-ip", "127.0.0.1");
            node.command("CONFIG", "SET", "cluster-announce-port", Integer.toString(proxy.port()));
            node.command("CONFIG", "SET", "cluster-announce-bus-port", Integer.toString(node.port() + BUS));
            node.command("CONFIG", "REWRITE");
            node.restart();
        }
    }

    /** Each gets its epoch while it still knows nobody: later it may not be set. */
    private void introduce() {
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        }
        nodes.forEach(this::meetAll);
    }

    private void meetAll(RedisServer node) {
        nodes.forEach(other -> node.command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(other.port())));
    }

    private void shareSlots() {
        for (int i = 0; i < PRIMARIES; i++) {
            var words = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
            IntStream.range(SLOTS * i / PRIMARIES, SLOTS * (i + 1) / PRIMARIES)
                    .forEach(slot -> words.add(Integer.toString(slot)));
            nodes.get(i).command(words.toArray(String[]::new));
        }
    }

    private void giveReplicas() {
        for (int i = PRIMARIES; i < nodes.size(); i++) {
            RedisServer replica = nodes.get(i);
            String primary = id(nodes.get(i - PRIMARIES));
            TestTimeouts.until("the nodes have met", () -> haveMet(replica, primary));
            replica.command("CLUSTER", "REPLICATE", primary);
        }
    }

    /** Handshakes that take longer than the time-out of the nodes, as on a busy machine, are given up: then they meet again. */
    private boolean haveMet(RedisServer node, String other) {
        List<String> known =
                String.valueOf(node.command("CLUSTER", "NODES")).lines().toList();
        if (known.stream().anyMatch(line -> line.startsWith(other) && !line.contains("handshake"))) {
            return true;
        }
        if (known.stream().noneMatch(line -> line.contains("handshake"))) {
            meetAll(node);
        }
        return false;
    }

    private static String id(RedisServer node) {
        return String.valueOf(node.command("CLUSTER", "MYID"));
    }

    /** Waits until every living node says that all slots are served, and the replicas follow. */
    public void awaitCalm() {
        int everybody = nodes.size();
        TestTimeouts.until(
                "all nodes of the cluster are well",
                () -> living().stream().allMatch(node -> {
                    String state = String.valueOf(node.command("CLUSTER", "INFO"));
                    return state.contains("cluster_state:ok")
                            && state.contains("cluster_slots_ok:" + SLOTS)
                            && state.contains("cluster_known_nodes:" + everybody)
                            && !"down".equals(node.info("replication").get("master_link_status"));
                }));
    }

    /** Where clients find it, as nobody in particular. */
    public String url() {
        return url("");
    }

    /** Where clients find it, as a certain user. */
    public String url(String user, String password) {
        return url(user + ":" + password + "@");
    }

    private String url(String who) {
        return "redis-cluster://" + who
                + IntStream.range(0, PRIMARIES)
                        .mapToObj(i -> "127.0.0.1:" + address(i))
                        .collect(Collectors.joining(","));
    }

    /** All nodes; at the start the first three are primaries, and each of the others is a replica. */
    public List<RedisServer> nodes() {
        return List.copyOf(nodes);
    }

    private List<RedisServer> living() {
        return nodes.stream().filter(RedisServer::isAlive).toList();
    }

    /** What stands before a node. */
    public FaultProxy proxy(RedisServer node) {
        if (proxies.isEmpty()) {
            throw new IllegalStateException("There are no proxies: use startProxied");
        }
        return proxies.get(nodes.indexOf(node));
    }

    private int address(int index) {
        return proxies.isEmpty() ? nodes.get(index).port() : proxies.get(index).port();
    }

    /** The slot of a key, which its hash tag decides if it has one. */
    public int slotOf(String key) {
        return ((Long) known(living().get(0).command("CLUSTER", "KEYSLOT", key))).intValue();
    }

    /** The primary that has a key, as a living node sees it. */
    public RedisServer nodeOf(String key) {
        return primaryOf(slotOf(key));
    }

    /** The primary that has a slot, as a living node sees it. */
    public RedisServer primaryOf(int slot) {
        return primaryOf(slot, living().get(0));
    }

    private RedisServer primaryOf(int slot, RedisServer witness) {
        RedisServer owner = ownerOf(slot, witness);
        if (owner == null) {
            throw new IllegalStateException("Nobody has slot " + slot);
        }
        return owner;
    }

    /** Null while nobody has it, as for a moment in a failover. */
    private @Nullable RedisServer ownerOf(int slot, RedisServer witness) {
        for (Object range : (List<?>) known(witness.command("CLUSTER", "SLOTS"))) {
            List<?> fields = (List<?>) range;
            if ((Long) fields.get(0) <= slot && slot <= (Long) fields.get(1)) {
                return nodeAt(((Long) ((List<?>) fields.get(2)).get(1)).intValue());
            }
        }
        return null;
    }

    private int aSlotOf(RedisServer primary) {
        for (Object range : (List<?>) known(primary.command("CLUSTER", "SLOTS"))) {
            List<?> fields = (List<?>) range;
            if (nodeAt(((Long) ((List<?>) fields.get(2)).get(1)).intValue()) == primary) {
                return ((Long) fields.get(0)).intValue();
            }
        }
        throw new IllegalStateException(primary + " has no slots");
    }

    private RedisServer nodeAt(int port) {
        for (int i = 0; i < nodes.size(); i++) {
            if (address(i) == port) {
                return nodes.get(i);
            }
        }
        throw new IllegalStateException("The cluster names port " + port + ", which is none of ours");
    }

    /** The replica of a primary at the start. */
    public RedisServer replicaOf(RedisServer primary) {
        return nodes.get((nodes.indexOf(primary) + PRIMARIES) % nodes.size());
    }

    /** Moves a slot with all its keys to another primary. */
    public void moveSlot(int slot, RedisServer to) {
        SlotMove move = beginMove(slot, to);
        move.moveKeys();
        move.finish();
    }

    /** Begins to move a slot: from now on the old primary answers ASK for keys that it does not have. */
    public SlotMove beginMove(int slot, RedisServer to) {
        return new SlotMove(slot, primaryOf(slot), to, living());
    }

    /**
     * Kills a primary and waits until its replica has taken its place everywhere.
     *
     * @return the new primary
     */
    public RedisServer killAndAwaitPromotion(RedisServer primary) {
        int slot = aSlotOf(primary);
        primary.kill();
        return awaitPromotion(primary, slot);
    }

    /**
     * Waits until the replica of a primary that is dead has taken its place everywhere.
     *
     * @param slot one that the dead one had
     * @return the new primary
     */
    public RedisServer awaitPromotion(RedisServer dead, int slot) {
        TestTimeouts.until(
                "the replica is promoted",
                () -> living().stream().allMatch(witness -> {
                    RedisServer owner = ownerOf(slot, witness);
                    return owner != null && owner != dead;
                }));
        awaitCalm();
        return primaryOf(slot);
    }

    private static Object known(@Nullable Object reply) {
        if (reply == null) {
            throw new IllegalStateException("The node answered nothing");
        }
        return reply;
    }

    @Override
    public void close() {
        RedisServer.closeAll(proxies);
        RedisServer.closeAll(nodes);
    }
}
