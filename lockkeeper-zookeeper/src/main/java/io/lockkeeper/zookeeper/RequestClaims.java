package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.WaiterTimes;
import java.time.Duration;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/**
 * Claims that are owned by ids of the application ({@link io.lockkeeper.RequestLocks}), which every process that knows the id may take
 * again or end. They are exclusive, have a lease and do not queue.
 *
 * <p>Such a claim must outlive the process that made it, so its node belongs to no session. Its lease is in its data and ends by
 * {@link Observations}: a claim that waits for the node, of any keeper, deletes it when it has outlived.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>A yes is the answer to a write: the creation of a node that a reading behind it finds first, or a change of one that was first.
 *       Were a reading enough, a server that lags behind would say yes to an id that was unlocked.
 *   <li>A node changes, and goes at the end of its lease, by its version. Were it deleted whatever its version, one that was taken again
 *       in the last moment would be deleted under its owner.
 *   <li>Taking it again never makes its lease shorter: another process may count on it. How much is left is not known, only that it is
 *       not more than what this keeper has not yet seen pass.
 *   <li>A node of the same id that is not first is left alone: another caller has just made it, and it may be first by now.
 * </ul>
 */
final class RequestClaims {

    private final Layout layout;
    private final Keeper keeper;
    private final Clocks clocks;
    private final Tombstones tombstones;
    private final Observations observations;

    RequestClaims(Layout layout, Keeper keeper, Tombstones tombstones) {
        this.layout = layout;
        this.keeper = keeper;
        this.clocks = keeper.clocks();
        this.tombstones = tombstones;
        this.observations = new Observations(clocks);
    }

    /**
     * Whether it is such a claim: it has a fixed lease, and the keeper does not know it. What an engine claims it knows before it is
     * sent, and ends by itself.
     */
    boolean isOne(Claim claim) {
        return claim.fixed()
                && claim.queueing() == Claim.Queueing.NEVER
                && claim.mode() instanceof Mode.Exclusive
                && !keeper.knows(claim.resource(), claim.id());
    }

    /** Null if it has to wait for others. */
    @Nullable
    Answer attempt(LiveSession in, Claim claim, Deadline until) {
        // The id may have been used by another process just before.
        in.wire.sync(layout.root());
        String folder = layout.queue(claim.resource());
        for (int i = 0; i < ZookeeperPolicy.LOOKS; i++) {
            Queue queue = Queue.of(Wire.ifThere(in.wire.children(folder, null), until));
            NodeName there = queue.find(claim.id());
            if (there == null && !queue.wouldHold(claim.mode(), 0)) {
                return null;
            }
            if (there != null && !queue.holds(there, 0)) {
                return null;
            }
            Answer answer =
                    there == null ? create(in, claim, folder, until) : again(in, claim, folder + "/" + there, until);
            if (answer != null) {
                return answer;
            }
        }
        return new Answer.Wait(WaiterTimes.SHORTEST_POLL);
    }

    /** Null if another one came first, or the folder was missing. */
    private @Nullable Answer create(LiveSession in, Claim claim, String folder, Deadline until) {
        String prefix = folder + "/" + NodeName.requestPrefix(claim.id(), layout.label(claim.resource()));
        Wire.Node made = Wire.ifThere(
                in.wire.create(prefix, NodeData.of(keeper.id(), claim).text(), CreateMode.PERSISTENT_SEQUENTIAL),
                until);
        if (made == null) {
            Roots.ensure(in.wire, folder, CreateMode.CONTAINER, until);
            return null;
        }
        NodeName mine = NodeName.parse(Layout.name(made.path()));
        Queue queue = Queue.of(Wire.ifThere(in.wire.children(folder, null), until));
        if (mine != null && queue.isFirst(mine) && !tombstones.has(claim.id())) {
            return new Answer.Granted(Places.firstToken(made), 1, claim.lease());
        }
        Wire.ifThere(in.wire.delete(made.path(), -1), until);
        return null;
    }

    /** Null if the node was changed or ended by somebody else. */
    private @Nullable Answer again(LiveSession in, Claim claim, String path, Deadline until) {
        Wire.Node node = Wire.ifThere(in.wire.read(path, null), until);
        if (node == null) {
            return null;
        }
        Duration left = Duration.ofNanos(
                Math.max(0, observations.left(node, NodeData.read(node.text()).lease())));
        Duration lease = claim.lease().compareTo(left) > 0 ? claim.lease() : left;
        try {
            Wire.await(
                    in.wire.write(
                            path,
                            NodeData.of(keeper.id(), claim).withLease(lease).text(),
                            node.stat().getVersion()),
                    until);
            return new Answer.Granted(Places.firstToken(node), 1, claim.lease());
        } catch (KeeperException.BadVersionException | KeeperException.NoNodeException changed) {
            return null;
        } catch (KeeperException failure) {
            throw Wire.failed(failure);
        }
    }

    /**
     * A claim has to wait for that node. If it is one of ours that has outlived, it is deleted.
     *
     * @return when to ask again; null if the node is gone or has changed, so that the queue has to be read again
     */
    @Nullable
    Duration waitFor(LiveSession in, NodeName name, Wire.Node node, Deadline until) {
        if (!name.isRequest()) {
            return WaiterTimes.LONGEST_POLL;
        }
        long left = observations.left(node, NodeData.read(node.text()).lease());
        if (left > 0) {
            return left < WaiterTimes.LONGEST_POLL.toNanos() ? Duration.ofNanos(left) : WaiterTimes.LONGEST_POLL;
        }
        try {
            Wire.await(in.wire.delete(node.path(), node.stat().getVersion()), until);
        } catch (KeeperException.BadVersionException | KeeperException.NoNodeException changed) {
            // Its owner was faster.
        } catch (KeeperException failure) {
            throw Wire.failed(failure);
        }
        observations.forget(node.path());
        return null;
    }

    void clean() {
        observations.clean();
    }
}
