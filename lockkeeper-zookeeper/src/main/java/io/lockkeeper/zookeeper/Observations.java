package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Clocks;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Since when this keeper has seen nodes unchanged. It is how a lease ends that belongs to no session: ZooKeeper has no clock that could
 * end it.
 *
 * <p><b>Invariant.</b> A lease has outlived only if its node, at one and the same version, was seen for the whole lease and a margin, by
 * the monotonic clock of this keeper. The first sight is after the write, and the write is after its owner began to count; so no owner
 * still counts on it. What would break it: times that another machine wrote, since clocks differ; or the wall clock, which may be set
 * forward.
 */
final class Observations {

    private record Seen(long version, long since, long last) {}

    private final Clocks clocks;
    private final Map<String, Seen> nodes = new ConcurrentHashMap<>();

    Observations(Clocks clocks) {
        this.clocks = clocks;
    }

    /** Notes that a node was just seen, and returns how much of its lease may be left, in nanoseconds; 0 or less if nothing is. */
    long left(Wire.Node node, Duration lease) {
        long now = clocks.now().mono();
        long version = node.stat().getMzxid();
        Seen seen = nodes.compute(
                node.path(),
                (path, before) ->
                        new Seen(version, before == null || before.version != version ? now : before.since, now));
        return ZookeeperPolicy.observed(lease) - (now - seen.since);
    }

    /** The node is not there any more. */
    void forget(String path) {
        nodes.remove(path);
    }

    /** Forgets what was not looked at for a long time; the next look begins anew. */
    void clean() {
        long now = clocks.now().mono();
        nodes.values().removeIf(seen -> now - seen.last > ZookeeperPolicy.OBSERVATION_KEPT.toNanos());
    }
}
