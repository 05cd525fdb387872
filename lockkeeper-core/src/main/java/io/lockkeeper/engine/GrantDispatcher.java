package io.lockkeeper.engine;

import io.lockkeeper.Loss;
import io.lockkeeper.spi.Moment;
import java.util.Objects;

/**
 * Gives grants to those who wait here: the one who asked, those who join him, and one after the other.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>A grant serves one holder after the other only while it is surely held, has tokens left and the bound is not
 *       reached, and only for the wish it was made for. A holder who is woken after the deadline does not get it.
 *   <li>A grant that is <em>open</em> is nobody's: the first of the queue, who wishes the same, was called for it, and a
 *       newcomer may take it before him, a few times in a row. Whenever the first of the queue changes, the next one is
 *       called or it goes back to the store; if not, it would lie here for as long as it is renewed, held by nobody.
 * </ol>
 */
final class GrantDispatcher {

    private final PendingClaims claims;
    private final WaiterQueue queue;
    private final Grants grants;
    private final PendingReleases releases;
    private final Losses losses;
    private final Outbox out;

    GrantDispatcher(PendingClaims claims, Grants grants, PendingReleases releases, Losses losses, Outbox out) {
        this.claims = claims;
        this.queue = claims.queue;
        this.grants = grants;
        this.releases = releases;
        this.losses = losses;
        this.out = out;
    }

    EngineHold serve(Moment now, Waiter waiter, Grant grant, boolean locally) {
        String id = waiter.request.portable() ? grant.id() : grant.id() + "-" + grant.holds;
        long waited = now.mono() - Objects.requireNonNull(waiter.since).mono();
        EngineHold holding = new EngineHold(grant, id, grant.nextToken(), now, waiter.owner, locally, waited);
        grant.holds++;
        grant.keepFor = waiter.request.sticky();
        grant.holdings.add(holding);
        waiter.serve(holding);
        out.wake(waiter);
        return holding;
    }

    /** Those at the head of the queue who may use a shared grant together with the one who asked for it. */
    void letJoin(Moment now, Grant grant) {
        if (!grant.request().shareable()) {
            return;
        }
        Waiter next = queue.first();
        while (next != null && next.request.equals(grant.request()) && grants.mayBeJoined(now, grant)) {
            queue.remove(next);
            serve(now, next, grant, true);
            next = queue.first();
        }
        claims.bequeath(now);
    }

    /** He was woken too late: what was handed to him has ended. He goes on waiting, where he was if that can be. */
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

    /** The first of the queue has a grant after another holder here. */
    EngineHold pass(Moment now, Waiter heir, Grant grant) {
        queue.remove(heir);
        EngineHold holding = serve(now, heir, grant, true);
        claims.bequeath(now);
        // The heir may have spoken for those behind him: if nobody else did, their claim would never be asked again.
        claims.wakeSpeakers(false);
        return holding;
    }

    /** Calls the first of the queue for the open grant, if there is one; without anybody to call it goes back. */
    void callHeir(Moment now) {
        Grant open = grants.open();
        if (open == null) {
            return;
        }
        Waiter heir = queue.first();
        if (heir == null || !heir.request.equals(open.request())) {
            giveUpOpen(now);
        } else if (heir.call(now)) {
            out.wake(heir);
        }
    }

    /** Nobody is there for the open grant any more, or it can not be handed on any more. */
    void giveUpOpen(Moment now) {
        Grant open = grants.open();
        if (open != null && grants.remove(open)) {
            open.end();
            out.effects().ended.add(open);
            releases.endLater(now, open, open.unanswered(), out.effects());
            claims.wakeSpeakers(false);
        }
    }
}
