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
 * What becomes of claims that hold: they are confirmed, or made less.
 *
 * <p><b>Invariant.</b> A claim is confirmed only by a look at its own session that found its node and is not older than a renewal may be.
 */
final class Holdings {

    private final Keeper keeper;
    private final Clocks clocks;
    private final Sessions sessions;

    Holdings(Keeper keeper, Sessions sessions) {
        this.keeper = keeper;
        this.clocks = keeper.clocks();
        this.sessions = sessions;
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
}
