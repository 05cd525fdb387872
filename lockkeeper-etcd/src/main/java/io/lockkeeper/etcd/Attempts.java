package io.lockkeeper.etcd;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.etcd.client.Deadline;
import io.lockkeeper.etcd.client.EtcdErrorException;
import io.lockkeeper.etcd.client.EtcdErrorException.Kind;
import io.lockkeeper.etcd.client.KeyValue;
import io.lockkeeper.etcd.client.Txn;
import io.lockkeeper.etcd.client.TxnReply;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.WaiterTimes;
import org.jspecify.annotations.Nullable;

/**
 * Claims, and whether they hold.
 *
 * <p>A claim that may queue is put into the queue and the queue's first claim read in one transaction; its key is its place. It holds
 * when no key before it is in its way ({@link Queue}). A claim that must not queue reads first, which costs etcd no entry in its log,
 * and is put only if it would hold and nothing came in between.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>A claim has one key, put by a transaction that compares that it is not there. So a request that is repeated, or arrives twice,
 *       takes one place and has one token.
 *   <li>The same transaction compares that there is no tombstone. So a request that arrives after its claim was ended makes nothing.
 *   <li>A grant is answered by a request that saw the claim's own key, on a lease that is in use. Were only the others looked at, a
 *       waiter whose lease has ended would find nobody before it and believe that it holds.
 *   <li>What another lease of this keeper has, that is over, is never adopted: etcd may end it at any moment.
 * </ul>
 */
final class Attempts {

    private static final long UNGUARDED = -1;

    private final Access access;
    private final EtcdSizes sizes;
    private final Extensions extensions;

    Attempts(Access access, EtcdSizes sizes, Extensions extensions) {
        this.access = access;
        this.sizes = sizes;
        this.extensions = extensions;
    }

    Answer attempt(Claim claim) {
        Deadline until = Deadline.in(claim.timeout());
        String key = access.layout().claim(claim.resource(), claim.id());
        try {
            for (int i = 0; i < EtcdPolicy.LOOKS; i++) {
                Answer answer = once(claim, key, until);
                if (answer != null) {
                    return answer;
                }
            }
            return new Answer.Wait(WaiterTimes.SHORTEST_POLL);
        } catch (EtcdErrorException refused) {
            if (refused.isFinal() || refused.kind() == Kind.LOGIN_NEEDED) {
                OwnClaim mine = access.own().get(key);
                if (mine != null && !mine.granted) {
                    // The keeper drops the claim: the next look at its lease deletes its key, which others may wait
                    // behind.
                    access.own().remove(mine);
                }
                return new Answer.Refused(Answer.Cause.FINAL, String.valueOf(refused.getMessage()));
            }
            throw refused;
        }
    }

    /** One round; null if something changed meanwhile, so that another one is needed. */
    private @Nullable Answer once(Claim claim, String key, Deadline until) {
        OwnClaim mine = access.own().get(key);
        boolean permits = claim.mode() instanceof Mode.Permits;
        boolean keepsItsPlace = claim.placed() && claim.queueing() == Claim.Queueing.FAIR;
        boolean atOnce = mine == null
                && !permits
                && !keepsItsPlace
                && !claim.fixed()
                && claim.queueing() != Claim.Queueing.NEVER;
        View view = atOnce ? queue(claim, key, until) : look(claim, key, permits, until);
        if (view == null) {
            return null;
        }
        if (view.own() == null && !view.dead()) {
            if (mine != null) {
                // Somebody deleted the key: the place is lost.
                access.own().remove(mine);
            }
            if (keepsItsPlace) {
                return new Answer.Refused(
                        Answer.Cause.RELEASED,
                        "The claim on " + claim.resource() + " has lost its place; take a new id");
            }
            Answer answer = permits ? sizes.refusal(claim, view, until) : null;
            if (answer != null) {
                return answer;
            }
            if (permits && view.permits() == 0) {
                return sizes.isMissing(claim) ? new Answer.Wait(WaiterTimes.LONGEST_POLL) : null;
            }
            view = join(claim, key, view, until);
            if (view == null) {
                return null;
            }
            if (view.own() == null && !view.dead()) {
                return waiting(claim, view);
            }
        }
        if (view.dead()) {
            if (mine != null) {
                access.own().remove(mine);
            }
            return new Answer.Refused(
                    Answer.Cause.RELEASED, "The claim on " + claim.resource() + " was released before; take a new id");
        }
        return decide(claim, key, view, until);
    }

    /** Puts a claim that is not there; null to try again. A view without the claim says that it has to wait and must not queue. */
    private @Nullable View join(Claim claim, String key, View seen, Deadline until) {
        View view = seen;
        Queue.Entry first = view.queue().first();
        if (!view.whole()
                && claim.mode() instanceof Mode.Shared
                && first != null
                && first.data().isShared()) {
            view = look(claim, key, true, until);
            if (view.own() != null || view.dead()) {
                return view;
            }
        }
        boolean free = view.queue().wouldHold(claim.mode(), view.permits());
        if (!free && claim.queueing() == Claim.Queueing.NEVER) {
            return view;
        }
        if (free && (claim.fixed() || claim.queueing() == Claim.Queueing.NEVER)) {
            View joined = claim.fixed()
                    ? putOnTimedLease(claim, key, view.revision(), until)
                    : put(claim, key, access.sessions().of(claim.lease(), until), view.revision(), until);
            return joined == null || (joined.own() == null && !joined.dead()) ? null : joined;
        }
        return queue(claim, key, until);
    }

    /** Puts the claim at the end of the queue, whether it holds or not; null to try again. */
    private @Nullable View queue(Claim claim, String key, Deadline until) {
        LiveLease lease = claim.fixed()
                ? access.sessions().main(until)
                : access.sessions().of(claim.lease(), until);
        return put(claim, key, lease, UNGUARDED, until);
    }

    private @Nullable View put(Claim claim, String key, LiveLease lease, long guard, Deadline until) {
        try {
            return run(claim, key, lease.id, guard, until);
        } catch (EtcdErrorException refused) {
            if (refused.kind() != Kind.LEASE_NOT_FOUND) {
                throw refused;
            }
            access.sessions().ended(lease);
            return null;
        }
    }

    private @Nullable View putOnTimedLease(Claim claim, String key, long guard, Deadline until) {
        try {
            return run(claim, key, access.timed().lasting(claim.lease(), until), guard, until);
        } catch (EtcdErrorException refused) {
            if (refused.kind() != Kind.LEASE_NOT_FOUND) {
                throw refused;
            }
            access.timed().forget();
            return null;
        }
    }

    private View run(Claim claim, String key, long lease, long guard, Deadline until) {
        boolean permits = claim.mode() instanceof Mode.Permits;
        String queue = access.layout().queue(claim.resource());
        String value = ClaimData.of(access.keeper().id(), claim).text();
        String tombstone = access.layout().tombstone(claim.resource(), claim.id());
        Txn txn = new Txn().ifMissing(key).ifMissing(tombstone);
        if (guard != UNGUARDED) {
            txn.ifNoneWrittenAfter(queue, guard);
            if (permits) {
                txn.ifNoneWrittenAfter(access.layout().size(claim.resource()), guard);
            }
        }
        txn.then().put(key, value, lease);
        read(txn.then(), queue, permits, claim);
        txn.orElse().get(key).get(tombstone);
        read(txn.orElse(), queue, permits, claim);
        Moment sentAt = access.clocks().now();
        TxnReply reply = access.etcd().run(txn, until);
        return joined(reply, 0, key, value, lease, permits, sentAt);
    }

    /** What a transaction says that puts a claim, from that answer on. */
    static View joined(TxnReply reply, int at, String key, String value, long lease, boolean whole, Moment sentAt) {
        if (reply.succeeded()) {
            long revision = reply.revision();
            KeyValue own = new KeyValue(key, value, revision, revision, lease);
            return view(reply, at + 1, own, false, whole, sentAt);
        }
        return view(reply, at + 2, reply.at(at).first(), reply.at(at + 1).first() != null, whole, sentAt);
    }

    private void read(Txn.Requests requests, String queue, boolean permits, Claim claim) {
        if (permits) {
            requests.all(queue).get(access.layout().size(claim.resource()));
        } else {
            requests.first(queue);
        }
    }

    private static View view(
            TxnReply reply, int at, @Nullable KeyValue own, boolean dead, boolean whole, Moment sentAt) {
        StoredSize size =
                reply.answers().size() > at + 1 ? StoredSize.of(reply.at(at + 1).first()) : null;
        return new View(own, dead, Queue.of(reply.at(at).keys()), whole, size, reply.revision(), sentAt);
    }

    /** Reads without writing. */
    private View look(Claim claim, String key, boolean whole, Deadline until) {
        String queue = access.layout().queue(claim.resource());
        Txn txn = new Txn();
        txn.then().get(key).get(access.layout().tombstone(claim.resource(), claim.id()));
        if (whole) {
            txn.then().all(queue);
        } else {
            txn.then().first(queue);
        }
        if (claim.mode() instanceof Mode.Permits) {
            txn.then().get(access.layout().size(claim.resource()));
        }
        Moment sentAt = access.clocks().now();
        TxnReply reply = access.etcd().run(txn, until);
        return view(reply, 2, reply.at(0).first(), reply.at(1).first() != null, whole, sentAt);
    }

    /** What becomes of a claim whose key was seen; null to look again. */
    @Nullable
    Answer decide(Claim claim, String key, View view, Deadline until) {
        KeyValue own = view.own();
        OwnClaim mine = own == null ? null : known(claim, key, own, view, until);
        if (own == null || mine == null) {
            return null;
        }
        if (claim.mode() instanceof Mode.Permits wanted && !mine.granted) {
            Answer refusal = sizes.refusal(claim, view, until);
            if (refusal != null || view.permits() < wanted.count()) {
                // It would hold up those behind it until the semaphore is larger.
                leave(mine, until);
                return refusal == null ? new Answer.Wait(WaiterTimes.LONGEST_POLL) : refusal;
            }
        }
        @Nullable Boolean holds = mine.granted ? Boolean.TRUE : holds(claim, key, own, view, until);
        if (holds == null) {
            return null;
        }
        if (holds) {
            return claim.fixed() ? grantFixed(claim, mine, own, view, until) : grant(claim, mine, until);
        }
        if (claim.queueing() == Claim.Queueing.NEVER) {
            leave(mine, until);
        }
        return waiting(claim, view);
    }

    /** The claim as this keeper knows it; null if its key had to be deleted, because it belongs to a lease that is over. */
    private @Nullable OwnClaim known(Claim claim, String key, KeyValue own, View view, Deadline until) {
        LiveLease lease = access.sessions().byId(own.lease());
        OwnClaim before = access.own().get(key);
        if (lease == null && (!claim.fixed() || access.sessions().wasOurs(own.lease()))) {
            if (before != null) {
                access.own().remove(before);
            }
            Txn deletion = new Txn().ifWrittenAt(key, own.modRevision());
            deletion.then().delete(key);
            access.etcd().run(deletion, until);
            return null;
        }
        ClaimData data = ClaimData.read(own.value());
        if (before != null && before.createdAt == own.createRevision()) {
            before.data = data;
            before.seenAt = view.sentAt();
            return before;
        }
        OwnClaim mine = new OwnClaim(
                claim.resource(),
                claim.id(),
                key,
                own.createRevision(),
                lease,
                data,
                view.sentAt(),
                access.clocks().now());
        access.own().put(mine);
        return mine;
    }

    private @Nullable Boolean holds(Claim claim, String key, KeyValue own, View view, Deadline until) {
        long createdAt = own.createRevision();
        if (view.whole()) {
            return view.queue().at(createdAt) == null ? null : view.queue().holds(createdAt, view.permits());
        }
        Queue.Entry first = view.queue().first();
        if (first == null || first.createdAt() == createdAt) {
            return first != null;
        }
        if (!(claim.mode() instanceof Mode.Shared) || !first.data().isShared()) {
            return false;
        }
        View all = look(claim, key, true, until);
        return all.queue().at(createdAt) == null ? null : all.queue().holds(createdAt, 0);
    }

    private Answer grant(Claim claim, OwnClaim mine, Deadline until) {
        LiveLease lease = mine.lease;
        if (lease == null) {
            throw new StoreUnavailableException("The claim on " + claim.resource() + " has a fixed lease");
        }
        long third = lease.session.timeout().toNanos() / 3;
        if (lease.session.remaining(access.clocks().now()) < third) {
            access.sessions().contact(lease, until);
        }
        if (!access.sessions().isLive(lease)
                || lease.session.remaining(access.clocks().now()) < third) {
            throw new StoreUnavailableException("The lease in etcd is about to end");
        }
        granted(claim, mine);
        return new Answer.Granted(mine.token(), mine.tokens, claim.lease(), lease.session);
    }

    private static void granted(Claim claim, OwnClaim mine) {
        if (!mine.granted) {
            mine.tokens = Math.min(claim.tokens(), 1 << EtcdPolicy.TOKEN_BITS);
        }
        mine.granted = true;
    }

    /** A fixed grant lasts by a lease that nobody renews; one that queued was on a renewed lease until now. */
    private @Nullable Answer grantFixed(Claim claim, OwnClaim mine, KeyValue own, View view, Deadline until) {
        if (!extensions.extend(claim, mine, own, view.sentAt(), until)) {
            return null;
        }
        mine.lease = null;
        mine.fixedUntil =
                Math.max(mine.fixedUntil, view.sentAt().mono() + claim.lease().toNanos());
        granted(claim, mine);
        return new Answer.Granted(mine.token(), mine.tokens, claim.lease());
    }

    /** The claim has to wait. A sticky grant of another keeper that is in its way is recalled each time, since mail may be lost. */
    private Answer waiting(Claim claim, View view) {
        Queue.Entry first = view.queue().first();
        boolean recalled = first != null
                && first.data().sticky()
                && !first.data().keeper().equals(access.keeper().id());
        if (recalled && first != null) {
            access.mail()
                    .recall(
                            first.data().keeper(),
                            claim.resource(),
                            Layout.claimId(first.key().key()));
        }
        return new Answer.Wait(WaiterTimes.LONGEST_POLL, recalled);
    }

    /** Gives up a place that holds nothing. */
    private void leave(OwnClaim mine, Deadline until) {
        Txn deletion = new Txn();
        deletion.then().delete(mine.key);
        access.etcd().run(deletion, until);
        access.own().remove(mine);
    }
}
