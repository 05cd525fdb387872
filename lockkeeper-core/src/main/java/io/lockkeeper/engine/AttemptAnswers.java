package io.lockkeeper.engine;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Moment;

/**
 * What the store's answer to an attempt comes to.
 *
 * <p><b>Invariant.</b> Whatever the store granted is held here or being released: a grant that comes for an abandoned claim,
 * or after its deadline, is released in the background, and so is a claim that may have a place in the store though nobody
 * wants it any more.
 */
final class AttemptAnswers {

    private final PendingClaims claims;
    private final Grants grants;
    private final PendingReleases releases;
    private final GrantDispatcher dispatcher;
    private final Departures departures;
    private final Outage outage;
    private final Outbox out;

    AttemptAnswers(
            PendingClaims claims,
            Grants grants,
            PendingReleases releases,
            GrantDispatcher dispatcher,
            Departures departures,
            Outage outage,
            Outbox out) {
        this.claims = claims;
        this.grants = grants;
        this.releases = releases;
        this.dispatcher = dispatcher;
        this.departures = departures;
        this.outage = outage;
        this.out = out;
    }

    void answered(Moment now, PendingClaim which, Claim claim, Moment sentAt, Answer answer) {
        claims.landed();
        outage.answered();
        which.answered();
        if (answer instanceof Answer.Granted granted) {
            granted(now, which, new Grant(claim, which.request, granted, sentAt, which.unanswered()));
        } else if (answer instanceof Answer.Wait wait) {
            waits(now, which, wait);
        } else if (answer instanceof Answer.Refused refused) {
            refused(now, which, refused);
        }
    }

    private void granted(Moment now, PendingClaim which, Grant grant) {
        Waiter receiver = which.isAbandoned() ? null : claims.speaker(which);
        if (receiver == null) {
            end(now, which, true);
            return;
        }
        if (grant.remaining(now) <= 0) {
            claims.startOver(now, which);
            out.wake(receiver);
            return;
        }
        grants.add(grant);
        out.effects().begun.add(grant);
        claims.granted(now, which, receiver);
        dispatcher.serve(now, receiver, grant, false);
        dispatcher.letJoin(now, grant);
        claims.wakeSpeakers(which.request.fair());
    }

    private void waits(Moment now, PendingClaim which, Answer.Wait wait) {
        if (which.isAbandoned()) {
            end(now, which, !which.neverQueues() || which.unanswered());
        } else if (which.neverQueues()) {
            Waiter waiter = waiterOf(which);
            which.notStored();
            if (!dispatcher.serveIdle(now, waiter) && !(wait.recalled() && claims.retrySoon(now, which, waiter))) {
                waiter.become(Waiter.State.LEFT);
                claims.remove(now, waiter);
            }
        } else {
            claims.placed(now, which, wait);
        }
    }

    private void refused(Moment now, PendingClaim which, Answer.Refused refused) {
        if (which.isAbandoned()) {
            end(now, which, which.unanswered());
        } else if (refused.cause() == Answer.Cause.RELEASED) {
            claims.startOver(now, which);
            out.wake(claims.speaker(which));
        } else {
            which.notStored();
            Waiter receiver = claims.speaker(which);
            if (receiver != null) {
                departures.fail(now, receiver, new ClaimRefusedException(refused.message()));
            }
        }
    }

    void failed(Moment now, PendingClaim which, RuntimeException failure) {
        claims.landed();
        which.failed();
        outage.failed(now, failure);
        if (which.isAbandoned()) {
            end(now, which, true);
        } else if (which.neverQueues()) {
            departures.fail(now, waiterOf(which), outage.exception());
        } else {
            claims.retryLater(now, which);
            departures.failOutOfPatience(now);
        }
    }

    /** @param mayBeStored whether the store may have a place or a grant for it, or may get one by a late request */
    private void end(Moment now, PendingClaim which, boolean mayBeStored) {
        which.become(PendingClaim.State.ENDED);
        if (mayBeStored) {
            releases.endLater(now, which, out.effects());
        }
    }

    private static Waiter waiterOf(PendingClaim singleTry) {
        return Checks.present(singleTry.waiter, "a single try has a waiter");
    }
}
