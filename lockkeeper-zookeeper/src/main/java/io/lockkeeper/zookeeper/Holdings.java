package io.lockkeeper.zookeeper;

import io.lockkeeper.Loss;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.LeaseTimes;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;

/**
 * What becomes of claims that hold: they are confirmed, extended, or made less.
 *
 * <p><b>Invariants.</b> A claim is confirmed only by a look at its own session that found its node and is not older than a renewal may
 * be; a fixed lease is extended only by a write to its node. Were it extended by what is known here, a lock that was taken away would
 * seem to last longer.
 */
final class Holdings {

    private final Layout layout;
    private final Keeper keeper;
    private final Clocks clocks;
    private final Sessions sessions;
    private final ZookeeperSizes sizes;
    private final ReleaseMarks marks;

    Holdings(Layout layout, Keeper keeper, Sessions sessions, ZookeeperSizes sizes, ReleaseMarks marks) {
        this.layout = layout;
        this.keeper = keeper;
        this.clocks = keeper.clocks();
        this.sessions = sessions;
        this.sizes = sizes;
        this.marks = marks;
    }

    List<Renewal> renew(List<Claim> held, Duration timeout) {
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
            answers.add(renewal(in, claim, until));
        }
        return answers;
    }

    private Renewal renewal(LiveSession in, Claim claim, Deadline until) {
        OwnNode node = in.own(claim.id());
        if (node == null && claim.fixed() && !keeper.knows(claim.resource(), claim.id())) {
            return foreign(in, claim, until);
        }
        if (node == null || !node.isGranted()) {
            return gone(in, claim, until);
        }
        if (!claim.fixed()) {
            return new Renewal.Kept(claim.lease(), false);
        }
        long rest = node.fixedUntil - clocks.now().mono();
        return rest > 0 ? new Renewal.Kept(Duration.ofNanos(rest), false) : new Renewal.Gone(Loss.Reason.EXPIRED);
    }

    /** A question about the claim of another keeper. */
    private Renewal foreign(LiveSession in, Claim claim, Deadline until) {
        in.wire.sync(layout.root());
        String folder = layout.queue(claim.resource());
        Queue queue = Queue.of(Wire.ifThere(in.wire.children(folder, null), until));
        NodeName name = queue.find(claim.id());
        int size = name != null && name.kind() == 'p' ? sizes.size(in, claim.resource(), until) : 0;
        return name != null && queue.holds(name, size)
                ? new Renewal.Kept(claim.lease(), false)
                : new Renewal.Gone(Loss.Reason.TAKEN);
    }

    private Renewal.Gone gone(LiveSession in, Claim claim, Deadline until) {
        if (sessions.endedWithSession(claim.id())) {
            return new Renewal.Gone(Loss.Reason.SESSION_ENDED);
        }
        boolean released;
        try {
            released = Wire.answer(marks.has(in, claim.id()), until);
        } catch (StoreUnavailableException unknown) {
            // That it is gone is known, and not to be told later because the reason is not.
            released = false;
        }
        return new Renewal.Gone(released ? Loss.Reason.RELEASED_ELSEWHERE : Loss.Reason.TAKEN);
    }

    /** Writes the lease to the node, which has to be there for that, and moves the end behind the answer. */
    Renewal extend(Claim held, Duration timeout) {
        Deadline until = Deadline.in(timeout);
        LiveSession in = sessions.current(until);
        Moment sentAt = clocks.now();
        OwnNode mine = in.own(held.id());
        if (mine == null || !mine.isGranted()) {
            return gone(in, held, until);
        }
        long end = sentAt.mono() + held.lease().toNanos();
        long rest = Math.max(end, mine.fixedUntil == Long.MAX_VALUE ? end : mine.fixedUntil) - sentAt.mono();
        if (rest <= 0) {
            return new Renewal.Gone(Loss.Reason.EXPIRED);
        }
        NodeData data = new NodeData(keeper.id(), held.holder(), Duration.ofNanos(rest), true, mine.token);
        if (Wire.ifThere(in.wire.write(mine.path(), data.text(), -1), until) == null) {
            in.remove(mine);
            return gone(in, held, until);
        }
        mine.extendTo(end);
        return new Renewal.Kept(Duration.ofNanos(rest), false);
    }

    /** One step: the old node goes and another one comes in its place, with its number and its token. */
    boolean narrow(Claim held, Mode to) {
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
            String data = new NodeData(keeper.id(), held.holder(), held.lease(), held.fixed(), mine.token).text();
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
                NodeName now = Queue.of(children).find(held.id());
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
}
