package io.lockkeeper.testkit.sim;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A server of sessions: what a session makes, in order, lives until it is deleted or the session is not heard of for its
 * timeout by the server's clock. A claim holds while no node before its own is in its way.
 *
 * <p>Keepers reach it through {@linkplain Follower followers}, which tell it later that they heard of a session; or directly, and
 * then it counts when it comes, but only what is sent for that purpose does.
 */
final class SessionServer implements Server {

    /** A node that a session owns. */
    static final class Node {
        final String claimId;
        final String keeperId;
        final long session;
        final Resource resource;
        final long created;
        final Duration lease;
        final boolean fixed;
        Mode mode;
        /** When its keeper was last told that it holds, in answer to an attempt. */
        long promisedAt;
        /** When its keeper was last told that it is there. */
        long confirmedAt;

        Node(String keeperId, long session, Claim claim, long created) {
            this.claimId = claim.id();
            this.keeperId = keeperId;
            this.session = session;
            this.resource = claim.resource();
            this.created = created;
            this.lease = claim.lease();
            this.fixed = claim.fixed();
            this.mode = claim.mode();
        }
    }

    private static final int TOKENS = 10;
    private static final int FOLLOWERS = 2;

    private final SimWorld world;
    private final SimMachine machine;
    /** In the order of creation; never reordered. */
    private final Map<Long, Node> nodes = new LinkedHashMap<>();

    private final Map<Long, Long> heardOf = new LinkedHashMap<>();
    /** Nodes of no known claim, and since when. */
    private final Map<Long, Long> orphans = new LinkedHashMap<>();

    private final List<Follower> followers = new ArrayList<>();
    private final long timeout;
    private long counter;
    private boolean down;

    SessionServer(SimWorld world, SimMachine machine) {
        this.world = world;
        this.machine = machine;
        this.timeout = world.plan.session().toNanos();
        for (int i = 0; i < FOLLOWERS && world.plan.relayed(); i++) {
            followers.add(new Follower(this));
        }
        tellOfSessions();
    }

    private void tellOfSessions() {
        machine.timer(now() + timeout / 4, () -> {
            if (!down) {
                followers.forEach(Follower::tellOfSessions);
            }
            tellOfSessions();
        });
    }

    /** Those between it and its keepers; none if they reach it directly. */
    List<Follower> followers() {
        return followers;
    }

    @Override
    public SimMachine machine() {
        return machine;
    }

    @Override
    public boolean isDown() {
        return down;
    }

    /** An ensemble keeps what it knows; sessions get their full time again from a new leader. */
    @Override
    public void restart(long downFor, SimFaults kind) {
        if (!down) {
            down = true;
            world.schedule.after(downFor, () -> {
                down = false;
                followers.forEach(Follower::forget);
                heardOf.replaceAll((session, heard) -> now());
                world.reconnected(this);
            });
        }
    }

    private long now() {
        return machine.now().mono();
    }

    /** Ends the sessions that were silent for too long. */
    void expire() {
        long now = now();
        for (Map.Entry<Long, Long> session : List.copyOf(heardOf.entrySet())) {
            if (now - session.getValue() >= timeout) {
                close(session.getKey());
            }
        }
    }

    long open() {
        expire();
        long session = ++counter;
        heardOf.put(session, now());
        return session;
    }

    /** Whether a session lives. */
    boolean lives(long session) {
        expire();
        return heardOf.containsKey(session);
    }

    /** A sign of life of a session has arrived; it is too late for one that is over. */
    void heardOf(long session) {
        if (lives(session)) {
            heardOf.put(session, now());
        }
    }

    List<Long> sessions() {
        return List.copyOf(heardOf.keySet());
    }

    /** Ends a session and all that it owns. */
    void close(long session) {
        heardOf.remove(session);
        owned(session).forEach(this::delete);
    }

    /** What a session owns, as the leader knows it; null if it is over. */
    @Nullable
    List<Node> contact(long session) {
        if (followers.isEmpty()) {
            heardOf(session);
        }
        if (!lives(session)) {
            return null;
        }
        List<Node> owned = owned(session);
        owned.forEach(node -> node.confirmedAt = now());
        return owned;
    }

    /**
     * For how long a keeper may believe in a claim's grant: the session may end when the leader has heard nothing for its timeout, and
     * a grant that is fixed, or that is not confirmed any more, ends with its lease.
     */
    OptionalLong keptFor(String claimId) {
        // There may be one of an older session, too, which its keeper has given up.
        return nodes.values().stream()
                .filter(node -> node.claimId.equals(claimId) && heardOf.containsKey(node.session))
                .mapToLong(this::keptFor)
                .max();
    }

    private long keptFor(Node node) {
        long heard = Objects.requireNonNull(heardOf.get(node.session));
        long began = node.fixed ? node.promisedAt : node.confirmedAt;
        return Math.max(0, Math.min(heard + timeout, began + node.lease.toNanos()) - now());
    }

    /** What a session owns. */
    List<Node> owned(long session) {
        List<Node> owned = new ArrayList<>();
        for (Node node : nodes.values()) {
            if (node.session == session) {
                owned.add(node);
            }
        }
        return owned;
    }

    /** @return the node of that claim; a node of another session is somebody else's, whatever it is called */
    @Nullable
    Node find(long session, String claimId) {
        Node found = null;
        for (Node node : nodes.values()) {
            boolean ours = node.session == session || world.has(PlantedBug.OLD_SESSION_ADOPTED);
            if (ours && node.claimId.equals(claimId) && found == null) {
                found = node;
            }
        }
        return found;
    }

    /**
     * Makes a node for a claim unless it has one, and says whether it holds; null if the session is over.
     */
    @Nullable
    Answer attempt(String keeperId, long session, Claim claim) {
        if (!lives(session)) {
            return null;
        }
        Node node = find(session, claim.id());
        if (node == null && claim.placed() && claim.queueing() == Claim.Queueing.FAIR) {
            return new Answer.Refused(Answer.Cause.RELEASED, "The place of " + claim.id() + " is lost");
        }
        if (node == null) {
            node = new Node(keeperId, session, claim, ++counter);
            nodes.put(node.created, node);
        }
        if (holds(node)) {
            Answer.Granted granted = new Answer.Granted(
                    node.created << TOKENS, Math.min(claim.tokens(), (1 << TOKENS) - 1), claim.lease());
            node.promisedAt = now();
            node.confirmedAt = now();
            world.granted(claim, granted);
            return granted;
        }
        if (claim.queueing() == Claim.Queueing.NEVER) {
            delete(node);
        }
        return new Answer.Wait(Duration.ofSeconds(1));
    }

    boolean holds(Node node) {
        int permits = 0;
        for (Node other : nodes.values()) {
            if (!other.resource.equals(node.resource)) {
                continue;
            }
            if (other == node) {
                return !(node.mode instanceof Mode.Permits own) || permits + own.count() <= SimWorld.PERMITS;
            }
            if (node.mode instanceof Mode.Exclusive || other.mode instanceof Mode.Exclusive) {
                return false;
            }
            permits += other.mode instanceof Mode.Permits taken ? taken.count() : 0;
        }
        return false;
    }

    /** Ends a claim: its nodes, in whichever session of that keeper they are. */
    Release.Outcome release(String keeperId, String claimId) {
        expire();
        boolean held = false;
        for (Node node : List.copyOf(nodes.values())) {
            if (node.keeperId.equals(keeperId) && node.claimId.equals(claimId)) {
                held |= holds(node);
                delete(node);
            }
        }
        return held ? Release.Outcome.RELEASED : Release.Outcome.NOT_HELD;
    }

    void delete(Node node) {
        if (nodes.remove(node.created) != null) {
            wake(node.resource);
        }
    }

    /** Those who watch are told when what they wait for goes away. */
    private void wake(Resource resource) {
        for (Node node : nodes.values()) {
            if (node.resource.equals(resource) && holds(node)) {
                SimKeeper keeper = world.keeper(node.keeperId);
                if (keeper != null) {
                    world.network.signal(this, keeper.machine, () -> keeper.signal(resource));
                }
            }
        }
    }

    boolean narrow(long session, String claimId, Mode to) {
        Node node = lives(session) ? find(session, claimId) : null;
        if (node != null) {
            node.mode = to;
            wake(node.resource);
        }
        return node != null;
    }

    /** Deletes what is held, as by hand; or, now and then, ends the whole session. */
    void force(Resource resource) {
        for (Node node : List.copyOf(nodes.values())) {
            if (node.resource.equals(resource) && nodes.containsKey(node.created) && holds(node)) {
                if (node.created % 2 == 0) {
                    close(node.session);
                } else {
                    delete(node);
                }
            }
        }
    }

    /** The claims that hold. */
    Set<String> holding() {
        Set<String> holding = new HashSet<>();
        for (Node node : nodes.values()) {
            if (holds(node)) {
                holding.add(node.claimId);
            }
        }
        return holding;
    }

    /**
     * Every node of a session that is used belongs to a claim that its keeper knows, or is found soon. Sessions that were
     * given up end by themselves.
     */
    void check(long patience, BiPredicate<String, Long> isUsed) {
        expire();
        long now = machine.now().mono();
        for (Node node : nodes.values()) {
            SimKeeper keeper = world.keeper(node.keeperId);
            boolean orphan =
                    keeper != null && isUsed.test(node.keeperId, node.session) && !keeper.isConcernedWith(node.claimId);
            Long since = orphans.get(node.created);
            if (!orphan) {
                orphans.remove(node.created);
            } else if (since == null) {
                orphans.put(node.created, now);
            } else if (now - since > patience) {
                throw new Violation(
                        "I6",
                        "a node of claim " + node.claimId + " on " + node.resource
                                + " stays, but its keeper has nothing to do with it any more");
            }
        }
    }

    /** The nodes in order, for messages. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Node node : nodes.values()) {
            text.append(node.resource)
                    .append(' ')
                    .append(node.claimId)
                    .append(" of session ")
                    .append(node.session);
            text.append(holds(node) ? " holds; " : " waits; ");
        }
        return text.toString();
    }

    boolean isEmpty() {
        expire();
        return nodes.isEmpty();
    }
}
