package io.lockkeeper.engine;

import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.WaiterTimes;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One resource as one keeper sees it: its waiters, the claims on their way, the grants and their holders.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>A claim's id is registered here before it is sent, at most one request of it is under way, and after its release
 *       was sent it is never requested again. So whatever the store grants is either held here or being released.
 *   <li>The plain waiters have one claim together; it belongs to the queue and not to the caller at its head. If it were
 *       withdrawn with that caller, callers with short timeouts would lose their place in the store each time and never be
 *       served.
 *   <li>Each fair waiter has its own claim, sent when the one before it has its place: so the order here is the order in
 *       the store, and the first of them polls for all. The others poll rarely, in case the order was lost.
 *   <li>A grant may serve one holder after the other; see {@link GrantDispatcher}.
 *   <li>An answer that comes after the deadline gives nothing and resurrects nothing.
 *   <li>A sticky grant may be idle: nobody holds it or waits for it here, and it is kept; see {@link StickyGrants}.
 *   <li>When nobody waits and nothing is held there is nothing left here ({@link #isIdle}).
 * </ol>
 */
public final class ResourceEngine {

    private final Outbox out = new Outbox();
    private final Grants grants;
    private final PendingReleases pendingReleases;
    private final Outage outage;
    private final PendingClaims claims;
    private final StickyGrants sticky;
    private final Losses losses;
    private final GrantDispatcher dispatcher;
    private final Departures departures;
    private final AttemptAnswers attempts;
    private final Releases releases;
    private final WaiterQueue queue;

    public ResourceEngine(Resource resource, Terms terms) {
        this.grants = new Grants(terms);
        this.pendingReleases = new PendingReleases(resource, terms);
        this.outage = new Outage(resource);
        this.claims = new PendingClaims(resource, terms, grants, pendingReleases, out);
        this.queue = claims.queue;
        this.sticky = new StickyGrants(grants, pendingReleases, out);
        this.losses = new Losses(claims, grants, pendingReleases, out);
        this.dispatcher = new GrantDispatcher(claims, grants, terms, sticky, pendingReleases, losses, out);
        this.departures = new Departures(claims, dispatcher, outage, out);
        this.attempts = new AttemptAnswers(claims, grants, pendingReleases, dispatcher, departures, outage, out);
        this.releases =
                new Releases(terms, claims, grants, pendingReleases, sticky, losses, dispatcher, attempts, outage, out);
    }

    // ----------------------------------------------------------------------------------------- arriving and waiting

    /** A waiter arrives. Its first step comes from {@link #turn}. */
    public void arrive(Moment now, Waiter waiter) {
        waiter.since = now;
        if (!dispatcher.serveIdle(now, waiter) && !dispatcher.serveNewcomer(now, waiter)) {
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
        return outage.lasts() ? new Step.Failed(unavailable()) : Step.NotNow.NOT_NOW;
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
        EngineHold taken = dispatcher.takeOpen(now, waiter);
        return taken == null ? null : new Step.Served(taken);
    }

    /** An attempt that was handed out was not sent: its claim is requested again, or ends unsent. */
    void unsent(PendingClaim which) {
        claims.unsent(which);
    }

    /**
     * A waiter stops waiting: timeout, interrupt or cancellation.
     *
     * @return the hold that it was given meanwhile, if any, for the caller to use or to release
     */
    public @Nullable EngineHold leave(Moment now, Waiter waiter) {
        if (waiter.state() == Waiter.State.SERVED) {
            return waiter.holding();
        }
        if (waiter.isWaiting()) {
            departures.leave(now, waiter);
        }
        return null;
    }

    // ------------------------------------------------------------------------------------------- the store's answers

    /**
     * The store answered an attempt.
     *
     * @param sentAt just before the request was sent
     */
    public void answered(Moment now, PendingClaim which, Claim claim, Moment sentAt, Answer answer) {
        attempts.answered(now, which, claim, sentAt, answer);
    }

    /** An attempt was not answered: it was executed or not, or will be later. */
    public void failed(Moment now, PendingClaim which, RuntimeException failure) {
        attempts.failed(now, which, failure);
    }

    /** Whether the store has not answered the last request; then a wait that ends has no honest answer but this. */
    boolean silent() {
        return outage.lasts();
    }

    StoreUnavailableException unavailable() {
        return outage.exception();
    }

    /** A named owner has the resource now: waiters under the same name may nest. */
    public void wakeOwner(Object owner) {
        for (Waiter waiter = queue.first(); waiter != null; waiter = waiter.next) {
            if (owner.equals(waiter.owner)) {
                out.wake(waiter);
            }
        }
    }

    /** Fails all waiters, because the keeper is closed. */
    public void failAll(Moment now, RuntimeException failure) {
        departures.failAll(now, failure);
    }

    /** Something may have changed in the store. A signal during a request may be newer than its answer. */
    public void signal(Moment now) {
        boolean waits = claims.signal();
        sticky.returnIdle();
        // A keeper that waits is signalled often; one that holds, only when its grant was ended elsewhere.
        grants.doubt(now, waits ? WaiterTimes.LONGEST_POLL.toNanos() : 0, out.effects());
    }

    /**
     * Anything may have changed in the store: signals were lost, or a session has ended. What an ended session had is lost at once,
     * all else is confirmed however lately that was done: a keeper that waits for the resource too must not learn of it later.
     */
    public void signalAll(Moment now) {
        for (Grant grant : grants.copy()) {
            if (grant.isKept() && grant.isSessionEnded()) {
                losses.lose(now, grant, Loss.Reason.SESSION_ENDED);
            }
        }
        claims.signal();
        sticky.returnIdle();
        grants.doubt(now, 0, out.effects());
    }

    // ------------------------------------------------------------------------------------------------ sticky grants

    /** Another keeper wants what this claim holds: it goes back at once if nobody holds it here, else when it is released. */
    public void recall(String claimId) {
        sticky.recall(claimId);
    }

    /** The time for which an idle grant is kept may be over. */
    public void keptLongEnough(Moment now, Grant grant) {
        sticky.longEnough(now, grant);
    }

    // ----------------------------------------------------------------------------------------------------- releasing

    /** A holder releases its hold. */
    public ReleaseStep release(Moment now, EngineHold holding) {
        return release(now, holding, true);
    }

    /**
     * A holder releases its hold.
     *
     * @param mayKeep whether the grant may stay with this keeper though nobody waits for it here
     */
    public ReleaseStep release(Moment now, EngineHold holding, boolean mayKeep) {
        return releases.release(now, holding, mayKeep);
    }

    /** The store answered a release. */
    public void released(Grant grant) {
        releases.released(grant);
    }

    /** A release was not answered: it is sent again until it is. */
    public void releaseFailed(Moment now, Grant grant, RuntimeException failure) {
        releases.failed(now, grant, failure);
    }

    /**
     * The store answered a release and the attempt that went along with it, or one of them, or neither.
     *
     * @param sentAt just before they were sent
     */
    public void exchanged(Moment now, Grant grant, Step.Attempt along, Moment sentAt, Exchanged got) {
        releases.exchanged(now, grant, along, sentAt, got);
    }

    /**
     * A holder gave up a part of its grant: it counts from now on, whenever the store is told.
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
        pendingReleases.narrowLater(now, before, to, out.effects());
    }

    /** The hold that follows when another one is turned into something less. */
    public EngineHold succeed(Moment now, EngineHold old) {
        Grant grant = old.grant();
        old.markReleased();
        String id = grant.request().portable() ? old.id() : old.id() + "r";
        EngineHold next = new EngineHold(grant, id, old.token(), now, old.owner(), true, 0);
        grant.replace(old, next);
        return next;
    }

    // ------------------------------------------------------------------------------------------------ renewal and loss

    /** The store answered a renewal. */
    public void renewed(Moment now, Grant grant, Moment sentAt, Renewal answer) {
        renewals().renewed(now, grant, sentAt, answer);
    }

    /** Made when it is needed: most engines are gone before anything is renewed. */
    private RenewalAnswers renewals() {
        return new RenewalAnswers(losses, sticky);
    }

    /**
     * A holder wants a grant of a fixed lease to last longer. Nothing gets longer here before the store has said so.
     *
     * @return the claim to extend in the store; null if it is not held any more
     */
    public @Nullable Claim extending(Moment now, EngineHold holding, Duration lease) {
        return renewals().extending(now, holding, lease);
    }

    /**
     * The store said what became of a grant that was to be extended.
     *
     * @param sentAt just before the request was sent
     * @return whether it is held for that long
     */
    public boolean extended(Moment now, EngineHold holding, Moment sentAt, Renewal answer) {
        return renewals().extended(now, holding, sentAt, answer);
    }

    /**
     * A renewal was not answered.
     *
     * @return whether its holders are uncertain only from now on
     */
    public boolean renewalFailed(Grant grant) {
        return renewals().failed(grant);
    }

    /** The deadline of a grant may have passed. */
    public void expire(Moment now, Grant grant) {
        if (grant.isKept() && grant.remaining(now) <= 0) {
            losses.lose(now, grant, grant.isSessionEnded() ? Loss.Reason.SESSION_ENDED : Loss.Reason.EXPIRED);
        }
    }

    /** A grant is not held any more. */
    public void lose(Moment now, Grant grant, Loss.Reason reason) {
        losses.lose(now, grant, reason);
    }

    /** Takes a grant from one hold; holds that share it, or were handed it since, keep it. */
    public void lose(Moment now, EngineHold holding, Loss.Reason reason) {
        losses.lose(now, holding, reason);
    }

    public List<Grant> grants() {
        return grants.copy();
    }

    // ----------------------------------------------------------------------------------------- background and state

    /** Whether repeating a chore is pointless: what it would end has ended by itself. */
    public boolean pointless(Moment now, Chore chore) {
        return pendingReleases.pointless(now, chore);
    }

    /** A chore is done, or pointless. */
    public void settled() {
        pendingReleases.settled();
    }

    /** Whether a claim is pending here or has a grant here. */
    public boolean knows(String claimId) {
        return claims.knows(claimId) || grants.knows(claimId);
    }

    /** Whether nothing is waited for, held or still to be released, so that this object can be dropped. */
    public boolean isIdle() {
        return claims.isEmpty() && grants.isEmpty() && pendingReleases.isDone();
    }

    public int waiting() {
        return queue.size();
    }

    /** The names of the threads that wait here, in order of arrival; of very many, the first. */
    public List<String> waitingThreads(int atMost) {
        return queue.threads(atMost);
    }

    /** The effects since the last call; null if there are none. */
    public @Nullable Effects effects() {
        return out.take();
    }
}
