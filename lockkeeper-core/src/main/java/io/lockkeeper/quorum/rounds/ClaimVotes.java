package io.lockkeeper.quorum.rounds;

import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The votes of one claim: which members granted it, and which of them can be counted.
 *
 * <p>A member is <em>with us</em> if the claim was granted there, with a vote that counts, and no later token there can be
 * at or below the claim's. Only such members are counted when the grant is renewed. One that is won later is a
 * <em>candidate</em> until the next renewal. A late reply may update this from another thread than the next round's, so
 * each field is safe by itself.
 */
public final class ClaimVotes {

    private final Claim claim;
    private final int members;
    private final Set<Integer> withUs = ConcurrentHashMap.newKeySet();
    private final Set<Integer> candidates = ConcurrentHashMap.newKeySet();
    private final AtomicIntegerArray unanswered;
    private volatile Mode mode;
    private volatile long token;
    private volatile boolean ended;

    /** @param claim as the members are to see it: with an id that was never sent to them, for one token, never queueing */
    public ClaimVotes(Claim claim, int members) {
        if (claim.queueing() != Claim.Queueing.NEVER) {
            // Five claimants, each granted by one or two members' queues, would all wait forever.
            throw new IllegalArgumentException("A claim of a quorum must not queue in its members");
        }
        this.claim = claim;
        this.members = members;
        this.mode = claim.mode();
        this.unanswered = new AtomicIntegerArray(members);
    }

    /** The quorum's token; 0 before there is one. */
    public long token() {
        return token;
    }

    /** The members that can be counted. */
    public Set<Integer> withUs() {
        return Set.copyOf(withUs);
    }

    int members() {
        return members;
    }

    public Claim claim() {
        return with(false);
    }

    MemberCommand.Attempt again() {
        return new MemberCommand.Attempt(with(true));
    }

    private Claim with(boolean repeat) {
        return claim.withMode(mode)
                .withSticky(false)
                .withTokens(1)
                .withQueueing(Claim.Queueing.NEVER)
                .withRepeat(repeat);
    }

    void granted(long newToken) {
        token = newToken;
    }

    void join(int member) {
        withUs.add(member);
    }

    /** It was won after the claim was granted, and counts once a later round has confirmed that we hold without it. */
    void joinLate(int member) {
        if (!withUs.contains(member)) {
            candidates.add(member);
        }
    }

    Set<Integer> candidates() {
        return Set.copyOf(candidates);
    }

    void promote(int candidate) {
        if (candidates.remove(candidate)) {
            withUs.add(candidate);
        }
    }

    void leave(int member) {
        candidates.remove(member);
        withUs.remove(member);
    }

    void narrow(Mode to) {
        mode = to;
    }

    Mode mode() {
        return mode;
    }

    /** An attempt goes out to that member. */
    void asked(int member) {
        unanswered.incrementAndGet(member);
    }

    /** It was answered, or was not sent after all. */
    void answered(int member) {
        unanswered.decrementAndGet(member);
    }

    /** From now on the only command for this claim is its end. */
    public void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    public Release release(int member, boolean alsoUnanswered, Duration timeout) {
        return new Release(
                claim.resource(), claim.id(), claim.lease(), alsoUnanswered || unanswered.get(member) > 0, timeout);
    }

    public Duration lease() {
        return claim.lease();
    }

    public Duration timeout() {
        return claim.timeout();
    }
}
