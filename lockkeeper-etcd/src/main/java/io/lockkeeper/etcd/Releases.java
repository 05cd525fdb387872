package io.lockkeeper.etcd;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.etcd.client.Deadline;
import io.lockkeeper.etcd.client.EtcdErrorException;
import io.lockkeeper.etcd.client.EtcdErrorException.Kind;
import io.lockkeeper.etcd.client.KeyValue;
import io.lockkeeper.etcd.client.Txn;
import io.lockkeeper.etcd.client.TxnReply;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.ExchangeStore;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.RetentionTimes;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ends of claims.
 *
 * <p><b>Invariants.</b> A release deletes the key of its claim and of no other. If a request of the claim may still be under way, the
 * same transaction leaves a tombstone, which the acquiring transaction compares: whichever of the two comes first, nothing is left of
 * the claim afterwards. The transaction also reads what is next, so that the next keeper is told without another look.
 */
final class Releases {

    /** What a tombstone says of how its claim ended. */
    static final String RELEASED = "released";

    static final String FORCED = "forced";

    private final Access access;
    private final Attempts attempts;

    Releases(Access access, Attempts attempts) {
        this.access = access;
        this.attempts = attempts;
    }

    Release.Outcome release(Release release) {
        Deadline until = Deadline.in(release.timeout());
        String key = access.layout().claim(release.resource(), release.claimId());
        OwnClaim mine = access.own().get(key);
        if (mine != null) {
            access.own().remove(mine);
        }
        boolean small = mine != null && !mine.data.isForPermits();
        String queue = access.layout().queue(release.resource());
        TxnReply reply = withTombstone(release, until, tombstone -> {
            Txn txn = new Txn();
            if (small) {
                txn.then().delete(key).first(queue);
            } else {
                txn.then()
                        .get(key)
                        .all(queue)
                        .get(access.layout().size(release.resource()))
                        .delete(key);
            }
            if (tombstone != 0) {
                txn.then().put(access.layout().tombstone(release.resource(), release.claimId()), RELEASED, tombstone);
            }
            return txn;
        });
        return small && mine != null
                ? released(mine, reply.at(0).deleted() > 0, Queue.of(reply.at(1).keys()))
                : released(release, reply);
    }

    private interface Making {
        Txn with(long tombstoneLease);
    }

    private TxnReply withTombstone(Release release, Deadline until, Making making) {
        for (int i = 0; i < EtcdPolicy.LOOKS; i++) {
            long lease = release.unanswered() ? tombstoneLease(release.lease(), until) : 0;
            try {
                return access.etcd().run(making.with(lease), until);
            } catch (EtcdErrorException refused) {
                if (refused.kind() != Kind.LEASE_NOT_FOUND) {
                    throw refused;
                }
                access.timed().forget();
            }
        }
        throw new StoreUnavailableException("The leases in etcd end again and again");
    }

    private long tombstoneLease(Duration lease, Deadline until) {
        return access.timed().lasting(RetentionTimes.tombstone(lease), until);
    }

    /** An own claim of a lock: the first of the queue is known. */
    private Release.Outcome released(OwnClaim mine, boolean deleted, Queue first) {
        if (deleted) {
            next(mine.resource, mine.data, mine.createdAt, first);
        }
        return deleted && mine.granted ? Release.Outcome.RELEASED : Release.Outcome.NOT_HELD;
    }

    /** The claim with these data is gone: tells the keepers of those that hold now. */
    private void next(Resource resource, ClaimData gone, long createdAt, Queue firstOnly) {
        Queue.Entry first = firstOnly.first();
        if (first == null) {
            return;
        }
        if (!first.data().isShared()) {
            // It holds by this, or it held before: then this was behind it, and those behind this wait on.
            if (first.createdAt() > createdAt) {
                access.mail().signal(first.data().keeper(), resource);
            }
        } else if (!gone.isShared()) {
            access.mail().later(() -> {
                Txn txn = new Txn();
                txn.then().all(access.layout().queue(resource));
                TxnReply reply =
                        access.etcd().runApart(txn, Deadline.in(access.keeper().commandTimeout()));
                List<Queue.Entry> now = Queue.of(reply.at(0).keys()).holders(0);
                WakeUps.tell(
                        access.mail(),
                        resource,
                        now.stream()
                                .filter(entry -> entry.createdAt() < createdAt)
                                .toList(),
                        now);
            });
        }
    }

    /** A claim of which nothing is known here, or one for permits: the whole queue was read before the deletion. */
    private Release.Outcome released(Release release, TxnReply reply) {
        KeyValue key = reply.at(0).first();
        if (key == null) {
            return Release.Outcome.NOT_HELD;
        }
        Queue before = Queue.of(reply.at(1).keys());
        int size = StoredSize.of(reply.at(2).first()).size().permits();
        Queue.Entry gone = Queue.Entry.of(key);
        List<Queue.Entry> held = before.holders(size);
        WakeUps.tell(
                access.mail(), release.resource(), held, before.without(gone).holders(size));
        if (!gone.data().keeper().equals(access.keeper().id())) {
            access.mail().signal(gone.data().keeper(), release.resource());
        }
        return held.stream().anyMatch(entry -> entry.createdAt() == gone.createdAt())
                ? Release.Outcome.RELEASED
                : Release.Outcome.NOT_HELD;
    }

    /** One transaction deletes the one key and puts the other. */
    Exchanged exchange(Store store, Release release, Claim next) {
        String key = access.layout().claim(release.resource(), release.claimId());
        OwnClaim mine = access.own().get(key);
        if (mine == null
                || release.unanswered()
                || next.fixed()
                || next.mode() instanceof Mode.Permits
                || next.queueing() == Claim.Queueing.NEVER) {
            return ExchangeStore.inTwoRequests(store, release, next);
        }
        Deadline until = Deadline.in(release.timeout());
        String nextKey = access.layout().claim(next.resource(), next.id());
        String tombstone = access.layout().tombstone(next.resource(), next.id());
        String queue = access.layout().queue(next.resource());
        String value = ClaimData.of(access.keeper().id(), next).text();
        LiveLease lease;
        TxnReply reply;
        Moment sentAt;
        try {
            lease = access.sessions().of(next.lease(), until);
            Txn txn = new Txn().ifMissing(nextKey).ifMissing(tombstone);
            txn.then().delete(key).put(nextKey, value, lease.id).first(queue);
            txn.orElse().delete(key).get(nextKey).get(tombstone).first(queue);
            sentAt = access.clocks().now();
            reply = access.etcd().run(txn, until);
        } catch (EtcdErrorException notExecuted) {
            return ExchangeStore.inTwoRequests(store, release, next);
        } catch (RuntimeException failure) {
            return new Exchanged(null, failure, null, failure);
        }
        access.own().remove(mine);
        Release.Outcome outcome =
                reply.at(0).deleted() > 0 && mine.granted ? Release.Outcome.RELEASED : Release.Outcome.NOT_HELD;
        try {
            View view = Attempts.joined(reply, 1, nextKey, value, lease.id, false, sentAt);
            Queue.Entry first = view.queue().first();
            KeyValue put = view.own();
            if (put == null || first == null || first.createdAt() != put.createRevision()) {
                next(mine.resource, mine.data, mine.createdAt, view.queue());
            }
            Answer answer = view.dead() ? null : attempts.decide(next, nextKey, view, until);
            return new Exchanged(outcome, null, answer == null ? attempts.attempt(next) : answer, null);
        } catch (RuntimeException failure) {
            return new Exchanged(outcome, null, null, failure);
        }
    }

    /** Ends all that hold; each leaves a tombstone, so that its keeper learns why. */
    boolean force(Resource resource) {
        Deadline until = Deadline.in(access.keeper().commandTimeout());
        Txn look = new Txn();
        look.then().all(access.layout().queue(resource)).get(access.layout().size(resource));
        TxnReply seen = access.etcd().run(look, until);
        Queue queue = Queue.of(seen.at(0).keys());
        int size = StoredSize.of(seen.at(1).first()).size().permits();
        List<Queue.Entry> holders = queue.holders(size);
        boolean any = false;
        Queue after = queue;
        for (int from = 0; from < holders.size(); from += EtcdPolicy.READ_AT_ONCE / 2) {
            List<Queue.Entry> some =
                    holders.subList(from, Math.min(holders.size(), from + EtcdPolicy.READ_AT_ONCE / 2));
            any |= forced(resource, some, until);
            for (Queue.Entry gone : some) {
                after = after.without(gone);
            }
        }
        List<Queue.Entry> told = new ArrayList<>(holders);
        told.addAll(after.holders(size));
        WakeUps.tell(access.mail(), resource, List.of(), told);
        return any;
    }

    private boolean forced(Resource resource, List<Queue.Entry> holders, Deadline until) {
        Duration longest = Duration.ZERO;
        for (Queue.Entry holder : holders) {
            Duration lease = holder.data().lease();
            longest = lease.compareTo(longest) > 0 ? lease : longest;
        }
        Txn txn = new Txn();
        long lease = tombstoneLease(longest, until);
        for (Queue.Entry holder : holders) {
            String key = holder.key().key();
            txn.then().delete(key).put(access.layout().tombstone(resource, Layout.claimId(key)), FORCED, lease);
        }
        TxnReply reply = access.etcd().run(txn, until);
        boolean any = false;
        for (int i = 0; i < holders.size(); i++) {
            any |= reply.at(2 * i).deleted() > 0;
        }
        return any;
    }

    /**
     * Writes less into the key of a claim that holds; returns false if it does not. A narrowing that is repeated or late, and would
     * widen the key again, changes nothing.
     */
    boolean narrow(Claim held, Mode to) {
        Deadline until = Deadline.in(held.timeout());
        String key = access.layout().claim(held.resource(), held.id());
        OwnClaim mine = access.own().get(key);
        if (mine == null || !mine.granted) {
            return false;
        }
        for (int i = 0; i < EtcdPolicy.LOOKS; i++) {
            Txn look = new Txn();
            read(look.then().get(key), held.resource());
            TxnReply reply = access.etcd().run(look, until);
            KeyValue seen = reply.at(0).first();
            if (seen == null || seen.createRevision() != mine.createdAt) {
                access.own().remove(mine);
                return false;
            }
            ClaimData now = ClaimData.read(seen.value());
            ClaimData less = now.in(to);
            if (less.isLessThan(now)) {
                Txn writing = new Txn().ifWrittenAt(key, seen.modRevision());
                read(writing.then().update(key, less.text()), held.resource());
                reply = access.etcd().run(writing, until);
                now = less;
            }
            if (reply.succeeded()) {
                narrowed(mine, now, reply);
                return true;
            }
        }
        throw new StoreUnavailableException("The claim on " + held.resource() + " changes again and again");
    }

    private void read(Txn.Requests requests, Resource resource) {
        requests.all(access.layout().queue(resource)).get(access.layout().size(resource));
    }

    private void narrowed(OwnClaim mine, ClaimData less, TxnReply reply) {
        ClaimData more = mine.data;
        mine.data = less;
        Queue now = Queue.of(reply.at(1).keys());
        int size = StoredSize.of(reply.at(2).first()).size().permits();
        Queue.@Nullable Entry own = now.at(mine.createdAt);
        if (own != null) {
            Queue before = now.with(new Queue.Entry(own.key(), more));
            WakeUps.tell(access.mail(), mine.resource, before.holders(size), now.holders(size));
        }
    }
}
