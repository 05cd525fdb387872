package io.lockkeeper.zookeeper;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Moment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.jspecify.annotations.Nullable;

/**
 * The places of this keeper's claims in the queues: how a claim gets its node, finds it again after a lost reply, and gives it up.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>A claim has at most one node. Before a repeat creates one it reads the folder behind the requests that were not answered.
 *       Were it created without that, a lost reply would leave a second node, before or behind the claim's own, that nobody ends.
 *   <li>A node that was made in another session is never adopted. It vanishes when the server ends that session, with a holder that
 *       believes in it.
 *   <li>A node whose creation is answered after the claim was ended is deleted at once. Nobody would wait for it, and everybody behind
 *       it would.
 * </ul>
 */
final class Places {

    private final Layout layout;
    private final Keeper keeper;
    private final Clocks clocks;
    private final Tombstones tombstones;

    Places(Layout layout, Keeper keeper, Tombstones tombstones) {
        this.layout = layout;
        this.keeper = keeper;
        this.clocks = keeper.clocks();
        this.tombstones = tombstones;
    }

    /** A creation and, behind it, a reading of the folder. */
    record Joining(CompletableFuture<OwnNode> node, CompletableFuture<List<String>> children) {}

    Joining join(LiveSession in, Claim claim) {
        CompletableFuture<OwnNode> node = create(in, claim);
        return new Joining(node, in.wire.children(layout.queue(claim.resource()), null));
    }

    /**
     * A node, and a reading of the folder that has it; null if there is none yet. A reading that was under way when the node had to
     * be created again does not have it: taken for the present, it would say that the node was deleted, and a second one would be
     * created beside it, with a greater token than its place is worth.
     */
    record Joined(OwnNode node, @Nullable List<String> children) {}

    Joined joined(LiveSession in, Claim claim, Joining joining, Deadline until) {
        CompletableFuture<OwnNode> creation = joining.node();
        for (int i = 0; i < ZookeeperPolicy.LOOKS; i++) {
            OwnNode made = Wire.ifThere(creation, until);
            if (made != null) {
                return new Joined(made, i == 0 ? Wire.ifThere(joining.children(), until) : null);
            }
            // The folder is not there yet, or the server removed it because it was empty.
            Roots.ensure(in.wire, layout.queue(claim.resource()), CreateMode.CONTAINER, until);
            creation = create(in, claim);
        }
        throw new StoreUnavailableException("The folder of " + claim.resource() + " is removed again and again");
    }

    private CompletableFuture<OwnNode> create(LiveSession in, Claim claim) {
        Moment sentAt = clocks.now();
        String folder = layout.queue(claim.resource());
        String prefix = folder + "/"
                + NodeName.prefix(claim.mode(), claim.sticky(), claim.id(), layout.label(claim.resource()));
        return in.wire
                .create(prefix, NodeData.of(keeper.id(), claim).text(), CreateMode.EPHEMERAL_SEQUENTIAL)
                .thenApply(made -> register(in, claim, folder, made, sentAt));
    }

    /** Runs when the creation is answered, also if nobody waits for the answer any more. */
    private OwnNode register(LiveSession in, Claim claim, String folder, Wire.Node made, Moment sentAt) {
        NodeName name = NodeName.parse(Layout.name(made.path()));
        if (name == null) {
            throw new IllegalStateException("ZooKeeper named a node " + made.path());
        }
        OwnNode node = in.add(own(claim.resource(), folder, name, firstToken(made), sentAt));
        if (!node.name.equals(name)) {
            in.wire.delete(made.path(), -1);
        } else if (tombstones.has(claim.id()) && in.remove(node)) {
            in.wire.delete(made.path(), -1);
        }
        return node;
    }

    private OwnNode own(Resource resource, String folder, NodeName name, long token, Moment sentAt) {
        return new OwnNode(resource, folder, name, token, sentAt, clocks.now(), () -> keeper.signal(resource));
    }

    /** The first token of a node: one that took the place of another has that one's. */
    static long firstToken(Wire.Node node) {
        long kept = NodeData.read(node.text()).token();
        return kept > 0 ? kept : node.stat().getCzxid() << ZookeeperPolicy.TOKEN_BITS;
    }

    /** The node that an unanswered request of this claim made in this session. One of another session is deleted. */
    @Nullable
    OwnNode find(LiveSession in, Claim claim, Deadline until) {
        in.wire.sync(layout.root());
        String folder = layout.queue(claim.resource());
        Moment sentAt = clocks.now();
        List<String> children = Wire.ifThere(in.wire.children(folder, null), until);
        NodeName name = Queue.of(children).find(claim.id());
        OwnNode known = in.own(claim.id());
        if (name == null || known != null) {
            return known;
        }
        Wire.Node node = Wire.ifThere(in.wire.read(folder + "/" + name, null), until);
        if (node == null) {
            return null;
        }
        if (node.stat().getEphemeralOwner() != in.id) {
            Wire.ifThere(in.wire.delete(node.path(), -1), until);
            return null;
        }
        return in.add(own(claim.resource(), folder, name, firstToken(node), sentAt));
    }

    /** Gives up a place that holds nothing. */
    static void leave(LiveSession in, @Nullable OwnNode mine, Deadline until) {
        if (mine != null) {
            Wire.ifThere(in.wire.delete(mine.path(), -1), until);
            in.remove(mine);
        }
    }
}
