package io.lockkeeper.zookeeper;

import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.ExchangeStore;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.ForceReleaseStore;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.LeaseTimes;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.SemaphoreStore;
import io.lockkeeper.spi.SizeStore;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import io.lockkeeper.spi.WaiterTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * One keeper's access to ZooKeeper.
 *
 * <p>A claim that may queue is created and the folder read in one round trip; its node is its place. It holds when no node before it
 * is in its way ({@link Queue}); else it watches the nearest one that is, so that a release wakes one waiter whatever the length of
 * the queue. A claim that must not queue reads first, and writes only if it would hold.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>A claim has at most one node. Before a repeat creates one it reads the folder behind the requests that were not answered.
 *       Were it created without that, a lost reply would leave a second node, before or behind the claim's own, that nobody ends.
 *   <li>What is granted is granted in the session that is in use and surely lasts. See {@link Sessions} and {@link
 *       io.lockkeeper.spi.Session}.
 *   <li>A release that does not find the node under the name that is known here looks for the claim's id: a narrowing that was
 *       under way may have renamed it.
 * </ul>
 */
final class ZookeeperStore
        implements Store, NarrowingStore, SemaphoreStore, ForceReleaseStore, ExchangeStore, LatchStore {

    private final ZookeeperBackend backend;
    private final Keeper keeper;
    private final Clocks clocks;
    private final Layout layout;
    private final Tombstones tombstones;
    private final Sessions sessions;
    private final ZookeeperSizes sizes;
    private final ZookeeperLatches latches;

    ZookeeperStore(ZookeeperBackend backend, SessionSource source, Layout layout, Keeper keeper) {
        this.backend = backend;
        this.keeper = keeper;
        this.clocks = keeper.clocks();
        this.layout = layout;
        this.tombstones = new Tombstones(clocks);
        this.sessions = new Sessions(source, layout, keeper, tombstones);
        this.sizes = new ZookeeperSizes(sessions, layout, keeper);
        this.latches = new ZookeeperLatches(sessions, layout, keeper);
    }

    void start() {
        sessions.start();
    }

    // ---- attempts

    @Override
    public Answer attempt(Claim claim) {
        if (tombstones.has(claim.id())) {
            return new Answer.Refused(
                    Answer.Cause.RELEASED, "The claim on " + claim.resource() + " was released before; take a new id");
        }
        Deadline until = Deadline.in(claim.timeout());
        try {
            return attempt(sessions.current(until), claim, until);
        } catch (ZookeeperRefusedException refused) {
            return new Answer.Refused(Answer.Cause.FINAL, String.valueOf(refused.getMessage()));
        }
    }

    private Answer attempt(LiveSession in, Claim claim, Deadline until) {
        Moment sentAt = clocks.now();
        in.catchUp();
        OwnNode mine = in.own(claim.id());
        if (mine == null && claim.repeat()) {
            mine = find(in, claim, until);
        }
        int size = Integer.MAX_VALUE;
        if (claim.mode() instanceof Mode.Permits wanted) {
            ZookeeperSizes.Use use = sizes.use(in, claim.resource(), wanted, mine, until);
            if (use.refusal() != null && (mine == null || !mine.isGranted())) {
                leave(in, mine, until);
                return use.refusal();
            }
            size = use.size();
            if (size < wanted.count() && (mine == null || !mine.isGranted())) {
                // It would hold up those behind it until the semaphore is larger.
                leave(in, mine, until);
                return new Answer.Wait(WaiterTimes.LONGEST_POLL);
            }
        }
        List<String> children = null;
        if (mine == null) {
            if (claim.queueing() == Claim.Queueing.NEVER) {
                List<String> there = Wire.ifThere(in.wire.children(layout.queue(claim.resource()), null), until);
                Queue queue = Queue.of(there == null ? List.of() : there);
                if (!queue.wouldHold(claim.mode(), size)) {
                    return waiting(in, layout.queue(claim.resource()), queue.names(), until);
                }
            }
            Joined joined = joined(in, claim, join(in, claim), until);
            mine = joined.node;
            children = joined.children;
        }
        return judge(in, claim, mine, children, size, sentAt, until);
    }

    /** A creation and, behind it, a reading of the folder. */
    private record Joining(CompletableFuture<OwnNode> node, CompletableFuture<List<String>> children) {}

    private Joining join(LiveSession in, Claim claim) {
        CompletableFuture<OwnNode> node = create(in, claim);
        return new Joining(node, in.wire.children(layout.queue(claim.resource()), null));
    }

    /**
     * A node, and a reading of the folder that has it; null if there is none yet. A reading that was under way when the node had to
     * be created again does not have it: taken for the present, it would say that the node was deleted, and a second one would be
     * created beside it, with a greater token than its place is worth.
     */
    private record Joined(OwnNode node, @Nullable List<String> children) {}

    private Joined joined(LiveSession in, Claim claim, Joining joining, Deadline until) {
        CompletableFuture<OwnNode> creation = joining.node;
        for (int i = 0; i < ZookeeperPolicy.LOOKS; i++) {
            OwnNode made = Wire.ifThere(creation, until);
            if (made != null) {
                return new Joined(made, i == 0 ? Wire.ifThere(joining.children, until) : null);
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
        String prefix = folder + "/" + NodeName.prefix(claim.mode(), claim.sticky(), claim.id());
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
        OwnNode node = in.add(own(claim.resource(), folder, name, first(made), sentAt));
        if (!node.name.equals(name)) {
            in.wire.delete(made.path(), -1);
        } else if (tombstones.has(claim.id()) && in.remove(node)) {
            in.wire.delete(made.path(), -1);
        }
        return node;
    }

    private OwnNode own(Resource resource, String folder, NodeName name, long token, Moment sentAt) {
        return new OwnNode(resource, folder, name, token, sentAt, clocks.now(), signalling(resource));
    }

    private Watcher signalling(Resource resource) {
        return event -> {
            if (event.getType() != Watcher.Event.EventType.None) {
                keeper.signal(resource);
            }
        };
    }

    /** The first token of a node: one that took the place of another has that one's. */
    private static long first(Wire.Node node) {
        long kept = NodeData.read(node.text()).token();
        return kept > 0 ? kept : node.stat().getCzxid() << ZookeeperPolicy.TOKEN_BITS;
    }

    /** The node that an unanswered request of this claim made in this session. One of another session is deleted. */
    private @Nullable OwnNode find(LiveSession in, Claim claim, Deadline until) {
        in.wire.sync(layout.root());
        String folder = layout.queue(claim.resource());
        Moment sentAt = clocks.now();
        List<String> children = Wire.ifThere(in.wire.children(folder, null), until);
        NodeName name = children == null ? null : Queue.of(children).find(claim.id());
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
        return in.add(own(claim.resource(), folder, name, first(node), sentAt));
    }

    private Answer judge(
            LiveSession in,
            Claim claim,
            OwnNode first,
            @Nullable List<String> read,
            int size,
            Moment sentAt,
            Deadline until) {
        OwnNode mine = first;
        List<String> children = read;
        for (int i = 0; i < ZookeeperPolicy.LOOKS; i++) {
            NodeName behind = mine.behind;
            if (children == null && behind != null && !isForPermits(claim)) {
                if (Wire.ifThere(in.wire.read(mine.folder + "/" + behind, mine.watcher), until) != null) {
                    return waiting(in, mine.folder, List.of(behind), until);
                }
                mine.behind = null;
            }
            if (children == null) {
                children = Wire.ifThere(in.wire.children(mine.folder, null), until);
            }
            Queue queue = Queue.of(children == null ? List.of() : children);
            Queue.Verdict verdict = queue.verdict(mine.name, size);
            if (verdict == null) {
                // Somebody deleted the node: the place is lost.
                in.remove(mine);
                if (tombstones.has(claim.id())) {
                    throw new StoreUnavailableException("The claim on " + claim.resource() + " was released meanwhile");
                }
                in.wire.delete(mine.path(), -1);
                Joined again = joined(in, claim, join(in, claim), until);
                mine = again.node;
                children = again.children;
                continue;
            }
            if (verdict.holds() || mine.isGranted()) {
                return grant(in, claim, mine, queue, sentAt, until);
            }
            if (claim.queueing() == Claim.Queueing.NEVER) {
                leave(in, mine, until);
                return waiting(in, mine.folder, queue.before(mine.name), until);
            }
            if (verdict.behind() == null) {
                List<String> again = Wire.ifThere(in.wire.children(mine.folder, mine.watcher), until);
                if (again == null || !again.equals(children)) {
                    children = again;
                    continue;
                }
                return waiting(in, mine.folder, queue.before(mine.name), until);
            }
            if (Wire.ifThere(in.wire.read(mine.folder + "/" + verdict.behind(), mine.watcher), until) != null) {
                // Of permits the one before may hold and stay, so that the whole queue is read each time.
                mine.behind = mine.name.kind() == 'p' ? null : verdict.behind();
                return waiting(in, mine.folder, queue.before(mine.name), until);
            }
            children = null;
        }
        return new Answer.Wait(WaiterTimes.SHORTEST_POLL);
    }

    private static boolean isForPermits(Claim claim) {
        return claim.mode() instanceof Mode.Permits;
    }

    /**
     * The claim has to wait. A sticky grant of another keeper that is in its way is recalled by a write to its node, which its keeper
     * watches: each time, since a notification may be lost.
     */
    private Answer waiting(LiveSession in, String folder, List<NodeName> inTheWay, Deadline until) {
        boolean recalled = false;
        for (NodeName name : inTheWay) {
            if (name.sticky()) {
                Wire.Node node = Wire.ifThere(in.wire.read(folder + "/" + name, null), until);
                if (node != null && !NodeData.read(node.text()).keeper().equals(keeper.id())) {
                    in.wire.write(node.path(), node.text(), -1);
                    recalled = true;
                }
            }
        }
        return new Answer.Wait(WaiterTimes.LONGEST_POLL, recalled);
    }

    /** Watches a sticky grant, so that it can be recalled. */
    private void listen(LiveSession in, OwnNode mine) {
        in.wire.read(mine.path(), event -> {
            if (in.own(mine.name.claimId()) != mine) {
                return;
            }
            if (event.getType() == Watcher.Event.EventType.NodeDataChanged) {
                keeper.recall(mine.resource, mine.name.claimId());
                listen(in, mine);
            } else if (event.getType() == Watcher.Event.EventType.NodeDeleted) {
                keeper.signal(mine.resource);
            }
        });
    }

    private Answer grant(LiveSession in, Claim claim, OwnNode mine, Queue queue, Moment sentAt, Deadline until) {
        if (in.session.remaining(clocks.now()) < in.session.timeout().toNanos() / 3) {
            Wire.answer(in.contact(), until);
        }
        if (!sessions.isCurrent(in)
                || in.session.remaining(clocks.now()) < in.session.timeout().toNanos() / 3) {
            throw new StoreUnavailableException("The session with ZooKeeper is about to end");
        }
        boolean waited = !mine.isGranted() && claim.mode() instanceof Mode.Permits && queue.hasAfter(mine.name);
        if (!mine.isGranted()) {
            mine.tokens = Math.min(claim.tokens(), 1 << ZookeeperPolicy.TOKEN_BITS);
        }
        if (mine.name.sticky() && !mine.isGranted()) {
            listen(in, mine);
        }
        mine.grantedAt = sentAt;
        mine.behind = null;
        if (claim.fixed()) {
            mine.fixedUntil = Math.max(
                    mine.fixedUntil == Long.MAX_VALUE ? Long.MIN_VALUE : mine.fixedUntil,
                    sentAt.mono() + claim.lease().toNanos());
        }
        if (waited) {
            // Its node stays, so the claim behind it, which watches it, would not hear that it may be next.
            in.wire.write(mine.path(), NodeData.of(keeper.id(), claim).text(), -1);
        }
        return new Answer.Granted(mine.token, mine.tokens, claim.lease(), in.session);
    }

    /** Gives up a place that holds nothing. */
    private static void leave(LiveSession in, @Nullable OwnNode mine, Deadline until) {
        if (mine != null) {
            Wire.ifThere(in.wire.delete(mine.path(), -1), until);
            in.remove(mine);
        }
    }

    // ---- releases

    @Override
    public Release.Outcome release(Release release) {
        if (release.unanswered()) {
            tombstones.add(release.claimId(), release.lease());
        }
        Deadline until = Deadline.in(release.timeout());
        LiveSession in = sessions.current(until);
        OwnNode mine = in.own(release.claimId());
        if (mine != null) {
            return released(in, release, mine, in.wire.delete(mine.path(), -1), until);
        }
        return releaseById(in, release, until);
    }

    private Release.Outcome released(
            LiveSession in, Release release, OwnNode mine, CompletableFuture<Boolean> deletion, Deadline until) {
        in.remove(mine);
        if (Wire.ifThere(deletion, until) == null) {
            return releaseById(in, release, until);
        }
        return mine.isGranted() ? Release.Outcome.RELEASED : Release.Outcome.NOT_HELD;
    }

    /** A claim of which nothing is known here: a reply was lost, or a narrowing has renamed the node. */
    private Release.Outcome releaseById(LiveSession in, Release release, Deadline until) {
        in.wire.sync(layout.root());
        String folder = layout.queue(release.resource());
        boolean held = false;
        for (int i = 0; i < ZookeeperPolicy.LOOKS; i++) {
            List<String> children = Wire.ifThere(in.wire.children(folder, null), until);
            Queue queue = Queue.of(children == null ? List.of() : children);
            NodeName name = queue.find(release.claimId());
            if (name == null) {
                return held ? Release.Outcome.RELEASED : Release.Outcome.NOT_HELD;
            }
            int size = name.kind() == 'p' ? sizes.size(in, release.resource(), until) : 0;
            Queue.Verdict verdict = queue.verdict(name, size);
            boolean holds = verdict != null && verdict.holds();
            if (Wire.ifThere(in.wire.delete(folder + "/" + name, -1), until) != null) {
                return holds ? Release.Outcome.RELEASED : Release.Outcome.NOT_HELD;
            }
            held |= holds;
        }
        throw new StoreUnavailableException("The claim on " + release.resource() + " changes again and again");
    }

    /** The deletion, the creation and the reading of the folder are under way at once. */
    @Override
    public Exchanged exchange(Release release, Claim next) {
        Deadline until = Deadline.in(release.timeout());
        LiveSession in;
        try {
            in = sessions.current(until);
        } catch (StoreUnavailableException failure) {
            return Exchanged.unanswered(failure);
        }
        OwnNode mine = in.own(release.claimId());
        if (mine == null || release.unanswered() || next.mode() instanceof Mode.Permits || tombstones.has(next.id())) {
            return ExchangeStore.inTwoRequests(this, release, next);
        }
        Moment sentAt = clocks.now();
        in.catchUp();
        CompletableFuture<Boolean> deletion = in.wire.delete(mine.path(), -1);
        Joining joining = join(in, next);
        Release.Outcome outcome = null;
        RuntimeException releaseFailure = null;
        try {
            outcome = released(in, release, mine, deletion, until);
        } catch (RuntimeException failure) {
            releaseFailure = failure;
        }
        try {
            Joined made = joined(in, next, joining, until);
            Answer answer = judge(in, next, made.node, made.children, Integer.MAX_VALUE, sentAt, until);
            return new Exchanged(outcome, releaseFailure, answer, null);
        } catch (RuntimeException failure) {
            return new Exchanged(outcome, releaseFailure, null, failure);
        }
    }

    // ---- what is held

    @Override
    public List<Renewal> renew(List<Claim> held, Duration timeout) {
        Deadline until = Deadline.in(timeout);
        LiveSession in = sessions.current(until);
        long age = in.session.contactEvery().toNanos();
        for (Claim claim : held) {
            age = Math.min(age, LeaseTimes.renewEvery(claim.lease()).toNanos() / 2);
        }
        Moment now = clocks.now();
        for (Claim claim : held) {
            OwnNode node = in.own(claim.id());
            if (node != null && now.since(node.seenAt) > age) {
                sessions.lookedWithin(in, age, until);
                break;
            }
        }
        List<Renewal> answers = new ArrayList<>(held.size());
        for (Claim claim : held) {
            answers.add(renewal(in, claim));
        }
        return answers;
    }

    private Renewal renewal(LiveSession in, Claim claim) {
        OwnNode node = in.own(claim.id());
        if (node == null || !node.isGranted()) {
            return new Renewal.Gone(
                    sessions.endedWithSession(claim.id()) ? Loss.Reason.SESSION_ENDED : Loss.Reason.TAKEN);
        }
        if (!claim.fixed()) {
            return new Renewal.Kept(claim.lease(), false);
        }
        long rest = node.fixedUntil - clocks.now().mono();
        return rest > 0 ? new Renewal.Kept(Duration.ofNanos(rest), false) : new Renewal.Gone(Loss.Reason.EXPIRED);
    }

    /** One step: the old node goes and another one comes in its place, with its number and its token. */
    @Override
    public boolean narrow(Claim held, Mode to) {
        Deadline until = Deadline.in(held.timeout());
        LiveSession in = sessions.current(until);
        in.catchUp();
        OwnNode mine = in.own(held.id());
        if (mine == null || !mine.isGranted()) {
            return false;
        }
        for (int i = 0; i < ZookeeperPolicy.LOOKS; i++) {
            NodeName before = mine.name;
            NodeName after = before.in(to);
            if (before.equals(after)) {
                return in.own(held.id()) == mine;
            }
            String data = new NodeData(keeper.id(), held.holder(), held.lease(), mine.token).text();
            CompletableFuture<Boolean> change = in.wire
                    .multi(
                            Op.delete(mine.folder + "/" + before, -1),
                            in.wire.creation(mine.folder + "/" + after, data, CreateMode.EPHEMERAL))
                    .thenApply(done -> {
                        mine.name = after;
                        return done;
                    });
            try {
                Wire.await(change, until);
                return true;
            } catch (KeeperException.NoNodeException gone) {
                List<String> children = Wire.ifThere(in.wire.children(mine.folder, null), until);
                NodeName now = children == null ? null : Queue.of(children).find(held.id());
                if (now == null) {
                    in.remove(mine);
                    return false;
                }
                mine.name = now;
            } catch (KeeperException failure) {
                throw Wire.failed(failure);
            }
        }
        throw new StoreUnavailableException("The claim on " + held.resource() + " changes again and again");
    }

    @Override
    public boolean forceRelease(Resource resource) {
        Deadline until = Deadline.in(keeper.commandTimeout());
        LiveSession in = sessions.current(until);
        in.catchUp();
        String folder = layout.queue(resource);
        List<String> children = Wire.ifThere(in.wire.children(folder, null), until);
        Queue queue = Queue.of(children == null ? List.of() : children);
        int size = queue.names().stream().anyMatch(name -> name.kind() == 'p') ? sizes.size(in, resource, until) : 0;
        List<CompletableFuture<Boolean>> deletions = new ArrayList<>();
        for (NodeName name : queue.names()) {
            Queue.Verdict verdict = queue.verdict(name, size);
            if (verdict != null && verdict.holds()) {
                deletions.add(in.wire.delete(folder + "/" + name, -1));
            }
        }
        boolean any = false;
        for (CompletableFuture<Boolean> deletion : deletions) {
            any |= Wire.ifThere(deletion, until) != null;
        }
        return any;
    }

    @Override
    public void resize(Resource semaphore, int permits) {
        sizes.resize(semaphore, permits);
    }

    // ---- looking

    @Override
    public Optional<ResourceState> inspect(Resource resource) {
        Deadline until = Deadline.in(keeper.commandTimeout());
        return sessions.read(until, in -> read(in, resource, until));
    }

    private Optional<ResourceState> read(LiveSession in, Resource resource, Deadline until) {
        String folder = layout.queue(resource);
        List<String> children = Wire.ifThere(in.wire.children(folder, null), until);
        Queue queue = Queue.of(children == null ? List.of() : children);
        if (queue.names().isEmpty()) {
            return Optional.empty();
        }
        boolean semaphore = queue.names().get(0).kind() == 'p';
        int size = semaphore ? sizes.size(in, resource, until) : 0;
        List<NodeName> holders = new ArrayList<>();
        List<CompletableFuture<Wire.Node>> nodes = new ArrayList<>();
        for (NodeName name : queue.names()) {
            Queue.Verdict verdict = queue.verdict(name, size);
            if (verdict != null && verdict.holds()) {
                holders.add(name);
                nodes.add(in.wire.read(folder + "/" + name, null));
            }
        }
        List<ResourceState.Grant> grants = new ArrayList<>();
        long serverNow = clocks.now().wall() / 1_000_000 + in.clockAhead;
        for (int i = 0; i < holders.size(); i++) {
            Wire.Node node = Wire.ifThere(nodes.get(i), until);
            if (node != null) {
                NodeData data = NodeData.read(node.text());
                NodeName name = holders.get(i);
                Duration age =
                        Duration.ofMillis(Math.max(0, serverNow - node.stat().getCtime()));
                grants.add(new ResourceState.Grant(
                        data.holder(), first(node), name.isShared(), name.permits(), data.lease(), age));
            }
        }
        int waiting = queue.names().size() - holders.size();
        return grants.isEmpty() && waiting == 0
                ? Optional.empty()
                : Optional.of(new ResourceState(resource, grants, waiting, size));
    }

    @Override
    public List<ResourceState> list(String prefix) {
        LiveSession in = sessions.current(Deadline.in(keeper.commandTimeout()));
        in.catchUp();
        List<ResourceState> states = new ArrayList<>();
        for (Resource resource : named(in, prefix)) {
            read(in, resource, Deadline.in(keeper.commandTimeout())).ifPresent(states::add);
        }
        return states;
    }

    private List<Resource> named(LiveSession in, String prefix) {
        List<String> folders =
                Wire.ifThere(in.wire.children(layout.queues(), null), Deadline.in(keeper.commandTimeout()));
        List<Resource> named = new ArrayList<>();
        for (int from = 0; folders != null && from < folders.size(); from += ZookeeperPolicy.LISTED_AT_ONCE) {
            List<CompletableFuture<List<String>>> parts = new ArrayList<>();
            for (String folder :
                    folders.subList(from, Math.min(folders.size(), from + ZookeeperPolicy.LISTED_AT_ONCE))) {
                parts.add(in.wire.children(layout.queues() + "/" + folder, null));
            }
            for (CompletableFuture<List<String>> part : parts) {
                List<String> segments = Wire.ifThere(part, Deadline.in(keeper.commandTimeout()));
                for (String segment : segments == null ? List.<String>of() : segments) {
                    Resource resource = Layout.resource(segment);
                    if (resource != null && resource.name().startsWith(prefix)) {
                        named.add(resource);
                    }
                }
            }
        }
        return named;
    }

    @Override
    public String storeId() {
        Deadline until = Deadline.in(keeper.commandTimeout());
        return sessions.read(until, in -> backend.storeId(in.wire, layout, until));
    }

    @Override
    public boolean isReachable() {
        return sessions.isReachable();
    }

    // ---- latches

    @Override
    public State state(Resource latch, boolean wake) {
        return latches.state(latch, wake);
    }

    @Override
    public boolean set(Resource latch, String operation, int count) {
        return latches.set(latch, operation, count);
    }

    @Override
    public boolean countDown(Resource latch, long generation, String operation) {
        return latches.countDown(latch, generation, operation);
    }

    @Override
    public void delete(Resource latch, long generation) {
        latches.delete(latch, generation);
    }

    @Override
    public <A extends StoreAbility> @Nullable A ability(Class<A> type) {
        return type == SizeStore.class ? type.cast(sizes) : type.isInstance(this) ? type.cast(this) : null;
    }

    /** For tests: the session as it is now. */
    LiveSession session() {
        return sessions.current(Deadline.in(keeper.commandTimeout()));
    }

    @Override
    public void close() {
        sessions.close();
    }
}
