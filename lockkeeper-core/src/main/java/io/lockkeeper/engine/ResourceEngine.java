package io.lockkeeper.engine;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Protocol;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One resource as one keeper sees it: who waits for it here, which claims are on their way, which grants there are and
 * who holds them.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>A claim's id is registered here before it is sent, at most one request of it is under way, and after its release
 *       was sent it is never asked again. So whatever the store grants is either held here or being released.
 *   <li>The plain waiters have one claim together; it belongs to the queue and not to the caller at its head. If it were
 *       withdrawn with that caller, callers with short limits would lose their place in the store each time and never be
 *       served.
 *   <li>Each fair waiter has its own claim, sent when the one before it has its place: so the order here is the order in
 *       the store, and the first of them asks for all. The others ask rarely, in case that order was lost.
 *   <li>A grant may serve one holder after the other; see {@link GrantDispatcher}.
 *   <li>An answer that comes after the deadline gives nothing and resurrects nothing.
 *   <li>A sticky grant may be idle: nobody holds it or waits for it here, and it is kept; see {@link StickyGrants}.
 *   <li>When nobody waits and nothing is held there is nothing left here ({@link #isIdle}).
 * </ol>
 */
public final class ResourceEngine {

    private final Outbox out = new Outbox();
    private final Grants grants;
    private final PendingReleases releases;
    private final Silence silence;
    private final PendingClaims claims;
    private final StickyGrants sticky;
    private final Losses losses;
    private final GrantDispatcher dispatcher;
    private final WaiterQueue queue;

    public ResourceEngine(Resource resource, Terms terms) {
        this.grants = new Grants(terms);
        this.releases = new PendingReleases(resource, terms);
        this.silence = new Silence(resource);
        this.claims = new PendingClaims(resource, terms, grants, releases, out);
        this.queue = claims.queue;
        this.sticky = new StickyGrants(grants, releases, out);
        this.losses = new Losses(claims, grants, releases, out);
        this.dispatcher = new GrantDispatcher(claims, grants, releases, losses, out);
    }

    // ------------------------------------------------------------------------------------------ asking and waiting

    /** A waiter arrives. Its first step comes from {@link #turn}. */
    public void arrive(Moment now, Waiter waiter) {
        waiter.since = now;
        if (takeKept(now, waiter)) {
            return;
        }
        Grant shared = queue.isEmpty() ? grants.joinable(now, waiter.request) : null;
        // Also to one that asks a single time: it never queues, so an open grant is all that it can get while others
        // wait here.
        Grant open = grants.forNewcomer(now, waiter, queue);
        if (shared != null) {
            dispatcher.serve(now, waiter, shared, true);
        } else if (open != null) {
            dispatcher.serve(now, waiter, open, true);
        } else {
            claims.add(waiter);
        }
    }

    /** What this waiter has to do now. */
    public Step turn(Moment now, Waiter waiter) {
        Step end = endOf(now, waiter);
        return end == null ? claims.step(now, waiter) : end;
    }

    /**
     * A waiter's time is over. It gets what it was given meanwhile, or what it may take here without a request; otherwise it
     * leaves. If the store is silent then, that is the only honest answer.
     *
     * @return {@link Step.Served}, {@link Step.NotNow} or {@link Step.Failed}
     */
    public Step giveUp(Moment now, Waiter waiter) {
        Step end = endOf(now, waiter);
        if (end != null) {
            return end;
        }
        leave(now, waiter);
        return silence.lasts() ? new Step.Failed(unavailable()) : Step.NotNow.NOT_NOW;
    }

    /** How this waiter's wait has ended; null if the waiter has to wait on. */
    private @Nullable Step endOf(Moment now, Waiter waiter) {
        switch (waiter.state()) {
            case NEW -> throw new IllegalStateException("A waiter takes a turn before it arrived");
            case SERVED -> {
                EngineHold holding = waiter.holding();
                if (holding.remaining(now) > 0) {
                    return new Step.Served(holding);
                }
                dispatcher.takeBack(now, waiter, holding);
                if (waiter.state() == Waiter.State.LEFT) {
                    return Step.NotNow.NOT_NOW;
                }
            }
            case FAILED -> {
                return new Step.Failed(waiter.failure());
            }
            case LEFT -> {
                return Step.NotNow.NOT_NOW;
            }
            case QUEUED, CALLED, TRYING -> {}
        }
        if (claims.isOutOfPatience(now, waiter)) {
            waiter.become(Waiter.State.LEFT);
            claims.remove(now, waiter);
            return Step.NotNow.NOT_NOW;
        }
        waiter.looked();
        if (grants.open() != null && queue.first() == waiter) {
            Grant open = grants.forHeir(now);
            if (open != null) {
                return new Step.Served(dispatcher.pass(now, waiter, open));
            }
            dispatcher.giveUpOpen(now);
        }
        return null;
    }

    /** An attempt was not made that was to go along with a release: the claim is asked for again, or ends unsent. */
    void unsent(PendingClaim which) {
        claims.unsent(which);
    }

    /**
     * Somebody stops waiting: his time is over, he was interrupted or cancelled.
     *
     * @return what he had been given meanwhile, if anything; it is his to keep or to release
     */
    public @Nullable EngineHold leave(Moment now, Waiter waiter) {
        if (waiter.state() == Waiter.State.SERVED) {
            return waiter.holding();
        }
        if (waiter.isWaiting()) {
            waiter.become(Waiter.State.LEFT);
            claims.remove(now, waiter);
            dispatcher.callHeir(now);
        }
        return null;
    }

    // --------------------------------------------------------------------------------------------- the store's word

    /**
     * The store answered an attempt.
     *
     * @param sentAt just before the request was sent
     */
    public void answered(Moment now, PendingClaim which, Claim claim, Moment sentAt, Answer answer) {
        claims.landed();
        silence.answered();
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
            which.become(PendingClaim.State.ENDED);
            releases.endLater(now, which, out.effects());
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
            which.become(PendingClaim.State.ENDED);
            if (!which.neverQueues() || which.unanswered()) {
                releases.endLater(now, which, out.effects());
            }
        } else if (which.neverQueues()) {
            Waiter waiter = Checks.present(which.waiter, "a single try has a waiter");
            which.notStored();
            if (!takeKept(now, waiter) && !(wait.recalled() && claims.retrySoon(now, which, waiter))) {
                waiter.become(Waiter.State.LEFT);
                claims.remove(now, waiter);
            }
        } else {
            claims.placed(now, which, wait);
        }
    }

    private void refused(Moment now, PendingClaim which, Answer.Refused refused) {
        if (which.isAbandoned()) {
            which.become(PendingClaim.State.ENDED);
            if (which.unanswered()) {
                releases.endLater(now, which, out.effects());
            }
        } else if (refused.cause() == Answer.Cause.RELEASED) {
            claims.startOver(now, which);
            out.wake(claims.speaker(which));
        } else {
            // Nothing of it is in the store, unless an earlier request is still on its way.
            which.notStored();
            Waiter receiver = claims.speaker(which);
            if (receiver != null) {
                fail(now, receiver, new ClaimRefusedException(refused.message()));
            }
        }
    }

    /** An attempt was not answered: it may have been executed or not, or may be yet. */
    public void failed(Moment now, PendingClaim which, RuntimeException failure) {
        claims.landed();
        which.failed();
        silence.failed(now, failure);
        if (which.isAbandoned()) {
            which.become(PendingClaim.State.ENDED);
            releases.endLater(now, which, out.effects());
            return;
        }
        if (which.neverQueues()) {
            fail(now, Checks.present(which.waiter, "a single try has a waiter"), unavailable());
            return;
        }
        claims.retryLater(now, which);
        giveUp(now);
    }

    /** Whether the store has not answered the last request; then a wait that ends has no honest answer but this. */
    boolean silent() {
        return silence.lasts();
    }

    StoreUnavailableException unavailable() {
        return silence.exception();
    }

    private void giveUp(Moment now) {
        for (Waiter waiter = queue.first(); waiter != null; ) {
            Waiter next = waiter.next;
            if (silence.isTooLongFor(waiter, now)) {
                fail(now, waiter, unavailable());
            }
            waiter = next;
        }
    }

    private void fail(Moment now, Waiter waiter, RuntimeException failure) {
        waiter.fail(failure);
        claims.remove(now, waiter);
        dispatcher.callHeir(now);
        out.wake(waiter);
    }

    /** A named owner has it now: those who wait under the same name may nest. */
    public void wakeOwner(Object owner) {
        for (Waiter waiter = queue.first(); waiter != null; waiter = waiter.next) {
            if (owner.equals(waiter.owner)) {
                out.wake(waiter);
            }
        }
    }

    /** Everybody who waits fails: the keeper is closed. */
    public void failAll(Moment now, RuntimeException failure) {
        for (Waiter waiter = queue.first(); waiter != null; waiter = queue.first()) {
            fail(now, waiter, failure);
        }
        for (Waiter waiter : claims.patientSingles()) {
            fail(now, waiter, failure);
        }
    }

    /** Something may have changed in the store. A signal during a request may be newer than its answer. */
    public void signal(Moment now) {
        boolean waits = claims.signal();
        sticky.giveBack();
        // A keeper that waits is signalled often; one that holds, only when somebody ended its grant.
        grants.doubt(now, waits ? Protocol.LONGEST_POLL.toNanos() : 0, out.effects());
    }

    // ------------------------------------------------------------------------------------------------ sticky grants

    /** Another keeper wants what this claim holds: it goes back at once if nobody holds it here, else when it is released. */
    public void recall(String claimId) {
        sticky.recall(claimId);
    }

    /** The time may be over for which a grant is kept that nobody holds. */
    public void keptLongEnough(Moment now, Grant grant) {
        sticky.longEnough(now, grant);
    }

    /** @return whether he has what was kept for whoever comes next */
    private boolean takeKept(Moment now, Waiter waiter) {
        Grant kept = sticky.take(now, waiter.request);
        if (kept == null) {
            return false;
        }
        claims.servedOtherwise(now, waiter);
        dispatcher.serve(now, waiter, kept, true);
        return true;
    }

    // -------------------------------------------------------------------------------------------- serving, passing on

    /** A holder gives back what he has. */
    public ReleaseStep release(Moment now, EngineHold holding) {
        return release(now, holding, true);
    }

    /** @param mayKeep whether the grant may stay with this keeper though nobody waits for it here */
    public ReleaseStep release(Moment now, EngineHold holding, boolean mayKeep) {
        if (holding.ended()) {
            return ReleaseStep.NotHeld.NOT_HELD;
        }
        Grant grant = holding.grant();
        if (grant.remaining(now) <= 0 || !holding.markReleased()) {
            lose(now, grant, Loss.Reason.EXPIRED);
            return ReleaseStep.NotHeld.NOT_HELD;
        }
        grant.holdings.remove(holding);
        if (!grant.holdings.isEmpty()) {
            return ReleaseStep.Kept.KEPT;
        }
        if (grants.mayBePassed(now, grant, queue)) {
            Waiter heir = Checks.present(queue.first(), "a grant is handed on only to a waiter");
            if (grants.mayBeOpen(now, grant, heir)) {
                grants.open(grant);
                dispatcher.callHeir(now);
            } else {
                dispatcher.pass(now, heir, grant);
            }
            return ReleaseStep.Kept.KEPT;
        }
        if (mayKeep && sticky.keep(now, grant, queue)) {
            return ReleaseStep.Kept.KEPT;
        }
        boolean alone = grant.request().mode() instanceof Mode.Exclusive;
        return sticky.send(grant, alone ? claims.along() : null);
    }

    /** The store answered a release. */
    public void released(Grant grant) {
        grants.remove(grant);
        claims.wakeSingles();
        claims.wakeSpeakers(false);
    }

    /** A release was not answered: it is sent again until it is. */
    public void releaseFailed(Moment now, Grant grant, RuntimeException failure) {
        grants.remove(grant);
        silence.heard(failure);
        releases.endLater(now, grant, true, out.effects());
        claims.wakeSingles();
        claims.wakeSpeakers(false);
    }

    /**
     * The store answered a release and the attempt that went along with it, or one of them, or neither.
     *
     * @param sentAt just before they were sent
     */
    public void exchanged(Moment now, Grant grant, Step.Attempt along, Moment sentAt, Exchanged got) {
        Exchange.told(this, now, grant, along, sentAt, got);
    }

    /**
     * A holder gave up a part of what he has: it counts from now on, whenever the store hears of it.
     *
     * @return the claim as the store knows it, to be narrowed there
     */
    public Claim narrow(Grant grant, Mode to) {
        Claim before = grant.claim();
        grant.narrow(to);
        claims.wakeSpeakers(false);
        return before;
    }

    /** The store did not answer that a part was given up: it is told again until it does. */
    public void narrowFailed(Moment now, Claim before, Mode to) {
        releases.narrowLater(now, before, to, out.effects());
    }

    /** The hold that follows when another one is turned into something less. */
    public EngineHold succeed(Moment now, EngineHold old) {
        Grant grant = old.grant();
        old.markReleased();
        grant.holdings.remove(old);
        String id = grant.request().portable() ? old.id() : old.id() + "r";
        EngineHold next = new EngineHold(grant, id, old.token(), now, old.owner(), true, 0);
        grant.holdings.add(next);
        return next;
    }

    // ------------------------------------------------------------------------------------------------ renewal and loss

    /** The store answered a renewal. */
    public void renewed(Moment now, Grant grant, Moment sentAt, Renewal answer) {
        if (grant.releasing || !grants.contains(grant)) {
            return;
        }
        if (answer instanceof Renewal.Gone gone) {
            lose(now, grant, reason(now, grant, gone));
        } else if (answer instanceof Renewal.Kept kept) {
            grant.othersWait = kept.othersWait();
            if (!grant.renew(now, sentAt, kept.validity())) {
                lose(now, grant, Loss.Reason.EXPIRED);
            } else if (grant.othersWait && grant.isIdle()) {
                sticky.giveBack();
            }
        }
    }

    /**
     * Why a grant is gone. A store that has no record of it may say that its lease has ended, which it can not have while it
     * runs here, since it began here first.
     */
    private static Loss.Reason reason(Moment now, Grant grant, Renewal.Gone gone) {
        boolean runs = grant.remaining(now) > 0;
        return gone.reason() == Loss.Reason.EXPIRED && runs ? Loss.Reason.TAKEN : gone.reason();
    }

    /**
     * A holder wants a grant of a fixed lease to last longer. Nothing gets longer here before the store has said so.
     *
     * @return the claim to extend in the store; null if it is not held any more
     */
    public @Nullable Claim extending(Moment now, EngineHold holding, Duration lease) {
        Grant grant = holding.grant();
        boolean held = !holding.ended() && !grant.releasing && grants.contains(grant) && holding.remaining(now) > 0;
        return held ? grant.extending(lease) : null;
    }

    /**
     * The store said what became of a grant that was to be extended.
     *
     * @param sentAt just before the request was sent
     * @return whether it is held for that long
     */
    public boolean extended(Moment now, EngineHold holding, Moment sentAt, Renewal answer) {
        Grant grant = holding.grant();
        if (holding.ended() || grant.releasing || !grants.contains(grant)) {
            return false;
        }
        if (answer instanceof Renewal.Gone gone) {
            lose(now, grant, reason(now, grant, gone));
        } else if (answer instanceof Renewal.Kept kept) {
            if (grant.extend(now, sentAt, kept.validity())) {
                return true;
            }
            lose(now, grant, Loss.Reason.EXPIRED);
        }
        return false;
    }

    /**
     * A renewal was not answered.
     *
     * @return whether its holders are uncertain only from now on
     */
    public boolean renewalFailed(Moment now, Grant grant) {
        return grants.contains(grant) && grant.renewalFailed();
    }

    /** The deadline of a grant may have passed. */
    public void expire(Moment now, Grant grant) {
        if (!grant.releasing && grant.remaining(now) <= 0) {
            lose(now, grant, Loss.Reason.EXPIRED);
        }
    }

    /** A grant is not held any more. */
    public void lose(Moment now, Grant grant, Loss.Reason reason) {
        losses.lose(now, grant, reason);
    }

    /** One holder is not to have it any more; those who share the grant, or were handed it since, keep it. */
    public void lose(Moment now, EngineHold holding, Loss.Reason reason) {
        losses.lose(now, holding, reason);
    }

    public List<Grant> grants() {
        return grants.copy();
    }

    // ---------------------------------------------------------------------------------------------------- settling

    /** Whether it is no use to try a chore once more: what it would end has ended by itself. */
    public boolean pointless(Moment now, Chore chore) {
        return releases.pointless(now, chore);
    }

    /** A chore is done, or pointless. */
    public void settled() {
        releases.settled();
    }

    /** Whether the engine still has to do with a claim. */
    public boolean knows(String claimId) {
        return claims.knows(claimId) || grants.knows(claimId);
    }

    /** Whether nothing is left to know. */
    public boolean isIdle() {
        return claims.isEmpty() && grants.isEmpty() && releases.isDone();
    }

    public int waiting() {
        return queue.size();
    }

    /** What is to be done besides, since this was asked last. */
    public @Nullable Effects effects() {
        return out.take();
    }
}
