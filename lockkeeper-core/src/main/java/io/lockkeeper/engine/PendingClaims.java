package io.lockkeeper.engine;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Protocol;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who waits here, and which claims speak for them in the store.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>The claim of the plain waiters always has the wish of the first of them, or there is none. If it stayed when its
 *       waiter was gone, whoever comes next would be given what another wished for.
 *   <li>The first fair waiter takes a turn no later than its claim is to be asked for. Waking a thread costs as much as a
 *       request, so whoever becomes the first is woken for that only if he would look too late by himself: while few wait,
 *       each of them looks once a second. If the next slept on, and the store's message got lost, nobody would ask.
 * </ul>
 */
final class PendingClaims {

    final WaiterQueue queue = new WaiterQueue();
    private final Resource resource;
    private final Terms terms;
    private final Grants grants;
    private final PendingReleases settling;
    private final Outbox out;
    /** The claim of the plain waiters. */
    private @Nullable PendingClaim ask;
    /** Those who ask a single time, while they do. */
    private final List<Waiter> singles = new ArrayList<>(0);
    /** Requests of claims that are under way. */
    private int underWay;

    PendingClaims(Resource resource, Terms terms, Grants grants, PendingReleases settling, Outbox out) {
        this.resource = resource;
        this.terms = terms;
        this.grants = grants;
        this.settling = settling;
        this.out = out;
    }

    boolean isEmpty() {
        return queue.isEmpty() && singles.isEmpty() && ask == null && underWay == 0;
    }

    boolean knows(String claimId) {
        if (ask != null && ask.id.equals(claimId)) {
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

    // -------------------------------------------------------------------------------------------------- coming, asking

    /** @return false if asking a single time makes no sense */
    boolean add(Waiter waiter) {
        if (!waiter.once) {
            queue.addLast(waiter);
            return true;
        }
        if (!mayAskOnce(waiter.wish.mode())) {
            return false;
        }
        waiter.ask = new PendingClaim(terms.ids().get(), waiter.wish, Claim.Queueing.NEVER, waiter);
        singles.add(waiter);
        return true;
    }

    /**
     * Whether asking the store a single time makes sense: not if others wait here. Those whose first request is still under
     * way do not count unless they exclude this one, else a free semaphore would seem taken.
     */
    private boolean mayAskOnce(Mode wanted) {
        boolean othersWait = !queue.isEmpty()
                && (wanted instanceof Mode.Exclusive || queue.hasExclusive() || (ask != null && ask.placed));
        return !othersWait && !grants.bar(wanted);
    }

    /** What a waiter has to do who is still one. */
    Step step(Moment now, Waiter waiter) {
        PendingClaim mine = askOf(waiter);
        waiter.looksAt = Long.MAX_VALUE;
        if (mine == null || mine.underWay) {
            return Step.Park.UNTIL_WOKEN;
        }
        if (waiter.once && grants.exclude(waiter.wish.mode())) {
            return new Step.Park(patienceOf(waiter));
        }
        boolean spokenFor = waiter.wish.fair() && mine.placed && queue.firstFair() != waiter;
        long askAt = spokenFor ? Math.max(mine.askAt, mine.placedAt + Pacing.SLOW_POLL.toNanos()) : mine.askAt;
        if (askAt > now.mono()) {
            boolean looks = spokenFor && queue.size() <= Pacing.FEW_WAITERS;
            waiter.looksAt = looks ? Math.min(askAt, now.mono() + Protocol.LONGEST_POLL.toNanos()) : askAt;
            return new Step.Park(waiter.looksAt);
        }
        return send(mine, tokensFor(mine, queue.plain() > 1));
    }

    private Step.Attempt send(PendingClaim mine, int tokens) {
        underWay++;
        mine.underWay = true;
        mine.sent = true;
        mine.signalled = false;
        return new Step.Attempt(mine, mine.claim(resource, terms, tokens, speaker(mine)));
    }

    /**
     * What whoever gives an exclusive grant back asks along with it for the plain waiters, whose claim belongs to all of them;
     * so that the first need not be awake for it. Null if they have one in the store already, or others are to ask first.
     */
    Step.@Nullable Attempt along() {
        Waiter first = queue.firstPlain();
        if (first == null || queue.hasFair() || ask != null || !terms.exchanges()) {
            return null;
        }
        ask = new PendingClaim(terms.ids().get(), first.wish, Claim.Queueing.PLAIN, null);
        return send(ask, tokensFor(ask, true));
    }

    /** The claim that this waiter has to see to, if any. */
    private @Nullable PendingClaim askOf(Waiter waiter) {
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
            ask = new PendingClaim(terms.ids().get(), waiter.wish, Claim.Queueing.PLAIN, null);
        }
        return ask;
    }

    private @Nullable PendingClaim fairAsk(Waiter waiter) {
        Waiter before = WaiterQueue.fairBefore(waiter);
        if (before != null && (before.ask == null || !before.ask.placed)) {
            return null;
        }
        if (waiter.ask == null) {
            waiter.ask = new PendingClaim(terms.ids().get(), waiter.wish, Claim.Queueing.FAIR, waiter);
        }
        return waiter.ask;
    }

    private static long patienceOf(Waiter once) {
        Moment since = once.since;
        return since == null ? Long.MAX_VALUE : since.mono() + Pacing.RECALL_WAIT.toNanos();
    }

    /** Whether somebody who asks a single time has waited long enough for what is to be given back. */
    boolean isOutOfPatience(Moment now, Waiter waiter) {
        PendingClaim mine = waiter.ask;
        if (!waiter.once || mine == null || mine.underWay) {
            return false;
        }
        Mode mode = waiter.wish.mode();
        return grants.bar(mode) || ((mine.asked > 0 || grants.exclude(mode)) && now.mono() >= patienceOf(waiter));
    }

    /**
     * The keeper that has it was asked to give it back: worth asking again soon.
     *
     * @return false if that was long enough
     */
    boolean askOnceMore(Moment now, PendingClaim which, Waiter waiter) {
        long until = patienceOf(waiter);
        if (now.mono() >= until) {
            return false;
        }
        which.askAt = Math.min(now.mono() + (Pacing.FIRST_RECALL_PAUSE.toNanos() << Math.min(which.asked, 10)), until);
        which.asked++;
        return true;
    }

    /** With others behind it in the queue, a claim asks for tokens for all of them at once. */
    private int tokensFor(PendingClaim mine, boolean othersBehind) {
        if (mine.wish.isSticky()) {
            return Pacing.STICKY_TOKENS;
        }
        boolean passing = mine.waiter == null && terms.canHandOff() && mine.wish.passable() && othersBehind;
        return passing ? 1 + terms.handOff().times() : 1;
    }

    // ------------------------------------------------------------------------------------------------- what was
    // answered

    void landed(PendingClaim which) {
        underWay--;
        which.underWay = false;
    }

    /** An attempt that was handed out is not made. */
    void unsent(PendingClaim which) {
        landed(which);
        which.sent = which.placed || which.unanswered;
    }

    /** Whom a claim speaks for now. */
    @Nullable
    Waiter speaker(PendingClaim which) {
        return which.waiter == null ? queue.firstPlain() : which.waiter;
    }

    /** A claim was granted: its waiter has nothing more to ask. */
    void granted(Moment now, PendingClaim which, Waiter receiver) {
        if (which.waiter == null) {
            ask = null;
        }
        receiver.ask = null;
        queue.remove(receiver);
        singles.remove(receiver);
        if (which.waiter != null && which.wish.fair()) {
            delayFirstFair(now);
        }
    }

    /** The next fair claim is surely behind this one: no use asking for it before its turn to be stamped. */
    private void delayFirstFair(Moment now) {
        Waiter next = queue.firstFair();
        if (next != null && next.ask != null && next.ask.placed) {
            next.ask.askAt = now.mono() + Protocol.LONGEST_POLL.toNanos();
        }
    }

    /** A claim has its place in the store's queue. */
    void placed(Moment now, PendingClaim which, Answer.Wait wait) {
        boolean first = !which.placed;
        which.placed = true;
        which.placedAt = now.mono();
        long pause = Math.min(Math.max(wait.retryIn().toNanos(), 0), Protocol.LONGEST_POLL.toNanos());
        if (wait.recalled()) {
            // The word may have been lost; but whoever holds it for long is not asked ever so often.
            pause = Math.min(pause, Pacing.RECALL_WAIT.toNanos() << Math.min(which.asked++, 10));
        }
        which.askAt = which.signalled ? PendingClaim.AT_ONCE : now.mono() + pause;
        if (first && which.wish.fair()) {
            wakeSpeakers(true);
        } else {
            out.wake(speaker(which));
        }
    }

    /** A request of a claim was not answered: it is asked again, slower and slower. */
    void askLater(Moment now, PendingClaim which) {
        which.askAt = now.mono()
                + Math.min(
                        Pacing.FIRST_RETRY.toNanos() << Math.min(which.failures - 1, 10),
                        Protocol.LONGEST_POLL.toNanos());
        out.wake(speaker(which));
    }

    /**
     * The same claim under a new id: the old one is ended first and never asked again. The store puts it last, so a fair
     * waiter is last here too: else the one who is first in the store would wait for him to ask, and he for the store.
     */
    void askAnew(Moment now, PendingClaim which) {
        settling.endLater(now, which, out.effects());
        which.id = terms.ids().get();
        which.unanswered = false;
        which.placed = false;
        which.sent = false;
        which.askAt = PendingClaim.AT_ONCE;
        Waiter waiter = which.waiter;
        if (waiter != null && waiter.queued) {
            queue.remove(waiter);
            queue.addLast(waiter);
            wakeSpeakers(true);
        }
    }

    // -------------------------------------------------------------------------------------------------------- leaving

    void remove(Moment now, Waiter waiter) {
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
    void bequeath(Moment now) {
        Waiter heir = queue.firstPlain();
        if (ask != null && (heir == null || !heir.wish.equals(ask.wish))) {
            abandon(now, ask);
            ask = null;
        }
    }

    private void abandon(Moment now, PendingClaim old) {
        old.abandoned = true;
        if (old.sent && !old.underWay) {
            settling.endLater(now, old, out.effects());
        }
    }

    /** Somebody who asked for himself was served by other means: nothing of his claim is in the store. */
    void servedOtherwise(Moment now, Waiter waiter) {
        PendingClaim mine = waiter.ask;
        if (mine != null) {
            abandon(now, mine);
            waiter.ask = null;
            singles.remove(waiter);
        }
    }

    /** Those who ask a single time and have no request under way. */
    List<Waiter> patientSingles() {
        List<Waiter> patient = new ArrayList<>(singles);
        patient.removeIf(waiter -> waiter.ask != null && waiter.ask.underWay);
        return patient;
    }

    /** Those who ask a single time and had to wait until something was given back. */
    void wakeSingles() {
        for (Waiter waiter : singles) {
            out.wake(waiter);
        }
    }

    /** Those who have something to see to, now that a place became free. */
    void wakeSpeakers(boolean fairToo) {
        Waiter plain = queue.firstPlain();
        if (plain != null && (ask == null ? !grants.makeWaitHere() : !ask.underWay)) {
            out.wake(plain);
        }
        if (fairToo) {
            Waiter first = queue.firstFair();
            if (first != null && !seesToIt(first)) {
                out.wake(first);
            }
            // The first without a place may send its claim now.
            for (Waiter fair = first; fair != null; fair = fair.next) {
                if (fair != first && fair.wish.fair() && (fair.ask == null || !fair.ask.placed)) {
                    if (!seesToIt(fair)) {
                        out.wake(fair);
                    }
                    break;
                }
            }
        }
    }

    /** Whether a fair waiter takes a turn in time without being woken: after its request, or when its claim is to be asked for. */
    private static boolean seesToIt(Waiter fair) {
        PendingClaim mine = fair.ask;
        return mine != null && (mine.underWay || fair.looksAt <= mine.askAt);
    }

    // -------------------------------------------------------------------------------------------------------- signals

    /** @return whether anybody waits for one */
    boolean signal() {
        if (ask != null) {
            signal(ask);
        }
        Waiter fair = queue.firstFair();
        if (fair != null && fair.ask != null) {
            signal(fair.ask);
        }
        return ask != null || fair != null;
    }

    private void signal(PendingClaim which) {
        if (which.underWay) {
            which.signalled = true;
        } else {
            which.askAt = PendingClaim.AT_ONCE;
            out.wake(speaker(which));
        }
    }
}
