package io.lockkeeper.quorum;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.quorum.rounds.AttemptRound;
import io.lockkeeper.quorum.rounds.ClaimVotes;
import io.lockkeeper.quorum.rounds.LookRound;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.LeaseTimes;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The turn: which of the waiting claims goes first when the lock is free.
 *
 * <p>Members have no queue, and a claim that only polls starves: a holder that comes back at once leaves a gap of less than
 * a millisecond, which one poll in a hundred meets; readers that overlap leave none. So of the claims that wait for a lock one
 * takes the <em>turn</em>, an exclusive resource beside the lock, and the others compete for the turn instead of the lock.
 * These let it go first: the other waiting claims, every reader, and a keeper that has just given the lock back. The turn is a
 * place for one, not a queue: which claim gets it next is chance, and with it every claim is served sooner or later.
 *
 * <p>These do not look whether a claim waits, since that costs a request to each member: a keeper that has not had the lock
 * lately, or only for a moment (such holders leave gaps enough), and {@code tryAcquire()} for writing.
 *
 * <p>Only the order depends on it, never exclusion: a turn that is lost, late or seen too late costs a claim its turn. It lasts for
 * three seconds, or as long as the claim's lease if that is shorter, and is renewed while its owner asks; one that dies holds up the
 * others for no longer.
 */
final class TurnLocks {

    private static final String KEY = "turn";

    private static final int POLLS_BEFORE_BACKING_OFF = 8;

    private final Members members;
    private final Rounds rounds;
    /** When locks were given back, by their hash: two that share a place cost a look that was not needed, no more. */
    private final AtomicLongArray givenBack = new AtomicLongArray(256);

    TurnLocks(Members members, Rounds rounds) {
        this.members = members;
        this.rounds = rounds;
        long longAgo = members.clocks().now().mono() - QuorumPolicy.COMES_BACK.toNanos();
        for (int i = 0; i < givenBack.length(); i++) {
            givenBack.set(i, longAgo);
        }
    }

    static boolean isTurn(Resource resource) {
        return resource.family().key().startsWith(KEY);
    }

    private static Resource turn(Resource lock) {
        return new Resource(new Family(KEY + lock.family().key()), lock.name());
    }

    private int place(Resource lock) {
        return lock.hashCode() & (givenBack.length() - 1);
    }

    /** Runs a round for a claim, unless another waiting claim is to go first. */
    AttemptRound.Decision attempt(Claim claim, ClaimEntry entry, List<ClaimVotes> parts) {
        if (entry.failures > 0 && entry.turn.isEmpty() && !tryTakeTurn(claim, entry)) {
            return new AttemptRound.Decision.Busy(false, null);
        }
        if (!entry.turn.isEmpty() || !mustLook(claim)) {
            return rounds.attempt(claim, claim.resource(), claim.mode(), claim.lease(), parts);
        }
        LookRound look = new LookRound(members.rules(), turn(claim.resource()), members.nodeTimeout());
        AttemptRound.Decision decision =
                rounds.attempt(claim, claim.resource(), claim.mode(), claim.lease(), parts, look);
        return look.isHeld() && decision instanceof AttemptRound.Decision.Won
                ? new AttemptRound.Decision.Busy(false, null)
                : decision;
    }

    private boolean mustLook(Claim claim) {
        long since = members.clocks().now().mono() - givenBack.get(place(claim.resource()));
        return claim.mode() instanceof Mode.Shared
                || (claim.queueing() != Claim.Queueing.NEVER && since < QuorumPolicy.COMES_BACK.toNanos());
    }

    /**
     * A claim did not get its lock and will ask again.
     *
     * @return when
     */
    Duration waits(Claim claim, ClaimEntry entry) {
        if (claim.queueing() == Claim.Queueing.NEVER || claim.mode() instanceof Mode.Permits) {
            return members.backOff(entry.failures);
        }
        if (!entry.turn.isEmpty()) {
            keep(entry);
        } else if (entry.failures == 1) {
            tryTakeTurn(claim, entry);
        }
        if (entry.turn.isEmpty()) {
            return members.backOff(entry.failures);
        }
        entry.polls++;
        // The one that has the turn may poll often, at first: until it does the lock lies idle.
        return members.backOff(Math.min(entry.failures, 1 + entry.polls / POLLS_BEFORE_BACKING_OFF));
    }

    /**
     * Runs a round for the turn and notes in the entry what it won.
     *
     * @return false if another claim has the turn; that too few members answered does not say so
     */
    private boolean tryTakeTurn(Claim claim, ClaimEntry entry) {
        Duration lease = claim.lease().compareTo(QuorumPolicy.TURN) < 0 ? claim.lease() : QuorumPolicy.TURN;
        List<ClaimVotes> won = new ArrayList<>();
        AttemptRound.Decision decision = rounds.attempt(claim, turn(claim.resource()), Mode.EXCLUSIVE, lease, won);
        entry.turn = List.copyOf(won);
        entry.polls = 0;
        entry.turnSince = members.clocks().now();
        return !(decision instanceof AttemptRound.Decision.Busy);
    }

    private void keep(ClaimEntry entry) {
        Moment now = members.clocks().now();
        Duration lease = entry.turn.get(0).lease();
        if (now.since(entry.turnSince) < LeaseTimes.renewEvery(lease).toNanos()) {
            return;
        }
        if (rounds.renew(List.of(entry.turn), members.nodeTimeout()).get(0) instanceof Renewal.Kept) {
            entry.turnSince = now;
        } else if (now.since(entry.turnSince) >= lease.toNanos()) {
            pass(entry);
        }
    }

    /** Gives the turn up: the claim got the lock, or stops waiting. */
    void pass(ClaimEntry entry) {
        rounds.end(entry.turn);
        entry.turn = List.of();
    }

    /** Notes that this keeper released the lock. */
    void gaveBack(Resource lock, ClaimEntry entry) {
        Moment now = members.clocks().now();
        if (now.since(entry.heldSince) >= QuorumPolicy.SHORTEST_HOLD_WITH_TURN.toNanos()) {
            givenBack.set(place(lock), now.mono());
        }
    }
}
