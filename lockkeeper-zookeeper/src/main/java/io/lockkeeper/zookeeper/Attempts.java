package io.lockkeeper.zookeeper;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.WaiterTimes;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Attempts: whether a claim holds, waits or is refused.
 *
 * <p>A claim that may queue is created and the folder read in one round trip; its node is its place. It holds when no node before it
 * is in its way ({@link Queue}); else it watches the nearest one that is, so that a release wakes one waiter whatever the length of
 * the queue. A claim that must not queue reads first, and writes only if it would hold.
 *
 * <p><b>Invariant.</b> What is granted is granted in the session that is in use and surely lasts for a third of its timeout. Were it
 * granted in one that is about to end, its holder would begin work that it cannot finish. See {@link Sessions} and {@link
 * io.lockkeeper.spi.Session}.
 */
final class Attempts {

    private final Layout layout;
    private final Keeper keeper;
    private final Clocks clocks;
    private final Tombstones tombstones;
    private final Sessions sessions;
    private final ZookeeperSizes sizes;
    private final Places places;
    private final RequestClaims requests;
    private final ReleaseMarks marks;
    private final Recalls recalls;

    Attempts(
            Layout layout,
            Keeper keeper,
            Tombstones tombstones,
            Sessions sessions,
            ZookeeperSizes sizes,
            Places places,
            RequestClaims requests,
            ReleaseMarks marks) {
        this.layout = layout;
        this.keeper = keeper;
        this.clocks = keeper.clocks();
        this.tombstones = tombstones;
        this.sessions = sessions;
        this.sizes = sizes;
        this.places = places;
        this.requests = requests;
        this.marks = marks;
        this.recalls = new Recalls(keeper);
    }

    Answer attempt(Claim claim) {
        if (tombstones.has(claim.id())) {
            return released(claim);
        }
        String refusal = layout.refusal(claim.resource());
        if (refusal != null) {
            return new Answer.Refused(Answer.Cause.FINAL, refusal);
        }
        Deadline until = Deadline.in(claim.timeout());
        try {
            return attempt(sessions.current(until), claim, until);
        } catch (ZookeeperRefusedException refused) {
            return new Answer.Refused(Answer.Cause.FINAL, String.valueOf(refused.getMessage()));
        }
    }

    private static Answer.Refused released(Claim claim) {
        return new Answer.Refused(
                Answer.Cause.RELEASED, "The claim on " + claim.resource() + " was released before; take a new id");
    }

    private static Answer.Refused placeLost(Claim claim) {
        return new Answer.Refused(
                Answer.Cause.RELEASED, "The claim on " + claim.resource() + " has lost its place; take a new id");
    }

    private static boolean isFairAndPlaced(Claim claim) {
        return claim.placed() && claim.queueing() == Claim.Queueing.FAIR;
    }

    private Answer attempt(LiveSession in, Claim claim, Deadline until) {
        Moment sentAt = clocks.now();
        in.catchUp();
        OwnNode mine = in.own(claim.id());
        if (mine == null && requests.isOne(claim)) {
            Answer answer = requests.attempt(in, claim, until);
            return answer == null ? waitingBehindAll(in, claim, until) : answer;
        }
        if (mine == null && claim.repeat()) {
            mine = places.find(in, claim, until);
            if (mine == null && Wire.answer(marks.has(in, claim.id()), until)) {
                return released(claim);
            }
        }
        if (mine == null && isFairAndPlaced(claim)) {
            return placeLost(claim);
        }
        int size = Integer.MAX_VALUE;
        if (claim.mode() instanceof Mode.Permits wanted) {
            ZookeeperSizes.Use use = sizes.use(in, claim.resource(), wanted, mine, until);
            if (use.refusal() != null && (mine == null || !mine.isGranted())) {
                Places.leave(in, mine, until);
                return use.refusal();
            }
            size = use.size();
            if (size < wanted.count() && (mine == null || !mine.isGranted())) {
                // It would hold up those behind it until the semaphore is larger.
                Places.leave(in, mine, until);
                return new Answer.Wait(WaiterTimes.LONGEST_POLL);
            }
        }
        List<String> children = null;
        if (mine == null) {
            if (claim.queueing() == Claim.Queueing.NEVER) {
                Queue queue = Queue.of(Wire.ifThere(in.wire.children(layout.queue(claim.resource()), null), until));
                if (!queue.wouldHold(claim.mode(), size)) {
                    return waitingBehind(in, layout.queue(claim.resource()), queue, until);
                }
            }
            Places.Joined joined = places.joined(in, claim, places.join(in, claim), until);
            mine = joined.node();
            children = joined.children();
        }
        return judge(in, claim, mine, children, size, sentAt, until);
    }

    private Answer waitingBehindAll(LiveSession in, Claim claim, Deadline until) {
        String folder = layout.queue(claim.resource());
        return waitingBehind(in, folder, Queue.of(Wire.ifThere(in.wire.children(folder, null), until)), until);
    }

    /** The answer to a claim that has no place and is behind a whole queue. */
    private Answer waitingBehind(LiveSession in, String folder, Queue queue, Deadline until) {
        Duration poll = WaiterTimes.LONGEST_POLL;
        if (!queue.names().isEmpty() && queue.names().get(0).isRequest()) {
            NodeName first = queue.names().get(0);
            Wire.Node node = Wire.ifThere(in.wire.read(folder + "/" + first, null), until);
            Duration left = node == null ? null : requests.waitFor(in, first, node, until);
            poll = left == null ? WaiterTimes.SHORTEST_POLL : left;
        }
        return recalls.waiting(in, folder, queue.names(), poll, until);
    }

    /** Whether a claim that has a node holds; {@code read} is a reading of its folder that has the node, or null. */
    Answer judge(
            LiveSession in,
            Claim claim,
            OwnNode first,
            @Nullable List<String> read,
            int size,
            Moment sentAt,
            Deadline until) {
        OwnNode mine = first;
        List<String> children = read;
        int permits = size;
        for (int i = 0; i < ZookeeperPolicy.LOOKS; i++) {
            NodeName behind = mine.behind;
            if (children == null && behind != null && !isForPermits(claim)) {
                Wire.Node before = Wire.ifThere(in.wire.read(mine.folder + "/" + behind, mine.watcher), until);
                Duration poll = before == null ? null : requests.waitFor(in, behind, before, until);
                if (poll != null) {
                    return recalls.waiting(in, mine.folder, List.of(behind), poll, until);
                }
                mine.behind = null;
            }
            if (children == null) {
                children = Wire.ifThere(in.wire.children(mine.folder, null), until);
            }
            Queue queue = Queue.of(children);
            Queue.Verdict verdict = queue.verdict(mine.name, permits);
            if (verdict == null) {
                // Somebody deleted the node: the place is lost.
                in.remove(mine);
                if (tombstones.has(claim.id())) {
                    throw new StoreUnavailableException("The claim on " + claim.resource() + " was released meanwhile");
                }
                if (Wire.answer(marks.has(in, claim.id()), until)) {
                    return released(claim);
                }
                in.wire.delete(mine.path(), -1);
                if (isFairAndPlaced(claim)) {
                    return placeLost(claim);
                }
                Places.Joined again = places.joined(in, claim, places.join(in, claim), until);
                mine = again.node();
                children = again.children();
                continue;
            }
            if (verdict.holds() && !mine.isGranted() && claim.mode() instanceof Mode.Permits wanted) {
                // The size was read before the queue. Were it reduced in between, what has left the queue since would
                // be granted again.
                int now = sizes.size(in, claim.resource(), until);
                if (now < wanted.count()) {
                    Places.leave(in, mine, until);
                    return new Answer.Wait(WaiterTimes.LONGEST_POLL);
                }
                if (now < permits) {
                    permits = now;
                    continue;
                }
            }
            if (verdict.holds() || mine.isGranted()) {
                return grant(in, claim, mine, queue, sentAt, until);
            }
            if (claim.queueing() == Claim.Queueing.NEVER) {
                Places.leave(in, mine, until);
                return recalls.waiting(in, mine.folder, queue.before(mine.name), WaiterTimes.LONGEST_POLL, until);
            }
            if (verdict.behind() == null) {
                List<String> again = Wire.ifThere(in.wire.children(mine.folder, mine.watcher), until);
                if (again == null || !again.equals(children)) {
                    children = again;
                    continue;
                }
                return recalls.waiting(in, mine.folder, queue.before(mine.name), WaiterTimes.LONGEST_POLL, until);
            }
            NodeName nearest = verdict.behind();
            Wire.Node before = Wire.ifThere(in.wire.read(mine.folder + "/" + nearest, mine.watcher), until);
            Duration poll = before == null ? null : requests.waitFor(in, nearest, before, until);
            if (poll != null) {
                // Of permits the one before may hold and stay, so that the whole queue is read each time.
                mine.behind = mine.name.kind() == 'p' ? null : nearest;
                return recalls.waiting(in, mine.folder, queue.before(mine.name), poll, until);
            }
            children = null;
        }
        return new Answer.Wait(WaiterTimes.SHORTEST_POLL);
    }

    private static boolean isForPermits(Claim claim) {
        return claim.mode() instanceof Mode.Permits;
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
            recalls.listen(in, mine);
        }
        mine.grantedAt = sentAt;
        mine.behind = null;
        if (claim.fixed()) {
            mine.extendTo(sentAt.mono() + claim.lease().toNanos());
        }
        if (waited) {
            // Its node stays, so the claim behind it, which watches it, would not hear that it may be next.
            in.wire.write(mine.path(), NodeData.of(keeper.id(), claim).text(), -1);
        }
        return new Answer.Granted(mine.token, mine.tokens, claim.lease(), in.session);
    }
}
