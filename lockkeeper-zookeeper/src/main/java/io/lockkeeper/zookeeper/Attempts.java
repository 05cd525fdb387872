package io.lockkeeper.zookeeper;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.WaiterTimes;
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
    private final Recalls recalls;

    Attempts(
            Layout layout,
            Keeper keeper,
            Tombstones tombstones,
            Sessions sessions,
            ZookeeperSizes sizes,
            Places places) {
        this.layout = layout;
        this.keeper = keeper;
        this.clocks = keeper.clocks();
        this.tombstones = tombstones;
        this.sessions = sessions;
        this.sizes = sizes;
        this.places = places;
        this.recalls = new Recalls(keeper);
    }

    Answer attempt(Claim claim) {
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
            mine = places.find(in, claim, until);
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
                List<String> there = Wire.ifThere(in.wire.children(layout.queue(claim.resource()), null), until);
                Queue queue = Queue.of(there == null ? List.of() : there);
                if (!queue.wouldHold(claim.mode(), size)) {
                    return recalls.waiting(in, layout.queue(claim.resource()), queue.names(), until);
                }
            }
            Places.Joined joined = places.joined(in, claim, places.join(in, claim), until);
            mine = joined.node();
            children = joined.children();
        }
        return judge(in, claim, mine, children, size, sentAt, until);
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
        for (int i = 0; i < ZookeeperPolicy.LOOKS; i++) {
            NodeName behind = mine.behind;
            if (children == null && behind != null && !isForPermits(claim)) {
                if (Wire.ifThere(in.wire.read(mine.folder + "/" + behind, mine.watcher), until) != null) {
                    return recalls.waiting(in, mine.folder, List.of(behind), until);
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
                Places.Joined again = places.joined(in, claim, places.join(in, claim), until);
                mine = again.node();
                children = again.children();
                continue;
            }
            if (verdict.holds() || mine.isGranted()) {
                return grant(in, claim, mine, queue, sentAt, until);
            }
            if (claim.queueing() == Claim.Queueing.NEVER) {
                Places.leave(in, mine, until);
                return recalls.waiting(in, mine.folder, queue.before(mine.name), until);
            }
            if (verdict.behind() == null) {
                List<String> again = Wire.ifThere(in.wire.children(mine.folder, mine.watcher), until);
                if (again == null || !again.equals(children)) {
                    children = again;
                    continue;
                }
                return recalls.waiting(in, mine.folder, queue.before(mine.name), until);
            }
            if (Wire.ifThere(in.wire.read(mine.folder + "/" + verdict.behind(), mine.watcher), until) != null) {
                // Of permits the one before may hold and stay, so that the whole queue is read each time.
                mine.behind = mine.name.kind() == 'p' ? null : verdict.behind();
                return recalls.waiting(in, mine.folder, queue.before(mine.name), until);
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
}
