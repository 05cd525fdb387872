package io.lockkeeper.engine;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.WaiterTimes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of this keeper for one resource, and the claims that stand for them in the store.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>The claim of the plain waiters always has the request of the first of them, or there is none. If it stayed when its
 *       waiter was gone, the next waiter would be given what another one wanted.
 *   <li>The first fair waiter takes a turn no later than the next request of its claim is due. Waking a thread costs as much
 *       as a request, so the waiter that becomes the first is woken for that only if it would look too late by itself: while
 *       few wait, each of them looks once a second. If the next slept on, and the store's signal got lost, nobody would poll.
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
    /** The waiters that try once, while they do. */
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

    // -------------------------------------------------------------------------------------------- arriving, requesting

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
     * Whether a single try is worth a request to the store: not if others wait here. Waiters whose first request is still
     * under way do not count unless they exclude this one, else a free semaphore would seem taken.
     */
    private boolean isTryUseful(Mode wanted) {
        boolean othersWait = !queue.isEmpty()
                && (wanted instanceof Mode.Exclusive
                        || queue.hasExclusive()
                        || (plainClaim != null && plainClaim.hasPlace()));
        return !othersWait && !grants.hasLastingConflict(wanted);
    }

    /** What a waiter that is neither served nor gone has to do. */
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
                ? Math.max(mine.nextRequestAt, mine.placedAt + KeeperPolicy.SLOW_POLL.toNanos())
                : mine.nextRequestAt;
        if (nextRequestAt > now.mono()) {
            boolean looks = spokenFor && queue.size() <= KeeperPolicy.FEW_WAITERS;
            waiter.looksAt =
                    looks ? Math.min(nextRequestAt, now.mono() + WaiterTimes.LONGEST_POLL.toNanos()) : nextRequestAt;
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

    /** The claim whose requests this waiter has to send, if any. */
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
        return since == null ? Long.MAX_VALUE : since.mono() + KeeperPolicy.RECALL_WAIT.toNanos();
    }

    /** Whether a single try has waited long enough for a grant that is being returned. */
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
     * Retries a single try soon, because another keeper's sticky grant was recalled.
     *
     * @return false if it has waited long enough
     */
    boolean retrySoon(Moment now, PendingClaim which, Waiter waiter) {
        long until = patienceOf(waiter);
        if (now.mono() >= until) {
            return false;
        }
        which.nextRequestAt = Math.min(
                now.mono() + (KeeperPolicy.FIRST_RECALL_PAUSE.toNanos() << Math.min(which.recalls, 10)), until);
        which.recalls++;
        return true;
    }

    /** The tokens that a claim needs: with other waiters behind it, a block for all of them. */
    private int tokensFor(PendingClaim mine, boolean othersBehind) {
        if (mine.request.isSticky()) {
            return KeeperPolicy.STICKY_TOKENS;
        }
        boolean passing = mine.waiter == null && terms.canHandOff() && mine.request.passable() && othersBehind;
        return passing ? 1 + terms.handOff().times() : 1;
    }

    // --------------------------------------------------------------------------------------------------------- answers

    /** A request was answered or failed. */
    void landed() {
        underWay--;
    }

    /** A request that was handed out is not sent. */
    void unsent(PendingClaim which) {
        underWay--;
        which.notSent();
    }

    /** The waiter that a claim stands for now. */
    @Nullable
    Waiter speaker(PendingClaim which) {
        return which.waiter == null ? queue.firstPlain() : which.waiter;
    }

    /** A claim was granted, to this waiter. */
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

    /** The next fair claim is surely behind this one, so a request for it is useless before its regular poll. */
    private void delayFirstFair(Moment now) {
        Waiter next = queue.firstFair();
        if (next != null && next.claim != null && next.claim.hasPlace()) {
            next.claim.nextRequestAt = now.mono() + WaiterTimes.LONGEST_POLL.toNanos();
        }
    }

    /** A claim has its place in the store's queue. */
    void placed(Moment now, PendingClaim which, Answer.Wait wait) {
        boolean first = !which.hasPlace();
        which.placed(now.mono());
        long pause = Math.min(Math.max(wait.retryIn().toNanos(), 0), WaiterTimes.LONGEST_POLL.toNanos());
        if (wait.recalled()) {
            // The recall may have been lost; but a keeper that holds the grant for long is recalled less and less
            // often.
            pause = Math.min(pause, KeeperPolicy.RECALL_WAIT.toNanos() << Math.min(which.recalls++, 10));
        }
        which.pauseUntil(now.mono() + pause);
        if (first && which.request.fair()) {
            wakeSpeakers(true);
        } else {
            out.wake(speaker(which));
        }
    }

    /** A request of a claim was not answered: it is repeated, slower and slower. */
    void retryLater(Moment now, PendingClaim which) {
        which.nextRequestAt = now.mono()
                + Math.min(
                        KeeperPolicy.FIRST_RETRY.toNanos() << Math.min(which.failures() - 1, 10),
                        WaiterTimes.LONGEST_POLL.toNanos());
        out.wake(speaker(which));
    }

    /**
     * Starts a claim over under a new id; the old one is ended first and never requested again. The store puts the new one
     * last, so a fair waiter becomes the last here too: else the waiter that is first in the store would wait for this one to
     * poll, and this one for the store.
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
     * Passes the claim of the plain waiters on after the head of the queue changed: to the next one if its request is equal,
     * else the claim ends. If it stayed without a waiter, the next one would be given what another one wanted.
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

    /** A single try was served by a grant that was here already: its claim is not needed. */
    void servedOtherwise(Moment now, Waiter waiter) {
        PendingClaim mine = waiter.claim;
        if (mine != null) {
            abandon(now, mine);
            waiter.claim = null;
            singles.remove(waiter);
        }
    }

    /** The single tries that have no request under way. */
    List<Waiter> patientSingles() {
        List<Waiter> patient = new ArrayList<>(singles);
        patient.removeIf(waiter -> waiter.claim != null && waiter.claim.isUnderWay());
        return patient;
    }

    /** Wakes the single tries, which may wait until a grant is returned. */
    void wakeSingles() {
        for (Waiter waiter : singles) {
            out.wake(waiter);
        }
    }

    /** Wakes the waiters that have a request to send, now that a place became free. */
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

    /** Whether a fair waiter takes a turn in time without being woken: after its request, or when the next one is due. */
    private static boolean seesToIt(Waiter fair) {
        PendingClaim mine = fair.claim;
        return mine != null && (mine.isUnderWay() || fair.looksAt <= mine.nextRequestAt);
    }

    // -------------------------------------------------------------------------------------------------------- signals

    /**
     * A signal came.
     *
     * @return whether a claim here waits for one
     */
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
