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
    private final PendingReleases releases;
    private final Outbox out;
    /** The claim of the plain waiters. */
    private @Nullable PendingClaim plainClaim;
    /** Those who ask a single time, while they do. */
    private final List<Waiter> singles = new ArrayList<>(0);
    /** Requests of claims that are under way. */
    private int underWay;

    PendingClaims(Resource resource, Terms terms, Grants grants, PendingReleases releases, Outbox out) {
        this.resource = resource;
        this.terms = terms;
        this.grants = grants;
        this.releases = releases;
        this.out = out;
    }

    boolean isEmpty() {
        return queue.isEmpty() && singles.isEmpty() && plainClaim == null && underWay == 0;
    }

    boolean knows(String claimId) {
        if (plainClaim != null && plainClaim.id().equals(claimId)) {
            return true;
        }
        for (Waiter waiter = queue.first(); waiter != null; waiter = waiter.next) {
            if (waiter.claim != null && waiter.claim.id().equals(claimId)) {
                return true;
            }
        }
        for (Waiter waiter : singles) {
            if (waiter.claim != null && waiter.claim.id().equals(claimId)) {
                return true;
            }
        }
        return false;
    }

    // -------------------------------------------------------------------------------------------------- coming, asking

    /** Queues a waiter that arrived, or registers its single try; one whose try would be useless leaves at once. */
    void add(Waiter waiter) {
        if (!waiter.once) {
            waiter.become(Waiter.State.QUEUED);
            queue.addLast(waiter);
            return;
        }
        if (!isTryUseful(waiter.request.mode())) {
            waiter.become(Waiter.State.LEFT);
            return;
        }
        waiter.become(Waiter.State.TRYING);
        waiter.claim = new PendingClaim(terms.ids().get(), waiter.request, Claim.Queueing.NEVER, waiter);
        singles.add(waiter);
    }

    /**
     * Whether asking the store a single time makes sense: not if others wait here. Those whose first request is still under
     * way do not count unless they exclude this one, else a free semaphore would seem taken.
     */
    private boolean isTryUseful(Mode wanted) {
        boolean othersWait = !queue.isEmpty()
                && (wanted instanceof Mode.Exclusive
                        || queue.hasExclusive()
                        || (plainClaim != null && plainClaim.hasPlace()));
        return !othersWait && !grants.hasLastingConflict(wanted);
    }

    /** What a waiter has to do who is still one. */
    Step step(Moment now, Waiter waiter) {
        PendingClaim mine = claimFor(waiter);
        waiter.looksAt = Long.MAX_VALUE;
        if (mine == null || mine.isUnderWay()) {
            return Step.Park.UNTIL_WOKEN;
        }
        if (waiter.once && grants.hasConflict(waiter.request.mode())) {
            return new Step.Park(patienceOf(waiter));
        }
        boolean spokenFor = waiter.request.fair() && mine.hasPlace() && queue.firstFair() != waiter;
        long nextRequestAt = spokenFor
                ? Math.max(mine.nextRequestAt, mine.placedAt + Pacing.SLOW_POLL.toNanos())
                : mine.nextRequestAt;
        if (nextRequestAt > now.mono()) {
            boolean looks = spokenFor && queue.size() <= Pacing.FEW_WAITERS;
            waiter.looksAt =
                    looks ? Math.min(nextRequestAt, now.mono() + Protocol.LONGEST_POLL.toNanos()) : nextRequestAt;
            return new Step.Park(waiter.looksAt);
        }
        return send(mine, tokensFor(mine, queue.plain() > 1));
    }

    private Step.Attempt send(PendingClaim mine, int tokens) {
        underWay++;
        mine.requested();
        return new Step.Attempt(mine, mine.claim(resource, terms, tokens, speaker(mine)));
    }

    /** Whether the plain waiters have a claim. */
    boolean hasPlainClaim() {
        return plainClaim != null;
    }

    /**
     * Makes a claim for the plain waiters and hands out its first request, to be sent along with a release. The claim belongs
     * to all of them, so that the first need not be awake for it.
     */
    Step.Attempt requestAlong(Waiter first) {
        plainClaim = new PendingClaim(terms.ids().get(), first.request, Claim.Queueing.PLAIN, null);
        return send(plainClaim, tokensFor(plainClaim, true));
    }

    /** The claim that this waiter has to see to, if any. */
    private @Nullable PendingClaim claimFor(Waiter waiter) {
        if (waiter.once) {
            return waiter.claim;
        }
        if (waiter.request.fair()) {
            return fairClaimFor(waiter);
        }
        if (queue.firstPlain() != waiter) {
            return null;
        }
        if (plainClaim == null && !grants.hasExclusive()) {
            plainClaim = new PendingClaim(terms.ids().get(), waiter.request, Claim.Queueing.PLAIN, null);
        }
        return plainClaim;
    }

    private @Nullable PendingClaim fairClaimFor(Waiter waiter) {
        Waiter before = WaiterQueue.fairBefore(waiter);
        if (before != null && (before.claim == null || !before.claim.hasPlace())) {
            return null;
        }
        if (waiter.claim == null) {
            waiter.claim = new PendingClaim(terms.ids().get(), waiter.request, Claim.Queueing.FAIR, waiter);
        }
        return waiter.claim;
    }

    private static long patienceOf(Waiter once) {
        Moment since = once.since;
        return since == null ? Long.MAX_VALUE : since.mono() + Pacing.RECALL_WAIT.toNanos();
    }

    /** Whether somebody who asks a single time has waited long enough for what is to be given back. */
    boolean isOutOfPatience(Moment now, Waiter waiter) {
        PendingClaim mine = waiter.claim;
        if (!waiter.once || mine == null || mine.isUnderWay()) {
            return false;
        }
        Mode mode = waiter.request.mode();
        return grants.hasLastingConflict(mode)
                || ((mine.recalls > 0 || grants.hasConflict(mode)) && now.mono() >= patienceOf(waiter));
    }

    /**
     * The keeper that has it was asked to give it back: worth asking again soon.
     *
     * @return false if that was long enough
     */
    boolean retrySoon(Moment now, PendingClaim which, Waiter waiter) {
        long until = patienceOf(waiter);
        if (now.mono() >= until) {
            return false;
        }
        which.nextRequestAt =
                Math.min(now.mono() + (Pacing.FIRST_RECALL_PAUSE.toNanos() << Math.min(which.recalls, 10)), until);
        which.recalls++;
        return true;
    }

    /** With others behind it in the queue, a claim asks for tokens for all of them at once. */
    private int tokensFor(PendingClaim mine, boolean othersBehind) {
        if (mine.request.isSticky()) {
            return Pacing.STICKY_TOKENS;
        }
        boolean passing = mine.waiter == null && terms.canHandOff() && mine.request.passable() && othersBehind;
        return passing ? 1 + terms.handOff().times() : 1;
    }

    // ------------------------------------------------------------------------------------------------- what was
    // answered

    /** A request was answered or failed. */
    void landed() {
        underWay--;
    }

    /** A request that was handed out is not sent. */
    void unsent(PendingClaim which) {
        underWay--;
        which.notSent();
    }

    /** Whom a claim speaks for now. */
    @Nullable
    Waiter speaker(PendingClaim which) {
        return which.waiter == null ? queue.firstPlain() : which.waiter;
    }

    /** A claim was granted: its waiter has nothing more to ask. */
    void granted(Moment now, PendingClaim which, Waiter receiver) {
        if (which.waiter == null) {
            plainClaim = null;
        }
        which.become(PendingClaim.State.ENDED);
        receiver.claim = null;
        queue.remove(receiver);
        singles.remove(receiver);
        if (which.waiter != null && which.request.fair()) {
            delayFirstFair(now);
        }
    }

    /** The next fair claim is surely behind this one: no use asking for it before its turn to be stamped. */
    private void delayFirstFair(Moment now) {
        Waiter next = queue.firstFair();
        if (next != null && next.claim != null && next.claim.hasPlace()) {
            next.claim.nextRequestAt = now.mono() + Protocol.LONGEST_POLL.toNanos();
        }
    }

    /** A claim has its place in the store's queue. */
    void placed(Moment now, PendingClaim which, Answer.Wait wait) {
        boolean first = !which.hasPlace();
        which.placed(now.mono());
        long pause = Math.min(Math.max(wait.retryIn().toNanos(), 0), Protocol.LONGEST_POLL.toNanos());
        if (wait.recalled()) {
            // The word may have been lost; but whoever holds it for long is not asked ever so often.
            pause = Math.min(pause, Pacing.RECALL_WAIT.toNanos() << Math.min(which.recalls++, 10));
        }
        which.pauseUntil(now.mono() + pause);
        if (first && which.request.fair()) {
            wakeSpeakers(true);
        } else {
            out.wake(speaker(which));
        }
    }

    /** A request of a claim was not answered: it is asked again, slower and slower. */
    void retryLater(Moment now, PendingClaim which) {
        which.nextRequestAt = now.mono()
                + Math.min(
                        Pacing.FIRST_RETRY.toNanos() << Math.min(which.failures() - 1, 10),
                        Protocol.LONGEST_POLL.toNanos());
        out.wake(speaker(which));
    }

    /**
     * The same claim under a new id: the old one is ended first and never asked again. The store puts it last, so a fair
     * waiter is last here too: else the one who is first in the store would wait for him to ask, and he for the store.
     */
    void startOver(Moment now, PendingClaim which) {
        releases.endLater(now, which, out.effects());
        which.startOver(terms.ids().get());
        Waiter waiter = which.waiter;
        if (waiter != null && queue.contains(waiter)) {
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
        if (waiter.claim != null) {
            abandon(now, waiter.claim);
            waiter.claim = null;
        }
        bequeath(now);
        if (spoke || waiter.request.fair()) {
            wakeSpeakers(waiter.request.fair());
        }
    }

    /**
     * After the head of the queue changed: the claim of the plain waiters goes to the next one if he wishes the same, else
     * it ends. If it stayed with nobody, whoever comes next would be given what another wished for.
     */
    void bequeath(Moment now) {
        Waiter heir = queue.firstPlain();
        if (plainClaim != null && (heir == null || !heir.request.equals(plainClaim.request))) {
            abandon(now, plainClaim);
            plainClaim = null;
        }
    }

    private void abandon(Moment now, PendingClaim old) {
        if (old.abandon()) {
            releases.endLater(now, old, out.effects());
        }
    }

    /** Somebody who asked for himself was served by other means: nothing of his claim is in the store. */
    void servedOtherwise(Moment now, Waiter waiter) {
        PendingClaim mine = waiter.claim;
        if (mine != null) {
            abandon(now, mine);
            waiter.claim = null;
            singles.remove(waiter);
        }
    }

    /** Those who ask a single time and have no request under way. */
    List<Waiter> patientSingles() {
        List<Waiter> patient = new ArrayList<>(singles);
        patient.removeIf(waiter -> waiter.claim != null && waiter.claim.isUnderWay());
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
        if (plain != null && (plainClaim == null ? !grants.hasExclusive() : !plainClaim.isUnderWay())) {
            out.wake(plain);
        }
        if (fairToo) {
            Waiter first = queue.firstFair();
            if (first != null && !seesToIt(first)) {
                out.wake(first);
            }
            // The first without a place may send its claim now.
            for (Waiter fair = first; fair != null; fair = fair.next) {
                if (fair != first && fair.request.fair() && (fair.claim == null || !fair.claim.hasPlace())) {
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
        PendingClaim mine = fair.claim;
        return mine != null && (mine.isUnderWay() || fair.looksAt <= mine.nextRequestAt);
    }

    // -------------------------------------------------------------------------------------------------------- signals

    /** @return whether anybody waits for one */
    boolean signal() {
        if (plainClaim != null) {
            signal(plainClaim);
        }
        Waiter fair = queue.firstFair();
        if (fair != null && fair.claim != null) {
            signal(fair.claim);
        }
        return plainClaim != null || fair != null;
    }

    private void signal(PendingClaim which) {
        if (which.signal()) {
            out.wake(speaker(which));
        }
    }
}
