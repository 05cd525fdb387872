package io.lockkeeper.faults.site;

import io.lockkeeper.faults.drive.Fault;
import io.lockkeeper.faults.drive.Pauses;
import io.lockkeeper.faults.drive.Scene;
import io.lockkeeper.faults.drive.ScriptedFault;
import io.lockkeeper.faults.drive.Site;
import io.lockkeeper.testkit.redis.RedisCluster;
import io.lockkeeper.testkit.redis.RedisServer;
import io.lockkeeper.testkit.redis.SlotMove;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Three primaries, each with a replica. Each node stands behind a proxy that all clients go through; the nodes' own bus does
 * not.
 */
final class ClusterSite implements Site {

    private static final int SLOTS = 16384;
    /** Long enough for the others to miss a node and promote its replica. */
    private static final Duration FAILOVER = Duration.ofSeconds(3);

    private final RedisCluster cluster = RedisCluster.startProxied(options -> options);

    @Override
    public String url() {
        return cluster.url();
    }

    @Override
    public List<Fault> faults() {
        return List.of(
                new ScriptedFault("slot moved", false, true, this::moveSlot),
                new ScriptedFault("primary killed", true, true, this::killPrimary),
                new ScriptedFault("primary stopped", true, true, this::stopPrimary),
                new ScriptedFault("node cut off from clients", false, false, this::cutOff),
                new ScriptedFault("signals dropped", false, true, this::dropSignals));
    }

    /** Slowly, so that there are moments at which its keys are here and there. */
    private String moveSlot(Scene scene, SplittableRandom random) {
        int slot = slot(scene, random);
        RedisServer from = cluster.primaryOf(slot);
        RedisServer to = from;
        while (to == from) {
            to = cluster.primaryOf(random.nextInt(SLOTS));
        }
        SlotMove move = cluster.beginMove(slot, to);
        Pauses.forTime(Pauses.times(Duration.ofMillis(300), 0, 1, random));
        move.moveKeys();
        Pauses.forTime(Pauses.times(Duration.ofMillis(300), 0, 1, random));
        move.moveKeys();
        move.finish();
        return "slot " + slot + " from " + from + " to " + to;
    }

    private String killPrimary(Scene scene, SplittableRandom random) {
        RedisServer primary = cluster.primaryOf(slot(scene, random));
        cluster.killAndAwaitPromotion(primary);
        primary.restart();
        cluster.awaitCalm();
        return primary.toString();
    }

    private String stopPrimary(Scene scene, SplittableRandom random) {
        RedisServer primary = cluster.primaryOf(slot(scene, random));
        RedisDeeds.stopFor(primary, FAILOVER.plus(Pauses.times(Duration.ofSeconds(1), 0, 1, random)));
        cluster.awaitCalm();
        return primary.toString();
    }

    private String cutOff(Scene scene, SplittableRandom random) {
        RedisServer primary = cluster.primaryOf(slot(scene, random));
        Links.swallow(List.of(cluster.proxy(primary)), Pauses.times(scene.lease(), 0.5, 2, random));
        cluster.awaitCalm();
        return primary.toString();
    }

    private String dropSignals(Scene scene, SplittableRandom random) {
        RedisDeeds.dropSubscribers(cluster.nodes());
        return "all nodes";
    }

    /** The slot of one of the locks, by a look at the keys that there are. */
    private int slot(Scene scene, SplittableRandom random) {
        String name = scene.names().get(random.nextInt(scene.names().size()));
        for (RedisServer node : cluster.nodes()) {
            if (node.command("KEYS", "*" + name + "*") instanceof List<?> keys && !keys.isEmpty()) {
                return cluster.slotOf(String.valueOf(keys.get(0)));
            }
        }
        return random.nextInt(SLOTS);
    }

    @Override
    public void close() {
        cluster.close();
    }
}
