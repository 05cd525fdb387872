package io.lockkeeper.engine;

import io.lockkeeper.Loss;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.Moment;

/** Takes released holds back, acts on what {@link ReleasePolicy} decides, and hears what the store answers. */
final class Releases {

    private final Terms terms;
    private final PendingClaims claims;
    private final WaiterQueue queue;
    private final Grants grants;
    private final PendingReleases pending;
    private final StickyGrants sticky;
    private final Losses losses;
    private final GrantDispatcher dispatcher;
    private final AttemptAnswers attempts;
    private final Outage outage;
    private final Outbox out;

    Releases(
            Terms terms,
            PendingClaims claims,
            Grants grants,
            PendingReleases pending,
            StickyGrants sticky,
            Losses losses,
            GrantDispatcher dispatcher,
            AttemptAnswers attempts,
            Outage outage,
            Outbox out) {
        this.terms = terms;
        this.claims = claims;
        this.queue = claims.queue;
        this.grants = grants;
        this.pending = pending;
        this.sticky = sticky;
        this.losses = losses;
        this.dispatcher = dispatcher;
        this.attempts = attempts;
        this.outage = outage;
        this.out = out;
    }

    /** @param mayKeep whether the grant may stay idle though nobody waits for it here */
    ReleaseStep release(Moment now, EngineHold holding, boolean mayKeep) {
        if (holding.ended()) {
            return ReleaseStep.NotHeld.NOT_HELD;
        }
        Grant grant = holding.grant();
        if (grant.remaining(now) <= 0 || !holding.markReleased()) {
            losses.lose(now, grant, Loss.Reason.EXPIRED);
            return ReleaseStep.NotHeld.NOT_HELD;
        }
        grant.released(now, holding);
        return switch (ReleasePolicy.decide(terms, now, grant, queue, claims.hasPlainClaim(), mayKeep)) {
            case SHARE -> ReleaseStep.Stays.SHARED;
            case LEAVE_OPEN -> {
                grant.leaveOpen();
                dispatcher.callHeir(now);
                yield ReleaseStep.Stays.LEFT_OPEN;
            }
            case HAND_ON -> {
                dispatcher.pass(now, head(), grant);
                yield ReleaseStep.Stays.HANDED_ON;
            }
            case KEEP -> {
                sticky.keep(now, grant);
                yield ReleaseStep.Stays.KEPT_IDLE;
            }
            case EXCHANGE -> pending.send(grant, claims.requestAlong(head()), out.effects());
            case RETURN -> pending.send(grant, null, out.effects());
        };
    }

    private Waiter head() {
        return Checks.present(queue.first(), "a grant is handed on or exchanged only for a waiter");
    }

    /** The store answered a release. */
    void released(Grant grant) {
        grants.end(grant);
        wakeWaiters();
    }

    /** A release was not answered: it is repeated in the background until it is. */
    void failed(Moment now, Grant grant, RuntimeException failure) {
        grants.end(grant);
        outage.heard(failure);
        pending.endLater(now, grant, true, out.effects());
        wakeWaiters();
    }

    private void wakeWaiters() {
        claims.wakeSingles();
        claims.wakeSpeakers(false);
    }

    /**
     * The store answered a release and the attempt that went along with it, or one of them, or neither.
     *
     * <p><b>Invariant.</b> One request, two claims, two fates: each of the two claims is settled by its own answer alone, as
     * if it had been sent by itself. The released one is released again until that is answered, the other one is requested
     * again under the same id or ended.
     *
     * <p>What would break it:
     *
     * <ul>
     *   <li>No answer to the pair, and the release is taken for done: the store keeps the old grant for its whole lease, for
     *       nobody. Or the attempt is taken for undone: if all waiters leave then, what it was granted is nobody's.
     *   <li>The connection breaks between the two, so that the release is answered: that says nothing about the attempt,
     *       which may have been granted.
     *   <li>The release is not answered and the attempt is: that it was granted counts, whatever became of the release.
     *   <li>All waiters have left meanwhile: what is granted goes back.
     *   <li>The pair arrives late, when its attempt was given up long ago: the end of that claim has left a tombstone.
     *   <li>The lease counted from when the answer came: it began when the store executed the pair, at the earliest when
     *       that was sent.
     *   <li>A store that grants the attempt before the claims that were in its queue already: other keepers would never be
     *       served, because the keeper that releases would always come first.
     * </ul>
     *
     * <p>That the release is executed before the attempt is not part of it: in the other order the attempt gets a place in
     * the queue, and the release wakes the first one there.
     */
    void exchanged(Moment now, Grant grant, Step.Attempt along, Moment sentAt, Exchanged got) {
        RuntimeException attemptFailure = got.attemptFailure();
        if (got.answer() == null && attemptFailure == null) {
            // Before the release, which wakes the waiter that is to send a request now.
            claims.unsent(along.pending());
        }
        RuntimeException releaseFailure = got.releaseFailure();
        if (releaseFailure == null) {
            released(grant);
        } else {
            failed(now, grant, releaseFailure);
        }
        if (got.answer() != null) {
            attempts.answered(now, along.pending(), along.claim(), sentAt, got.answer());
        } else if (attemptFailure != null) {
            attempts.failed(now, along.pending(), attemptFailure);
        }
    }
}
