package io.lockkeeper.engine;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
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
 *   <li>A grant serves one holder after the other only while it is surely held, has tokens left and the bound is not
 *       reached, and only for the wish it was made for. A holder who is woken after the deadline does not get it.
 *   <li>An answer that comes after the deadline gives nothing and resurrects nothing.
 *   <li>When nobody waits and nothing is held there is nothing left here ({@link #isIdle}).
 * </ol>
 */
public final class ResourceEngine {

    private static final long LONGEST_POLL = Duration.ofSeconds(1).toNanos();
    /**
     * The first fair claim is asked for all of them, which is enough while the store has them in the same order. Where a
     * store lost them and got them again in another one, as in a new session, the first there would never be asked: so
     * each asks for itself now and then.
     */
    private static final long SLOW_POLL = Duration.ofSeconds(10).toNanos();

    private static final long FIRST_RETRY = Duration.ofMillis(20).toNanos();

    private final Resource resource;
    private final Terms terms;
    private final WaiterQueue queue = new WaiterQueue();
    private final Grants grants;
    private final Settling settling;
    private final Silence silence;
    private Effects effects = new Effects();
    /** The claim of the plain waiters. */
    private @Nullable Ask ask;
    /** Those who ask a single time, while they do. */
    private final List<Waiter> singles = new ArrayList<>(0);
    /** Requests of claims that are under way. */
    private int underWay;

    public ResourceEngine(Resource resource, Terms terms) {
        this.resource = resource;
        this.terms = terms;
        this.grants = new Grants(terms);
        this.settling = new Settling(resource, terms);
        this.silence = new Silence(resource);
    }

    // ------------------------------------------------------------------------------------------ asking and waiting

    /** Somebody asks. His first step comes from {@link #turn}. */
    public void ask(Moment now, Waiter waiter) {
        waiter.since = now;
        Grant shared = queue.isEmpty() ? grants.joinable(now, waiter.wish) : null;
        if (shared != null) {
            serve(now, waiter, shared, true);
        } else if (!waiter.once) {
            queue.addLast(waiter);
        } else if (mayAskOnce(waiter.wish.mode())) {
            waiter.ask = new Ask(terms.ids().get(), waiter.wish, Claim.Queueing.NEVER, waiter);
            singles.add(waiter);
        } else {
            waiter.state = Waiter.State.LEFT;
        }
    }

    /**
     * Whether asking the store a single time makes sense: not if others wait here. Those whose first request is still under
     * way do not count unless they exclude this one, else a free semaphore would seem taken.
     */
    private boolean mayAskOnce(Mode wanted) {
        boolean othersWait = !queue.isEmpty()
                && (wanted instanceof Mode.Exclusive || queue.hasExclusive() || (ask != null && ask.placed));
        return !othersWait && !grants.exclude(wanted);
    }

    /** What this waiter has to do now. */
    public Step turn(Moment now, Waiter waiter) {
        switch (waiter.state) {
            case SERVED -> {
                Holding holding = required(waiter.holding);
                if (holding.remaining(now) > 0) {
                    return new Step.Served(holding);
                }
                takeBack(now, waiter, holding);
            }
            case FAILED -> {
                return new Step.Failed(required(waiter.failure));
            }
            case LEFT -> {
                return Step.NotNow.NOT_NOW;
            }
            case WAITING -> {}
        }
        Ask mine = askOf(waiter);
        if (mine == null || mine.underWay) {
            return Step.Park.UNTIL_WOKEN;
        }
        boolean spokenFor = waiter.wish.fair() && mine.placed && queue.firstFair() != waiter;
        long askAt = spokenFor ? Math.max(mine.askAt, mine.placedAt + SLOW_POLL) : mine.askAt;
        if (askAt > now.mono()) {
            return new Step.Park(askAt);
        }
        underWay++;
        mine.underWay = true;
        mine.sent = true;
        mine.signalled = false;
        return new Step.Attempt(mine, mine.claim(resource, terms, tokensFor(mine)));
    }

    /** An attempt that {@link #turn} asked for was not made, because the waiter leaves instead. */
    public void unsent(Ask which) {
        landed(which);
        which.sent = which.placed || which.unanswered;
    }

    /** The claim that this waiter has to see to, if any. */
    private @Nullable Ask askOf(Waiter waiter) {
        if (waiter.once) {
            return waiter.ask;
        }
        if (waiter.wish.fair()) {
            return fairAsk(waiter);
        }
        if (queue.firstPlain() != waiter) {
            return null;
        }
        if (ask == null && !grants.makeWaitHere()) {
            ask = new Ask(terms.ids().get(), waiter.wish, Claim.Queueing.PLAIN, null);
        }
        return ask;
    }

    private @Nullable Ask fairAsk(Waiter waiter) {
        Waiter before = WaiterQueue.fairBefore(waiter);
        if (before != null && (before.ask == null || !before.ask.placed)) {
            return null;
        }
        if (waiter.ask == null) {
            waiter.ask = new Ask(terms.ids().get(), waiter.wish, Claim.Queueing.FAIR, waiter);
        }
        return waiter.ask;
    }

    /** With others behind it in the queue, a claim asks for tokens for all of them at once. */
    private int tokensFor(Ask mine) {
        boolean passing = mine.waiter == null && terms.canHandOff() && mine.wish.passable() && queue.plain() > 1;
        return passing ? 1 + terms.handOff().times() : 1;
    }

    /**
     * Somebody stops waiting: his time is over, he was interrupted or cancelled.
     *
     * @return what he had been given meanwhile, if anything; it is his to keep or to release
     */
    public @Nullable Holding leave(Moment now, Waiter waiter) {
        if (waiter.state == Waiter.State.SERVED) {
            return required(waiter.holding);
        }
        if (waiter.state == Waiter.State.WAITING) {
            waiter.state = Waiter.State.LEFT;
            remove(now, waiter);
        }
        return null;
    }

    private void remove(Moment now, Waiter waiter) {
        boolean spoke = queue.firstPlain() == waiter || queue.firstFair() == waiter;
        queue.remove(waiter);
        singles.remove(waiter);
        if (waiter.ask != null) {
            abandon(now, waiter.ask);
            waiter.ask = null;
        }
        bequeath(now);
        if (spoke || waiter.wish.fair()) {
            wakeSpeakers(waiter.wish.fair());
        }
    }

    /**
     * After the head of the queue changed: the claim of the plain waiters goes to the next one if he wishes the same, else
     * it ends. If it stayed with nobody, whoever comes next would be given what another wished for.
     */
    private void bequeath(Moment now) {
        Waiter heir = queue.firstPlain();
        if (ask != null && (heir == null || !heir.wish.equals(ask.wish))) {
            abandon(now, ask);
            ask = null;
        }
    }

    private void abandon(Moment now, Ask old) {
        old.abandoned = true;
        if (old.sent && !old.underWay) {
            settling.endLater(now, old, effects);
        }
    }

    /** Those who have something to see to, now that a place became free. */
    private void wakeSpeakers(boolean fairToo) {
        Waiter plain = queue.firstPlain();
        if (plain != null && (ask == null ? !grants.makeWaitHere() : !ask.underWay)) {
            effects.woken.add(plain);
        }
        if (fairToo) {
            Waiter first = queue.firstFair();
            if (first != null) {
                effects.woken.add(first);
            }
            // The first without a place may send its claim now.
            for (Waiter fair = first; fair != null; fair = fair.next) {
                if (fair != first && fair.wish.fair() && (fair.ask == null || !fair.ask.placed)) {
                    effects.woken.add(fair);
                    break;
                }
            }
        }
    }

    // --------------------------------------------------------------------------------------------- the store's word

    /**
     * The store answered an attempt.
     *
     * @param sentAt just before the request was sent
     */
    public void answered(Moment now, Ask which, Claim claim, Moment sentAt, Answer answer) {
        landed(which);
        silence.answered();
        which.failures = 0;
        if (answer instanceof Answer.Granted granted) {
            granted(now, which, new Grant(claim, which.wish, granted, sentAt, which.unanswered));
        } else if (answer instanceof Answer.Wait wait) {
            waits(now, which, wait);
        } else if (answer instanceof Answer.Refused refused) {
            refused(now, which, refused);
        }
    }

    private void landed(Ask which) {
        underWay--;
        which.underWay = false;
    }

    private void granted(Moment now, Ask which, Grant grant) {
        Waiter receiver = which.abandoned ? null : which.waiter == null ? queue.firstPlain() : which.waiter;
        if (receiver == null) {
            settling.endLater(now, which, effects);
            return;
        }
        if (grant.remaining(now) <= 0) {
            askAnew(now, which);
            effects.woken.add(receiver);
            return;
        }
        if (which.waiter == null) {
            ask = null;
        }
        grants.add(grant);
        effects.begun.add(grant);
        receiver.ask = null;
        queue.remove(receiver);
        singles.remove(receiver);
        serve(now, receiver, grant, false);
        letJoin(now, grant);
        if (which.waiter != null && which.wish.fair()) {
            delayFirstFair(now);
        }
        wakeSpeakers(which.wish.fair());
    }

    /** The next fair claim is surely behind this one: no use asking for it before its turn to be stamped. */
    private void delayFirstFair(Moment now) {
        Waiter next = queue.firstFair();
        if (next != null && next.ask != null && next.ask.placed) {
            next.ask.askAt = now.mono() + LONGEST_POLL;
        }
    }

    private void waits(Moment now, Ask which, Answer.Wait wait) {
        if (which.abandoned) {
            if (which.queueing != Claim.Queueing.NEVER || which.unanswered) {
                settling.endLater(now, which, effects);
            }
        } else if (which.queueing == Claim.Queueing.NEVER) {
            Waiter waiter = required(which.waiter);
            waiter.state = Waiter.State.LEFT;
            waiter.ask = null;
            singles.remove(waiter);
            if (which.unanswered) {
                settling.endLater(now, which, effects);
            }
        } else {
            boolean first = !which.placed;
            which.placed = true;
            which.placedAt = now.mono();
            long pause = Math.min(Math.max(wait.askAgainIn().toNanos(), 0), LONGEST_POLL);
            which.askAt = which.signalled ? Ask.AT_ONCE : now.mono() + pause;
            if (first && which.wish.fair()) {
                wakeSpeakers(true);
            } else {
                wakeSpeaker(which);
            }
        }
    }

    private void refused(Moment now, Ask which, Answer.Refused refused) {
        if (which.abandoned) {
            if (which.unanswered) {
                settling.endLater(now, which, effects);
            }
        } else if (refused.cause() == Answer.Cause.RELEASED) {
            askAnew(now, which);
            wakeSpeaker(which);
        } else {
            // Nothing of it is in the store, unless an earlier request is still on its way.
            which.sent = which.unanswered;
            Waiter receiver = which.waiter == null ? queue.firstPlain() : which.waiter;
            if (receiver != null) {
                fail(now, receiver, new ClaimRefusedException(refused.message()));
            }
        }
    }

    private void wakeSpeaker(Ask which) {
        Waiter speaker = which.waiter == null ? queue.firstPlain() : which.waiter;
        if (speaker != null) {
            effects.woken.add(speaker);
        }
    }

    /**
     * The same claim under a new id: the old one is ended first and never asked again. The store puts it last, so a fair
     * waiter is last here too: else the one who is first in the store would wait for him to ask, and he for the store.
     */
    private void askAnew(Moment now, Ask which) {
        settling.endLater(now, which, effects);
        which.id = terms.ids().get();
        which.unanswered = false;
        which.placed = false;
        which.sent = false;
        which.askAt = Ask.AT_ONCE;
        Waiter waiter = which.waiter;
        if (waiter != null && waiter.queued) {
            queue.remove(waiter);
            queue.addLast(waiter);
            wakeSpeakers(true);
        }
    }

    /** An attempt was not answered: it may have been executed or not, or may be yet. */
    public void failed(Moment now, Ask which, RuntimeException failure) {
        landed(which);
        which.unanswered = true;
        which.failures++;
        silence.failed(now, failure);
        if (which.abandoned) {
            settling.endLater(now, which, effects);
            return;
        }
        if (which.queueing == Claim.Queueing.NEVER) {
            fail(now, required(which.waiter), unavailable());
            return;
        }
        which.askAt = now.mono() + Math.min(FIRST_RETRY << Math.min(which.failures - 1, 10), LONGEST_POLL);
        wakeSpeaker(which);
        giveUp(now);
    }

    /** Whether the store has not answered the last request; then a wait that ends has no honest answer but this. */
    public boolean silent() {
        return silence.lasts();
    }

    public StoreUnavailableException unavailable() {
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
        waiter.failure = failure;
        waiter.state = Waiter.State.FAILED;
        remove(now, waiter);
        effects.woken.add(waiter);
    }

    /** A named owner has it now: those who wait under the same name may nest. */
    public void wakeOwner(Object owner) {
        for (Waiter waiter = queue.first(); waiter != null; waiter = waiter.next) {
            if (owner.equals(waiter.owner)) {
                effects.woken.add(waiter);
            }
        }
    }

    /** Everybody who waits fails: the keeper is closed. */
    public void failAll(Moment now, RuntimeException failure) {
        for (Waiter waiter = queue.first(); waiter != null; waiter = queue.first()) {
            fail(now, waiter, failure);
        }
    }

    /** Something may have changed in the store. A signal during a request may be newer than its answer. */
    public void signal(Moment now) {
        if (ask != null) {
            signal(ask);
        }
        Waiter fair = queue.firstFair();
        if (fair != null && fair.ask != null) {
            signal(fair.ask);
        }
        // A keeper that waits is signalled often; one that holds, only when somebody ended its grant.
        boolean waits = ask != null || fair != null;
        grants.doubt(now, waits ? LONGEST_POLL : 0, effects);
    }

    private void signal(Ask which) {
        if (which.underWay) {
            which.signalled = true;
        } else {
            which.askAt = Ask.AT_ONCE;
            wakeSpeaker(which);
        }
    }

    // -------------------------------------------------------------------------------------------- serving, passing on

    private void serve(Moment now, Waiter waiter, Grant grant, boolean locally) {
        String id = waiter.wish.portable() ? grant.id() : grant.id() + "-" + grant.holds;
        long waited = now.mono() - required(waiter.since).mono();
        Holding holding = new Holding(grant, id, grant.nextToken(), now, waiter.owner, locally, waited);
        grant.holds++;
        grant.holdings.add(holding);
        waiter.holding = holding;
        waiter.state = Waiter.State.SERVED;
        effects.woken.add(waiter);
    }

    /** Those at the head of the queue who may use a shared grant together with the one who asked for it. */
    private void letJoin(Moment now, Grant grant) {
        if (!grant.wish().shareable()) {
            return;
        }
        Waiter next = queue.first();
        while (next != null && next.wish.equals(grant.wish()) && grants.mayBeJoined(now, grant)) {
            queue.remove(next);
            serve(now, next, grant, true);
            next = queue.first();
        }
        bequeath(now);
    }

    /** He was woken too late: what was handed to him has ended. He goes on waiting, where he was if that can be. */
    private void takeBack(Moment now, Waiter waiter, Holding holding) {
        if (!holding.ended()) {
            lose(now, holding.grant(), Loss.Reason.EXPIRED);
        }
        waiter.holding = null;
        if (waiter.once) {
            waiter.state = Waiter.State.LEFT;
        } else {
            waiter.state = Waiter.State.WAITING;
            if (waiter.wish.fair()) {
                // His place in the store is gone with the grant; a new one is behind the others'.
                queue.addLast(waiter);
                wakeSpeakers(true);
            } else {
                queue.addFirst(waiter);
                bequeath(now);
            }
        }
    }

    /** A holder gives back what he has. */
    public Giving release(Moment now, Holding holding) {
        if (holding.ended()) {
            return Giving.NotHeld.NOT_HELD;
        }
        Grant grant = holding.grant();
        if (grant.remaining(now) <= 0 || !holding.markReleased()) {
            lose(now, grant, Loss.Reason.EXPIRED);
            return Giving.NotHeld.NOT_HELD;
        }
        grant.holdings.remove(holding);
        if (!grant.holdings.isEmpty()) {
            return Giving.Kept.KEPT;
        }
        if (grants.mayBePassed(now, grant, queue)) {
            Waiter heir = required(queue.first());
            queue.remove(heir);
            serve(now, heir, grant, true);
            bequeath(now);
            // The heir may have spoken for those behind him: if nobody else did, their claim would never be asked
            // again.
            wakeSpeakers(false);
            return Giving.Kept.KEPT;
        }
        grant.releasing = true;
        grant.end();
        effects.ended.add(grant);
        return new Giving.Send(grant, settling.end(grant, grant.unanswered()));
    }

    /** The store answered a release. */
    public void released(Moment now, Grant grant) {
        grants.remove(grant);
        wakeSpeakers(false);
    }

    /** A release was not answered: it is sent again until it is. */
    public void releaseFailed(Moment now, Grant grant, RuntimeException failure) {
        grants.remove(grant);
        silence.heard(failure);
        settling.endLater(now, grant, true, effects);
        wakeSpeakers(false);
    }

    /**
     * A holder gave up a part of what he has: it counts from now on, whenever the store hears of it.
     *
     * @return the claim as the store knows it, to be narrowed there
     */
    public Claim narrow(Moment now, Grant grant, Mode to) {
        Claim before = grant.claim();
        grant.narrow(to);
        wakeSpeakers(false);
        return before;
    }

    /** The store did not answer that a part was given up: it is told again until it does. */
    public void narrowFailed(Moment now, Claim before, Mode to) {
        settling.narrowLater(now, before, to, effects);
    }

    /** The hold that follows when another one is turned into something less. */
    public Holding succeed(Moment now, Holding old) {
        Grant grant = old.grant();
        old.markReleased();
        grant.holdings.remove(old);
        String id = grant.wish().portable() ? old.id() : old.id() + "r";
        Holding next = new Holding(grant, id, old.token(), now, old.owner(), true, 0);
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
            lose(now, grant, gone.reason());
        } else if (answer instanceof Renewal.Kept kept) {
            grant.othersWait = kept.othersWait();
            if (!grant.renew(now, sentAt, kept.validity())) {
                lose(now, grant, Loss.Reason.EXPIRED);
            }
        }
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

    /**
     * A grant is not held any more. Its id is released all the same, unless the store itself said so and no request of it
     * can come late.
     */
    public void lose(Moment now, Grant grant, Loss.Reason reason) {
        if (!grants.remove(grant)) {
            return;
        }
        grant.end();
        effects.ended.add(grant);
        for (Holding holding : List.copyOf(grant.holdings)) {
            holding.markLost(reason);
            effects.lost.add(new Effects.Lost(holding, holding.loss(reason)));
        }
        grant.holdings.clear();
        if (reason == Loss.Reason.EXPIRED || reason == Loss.Reason.KEEPER_CLOSED || grant.unanswered()) {
            // Renewals may be under way, but a renewal never makes a grant: only attempts leave tombstones.
            settling.endLater(now, grant, grant.unanswered(), effects);
        }
        wakeSpeakers(false);
    }

    /** One holder is not to have it any more; those who share the grant, or were handed it since, keep it. */
    public void lose(Moment now, Holding holding, Loss.Reason reason) {
        Grant grant = holding.grant();
        if (grant.holdings.contains(holding) && grant.holdings.size() == 1) {
            lose(now, grant, reason);
        } else if (grant.holdings.remove(holding)) {
            holding.markLost(reason);
            effects.lost.add(new Effects.Lost(holding, holding.loss(reason)));
        }
    }

    public List<Grant> grants() {
        return grants.copy();
    }

    // ---------------------------------------------------------------------------------------------------- settling

    /** Whether it is no use to try a chore once more: what it would end has ended by itself. */
    public boolean pointless(Moment now, Chore chore) {
        return settling.pointless(now, chore);
    }

    /** A chore is done, or pointless. */
    public void settled() {
        settling.settled();
    }

    /** Whether the engine still has to do with a claim. */
    public boolean knows(String claimId) {
        if (ask != null && ask.id.equals(claimId)) {
            return true;
        }
        if (grants.knows(claimId)) {
            return true;
        }
        for (Waiter waiter = queue.first(); waiter != null; waiter = waiter.next) {
            if (waiter.ask != null && waiter.ask.id.equals(claimId)) {
                return true;
            }
        }
        for (Waiter waiter : singles) {
            if (waiter.ask != null && waiter.ask.id.equals(claimId)) {
                return true;
            }
        }
        return false;
    }

    /** Whether nothing is left to know. */
    public boolean isIdle() {
        return queue.isEmpty()
                && singles.isEmpty()
                && ask == null
                && grants.isEmpty()
                && underWay == 0
                && settling.isDone();
    }

    public int waiting() {
        return queue.size();
    }

    /** What is to be done besides, since this was asked last. */
    public @Nullable Effects effects() {
        if (effects.isEmpty()) {
            return null;
        }
        Effects taken = effects;
        effects = new Effects();
        return taken;
    }

    private static <T> T required(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("the engine contradicts itself");
        }
        return value;
    }
}
