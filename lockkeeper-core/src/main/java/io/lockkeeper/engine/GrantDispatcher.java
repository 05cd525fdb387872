package io.lockkeeper.engine;

import io.lockkeeper.Loss;
import io.lockkeeper.spi.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Gives grants to waiters of this keeper: to the one whose claim was granted, to those that share it, and to one after the
 * other.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>A grant serves one holder after the other only as {@link HandOffRules} allow, and only for requests equal to the one
 *       it was made for. A waiter that takes its turn after the deadline does not get it.
 *   <li>A grant that is <em>open</em> is nobody's: the head of the queue, whose request is equal, was called for it, and a
 *       newcomer may take it first, a few times in a row. Whenever the head of the queue changes, the next one is called or
 *       the grant goes back to the store; if not, it would be renewed here, held by nobody.
 * </ol>
 */
final class GrantDispatcher {

    private final PendingClaims claims;
    private final WaiterQueue queue;
    private final Grants grants;
    private final Terms terms;
    private final StickyGrants sticky;
    private final PendingReleases releases;
    private final Losses losses;
    private final Outbox out;

    GrantDispatcher(
            PendingClaims claims,
            Grants grants,
            Terms terms,
            StickyGrants sticky,
            PendingReleases releases,
            Losses losses,
            Outbox out) {
        this.claims = claims;
        this.queue = claims.queue;
        this.grants = grants;
        this.terms = terms;
        this.sticky = sticky;
        this.releases = releases;
        this.losses = losses;
        this.out = out;
    }

    /** @param locally whether the grant was here before, so that this waiter needed no request to the store */
    EngineHold serve(Moment now, Waiter waiter, Grant grant, boolean locally) {
        String id = waiter.request.portable() ? grant.id() : grant.id() + "-" + grant.holds();
        Moment since = Checks.present(waiter.since, "a waiter that is served has arrived");
        long waited = now.mono() - since.mono();
        EngineHold holding = new EngineHold(grant, id, grant.nextToken(), now, waiter.owner, locally, waited);
        grant.serve(holding, waiter.request.sticky());
        waiter.serve(holding);
        out.wake(waiter);
        return holding;
    }

    /**
     * Serves a waiter that arrives, or tries once, by the idle grant.
     *
     * @return false if there is none for it
     */
    boolean serveIdle(Moment now, Waiter waiter) {
        Grant idle = sticky.takeOrReturn(now, waiter.request);
        if (idle == null) {
            return false;
        }
        claims.servedOtherwise(now, waiter);
        serve(now, waiter, idle, true);
        return true;
    }

    /**
     * Serves a waiter that arrives by a grant that others share or that is open.
     *
     * @return false if there is none for it
     */
    boolean serveNewcomer(Moment now, Waiter newcomer) {
        Waiter head = queue.first();
        if (head == null) {
            Grant shared = grants.joinable(now, newcomer.request);
            if (shared == null) {
                return false;
            }
            serve(now, newcomer, shared, true);
            return true;
        }
        // Also a single try: it never queues, so an open grant is all that it can get while others wait here.
        Grant open = grants.open();
        if (open == null || !HandOffRules.mayTakeOpen(terms, now, newcomer, open, queue)) {
            return false;
        }
        head.overtake();
        serve(now, newcomer, open, true);
        return true;
    }

    /** Serves the waiters at the head of the queue that may share a grant with the waiter it was made for. */
    void letJoin(Moment now, Grant grant) {
        if (!grant.request().shareable()) {
            return;
        }
        Waiter next = queue.first();
        while (next != null && next.request.equals(grant.request()) && HandOffRules.mayShare(terms, now, grant)) {
            queue.remove(next);
            serve(now, next, grant, true);
            next = queue.first();
        }
        claims.bequeath(now);
    }

    /**
     * A waiter takes its turn after the deadline of the grant that it was given. It waits again, in its old place if that is
     * possible; a single try leaves.
     */
    void takeBack(Moment now, Waiter waiter, EngineHold holding) {
        if (!holding.ended()) {
            losses.lose(now, holding.grant(), Loss.Reason.EXPIRED);
        }
        waiter.unserve();
        if (waiter.once) {
            return;
        }
        if (waiter.request.fair()) {
            // Its place in the store is gone with the grant; a new one is behind those of the others.
            queue.addLast(waiter);
            claims.wakeSpeakers(true);
        } else {
            queue.addFirst(waiter);
            claims.bequeath(now);
            callHeir(now);
        }
    }

    /** Gives a grant to the head of the queue after another holder here. */
    EngineHold pass(Moment now, Waiter head, Grant grant) {
        queue.remove(head);
        EngineHold holding = serve(now, head, grant, true);
        claims.bequeath(now);
        // It may have spoken for those behind it: if no other waiter did, nobody would request their claim again.
        claims.wakeSpeakers(false);
        return holding;
    }

    /**
     * Gives the open grant to the head of the queue, which takes its turn. Whether the row may go on was decided when the
     * waiter was called; that the grant is safe is checked again.
     *
     * @return null if there is no open grant, or it is not safe any more and goes back
     */
    @Nullable
    EngineHold takeOpen(Moment now, Waiter waiter) {
        if (queue.first() != waiter) {
            return null;
        }
        Grant open = grants.open();
        if (open == null) {
            return null;
        }
        if (HandOffRules.isSafe(now, open)) {
            return pass(now, waiter, open);
        }
        giveUpOpen(now, open);
        return null;
    }

    /** Calls the head of the queue for the open grant, if there is one; without a waiter for it, the grant goes back. */
    void callHeir(Moment now) {
        Grant open = grants.open();
        if (open == null) {
            return;
        }
        Waiter head = queue.first();
        if (head == null || !head.request.equals(open.request())) {
            giveUpOpen(now, open);
        } else if (head.call(now)) {
            out.wake(head);
        }
    }

    private void giveUpOpen(Moment now, Grant open) {
        grants.end(open);
        out.effects().ended.add(open);
        releases.endLater(now, open, open.unanswered(), out.effects());
        claims.wakeSpeakers(false);
    }
}
