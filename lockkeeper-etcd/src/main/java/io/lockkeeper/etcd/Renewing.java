package io.lockkeeper.etcd;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.Loss;
import io.lockkeeper.etcd.client.Deadline;
import io.lockkeeper.etcd.client.KeyValue;
import io.lockkeeper.etcd.client.Txn;
import io.lockkeeper.etcd.client.TxnReply;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.LeaseTimes;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether claims still hold.
 *
 * <p><b>Invariant.</b> A claim is confirmed only by a look at its key that was sent recently, and after anything was heard of its
 * resource. A few claims are looked at by themselves, many by their lease.
 */
final class Renewing {

    private final Access access;
    private final Extensions extensions;

    Renewing(Access access, Extensions extensions) {
        this.access = access;
        this.extensions = extensions;
    }

    List<Renewal> renew(List<Claim> held, Duration timeout) {
        Deadline until = Deadline.in(timeout);
        confirm(held, until);
        List<Renewal> answers = new ArrayList<>(held.size());
        for (Claim claim : held) {
            answers.add(renewal(claim, until));
        }
        return answers;
    }

    private @Nullable OwnClaim own(Claim claim) {
        return access.own().get(access.layout().claim(claim.resource(), claim.id()));
    }

    private void confirm(List<Claim> held, Deadline until) {
        List<OwnClaim> unseen = new ArrayList<>();
        Moment now = access.clocks().now();
        for (Claim claim : held) {
            OwnClaim mine = own(claim);
            LiveLease lease = mine == null ? null : mine.lease;
            long age = LeaseTimes.renewEvery(claim.lease()).toNanos() / 2;
            if (lease != null) {
                age = Math.min(age, lease.session.contactEvery().toNanos());
            }
            boolean alive = lease == null || access.sessions().isLive(lease);
            if (mine != null && alive && !access.own().isSeen(mine, age, now)) {
                unseen.add(mine);
            }
        }
        Set<LiveLease> looked = new HashSet<>();
        List<OwnClaim> few = new ArrayList<>();
        boolean many = unseen.size() > EtcdPolicy.READ_AT_ONCE;
        for (OwnClaim mine : unseen) {
            LiveLease lease = mine.lease;
            if (!many || lease == null) {
                few.add(mine);
            } else if (access.sessions().isLive(lease) && looked.add(lease)) {
                access.sessions().lookedWithin(lease, now, until);
            }
        }
        for (int from = 0; from < few.size(); from += EtcdPolicy.READ_AT_ONCE) {
            look(few.subList(from, Math.min(few.size(), from + EtcdPolicy.READ_AT_ONCE)), until);
        }
    }

    private void look(List<OwnClaim> some, Deadline until) {
        Txn txn = new Txn();
        some.forEach(mine -> txn.then().find(mine.key));
        Moment sentAt = access.clocks().now();
        TxnReply reply = access.etcd().runApart(txn, until);
        for (int i = 0; i < some.size(); i++) {
            OwnClaim mine = some.get(i);
            KeyValue key = reply.at(i).first();
            LiveLease lease = mine.lease;
            boolean there =
                    key != null && key.createRevision() == mine.createdAt && (lease == null || lease.id == key.lease());
            if (there) {
                mine.seenAt = sentAt;
            } else if (lease == null) {
                access.own().remove(mine);
            } else if (access.sessions().isLive(lease)) {
                // Either the key alone is gone, or all of its lease.
                access.sessions().lookedWithin(lease, sentAt, until);
            }
        }
    }

    private Renewal renewal(Claim claim, Deadline until) {
        OwnClaim mine = own(claim);
        if (mine == null || !mine.granted) {
            return claim.fixed() && mine == null ? foreign(claim, until) : gone(claim, until);
        }
        LiveLease lease = mine.lease;
        if (lease != null && !access.sessions().isLive(lease)) {
            return new Renewal.Gone(Loss.Reason.SESSION_ENDED);
        }
        if (!claim.fixed()) {
            return new Renewal.Kept(claim.lease(), false);
        }
        long rest = mine.fixedUntil - access.clocks().now().mono();
        return rest > 0 ? new Renewal.Kept(Duration.ofNanos(rest), false) : new Renewal.Gone(Loss.Reason.EXPIRED);
    }

    /** Why its key is not there: its tombstone says so, if it has one. */
    private Renewal gone(Claim claim, Deadline until) {
        Txn txn = new Txn();
        txn.then().get(access.layout().tombstone(claim.resource(), claim.id()));
        KeyValue tombstone = null;
        try {
            tombstone = access.etcd().runApart(txn, until).at(0).first();
        } catch (LockkeeperException unanswered) {
            // That it is gone is certain; why is not.
        }
        if (tombstone == null) {
            return new Renewal.Gone(Loss.Reason.TAKEN);
        }
        return new Renewal.Gone(
                tombstone.value().equals(Releases.FORCED) ? Loss.Reason.FORCED : Loss.Reason.RELEASED_ELSEWHERE);
    }

    /** A fixed claim of any keeper, of which nothing is known here. */
    private Renewal foreign(Claim claim, Deadline until) {
        String key = access.layout().claim(claim.resource(), claim.id());
        Txn txn = new Txn();
        txn.then()
                .get(key)
                .all(access.layout().queue(claim.resource()))
                .get(access.layout().size(claim.resource()));
        TxnReply reply = access.etcd().runApart(txn, until);
        KeyValue found = reply.at(0).first();
        int size = StoredSize.of(reply.at(2).first()).size().permits();
        if (found == null || !Queue.of(reply.at(1).keys()).holds(found.createRevision(), size)) {
            return gone(claim, until);
        }
        return new Renewal.Kept(Duration.ofSeconds(Math.max(0, rest(found, until))), false);
    }

    private long rest(KeyValue key, Deadline until) {
        return key.lease() == 0
                ? 0
                : access.etcd().look(key.lease(), false, until).seconds();
    }

    Renewal extend(Claim held, Duration timeout) {
        Deadline until = Deadline.in(timeout);
        OwnClaim mine = own(held);
        Moment sentAt = access.clocks().now();
        if (mine == null || !mine.granted) {
            return gone(held, until);
        }
        long end = sentAt.mono() + held.lease().toNanos();
        if (mine.fixedUntil - end >= 0) {
            // It lasts longer already, if it is there.
            look(List.of(mine), until);
            return renewal(held, until);
        }
        Txn txn = new Txn();
        txn.then().get(mine.key);
        KeyValue seen = access.etcd().run(txn, until).at(0).first();
        if (seen == null
                || seen.createRevision() != mine.createdAt
                || !extensions.extend(held, mine, seen, sentAt, until)) {
            access.own().remove(mine);
            return gone(held, until);
        }
        mine.fixedUntil = Math.max(mine.fixedUntil, end);
        mine.seenAt = sentAt;
        return new Renewal.Kept(held.lease(), false);
    }
}
