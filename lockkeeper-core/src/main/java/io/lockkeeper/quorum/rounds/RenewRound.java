package io.lockkeeper.quorum.rounds;

import io.lockkeeper.Loss;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The round that renews a grant on the members that are with us; then, and only then, it takes the others again.
 *
 * <p><b>Invariant.</b> At every moment since it was granted a quorum of members has held this claim, so no other claim had one
 * in between. Only a member that is with us and says "kept" counts. Others are asked again only when a quorum has said so
 * in this round, and count only after a <em>later</em> round in which a quorum has said so without them: that round was
 * sent when they had been won already, so a claim that held them before was gone before the quorum was confirmed. Winning back
 * is needed, or a long hold would be worn down by members that are restarted one after the other.
 *
 * <p><b>What would break it.</b> A's grants on m1 and m2 of five are ended by force, or by clocks that jumped; B holds m1,
 * m2 and m4 and releases; now A's delayed attempts are granted by m4 and m5. Were these counted at once, m3, m4 and m5
 * would say "kept", and A would go on with a token below B's, never told that it had lost.
 *
 * <p>A member that is won back has the floor too: its token for us is beyond ours, or it is raised to ours before it
 * counts. Its vote is subject to the rule about young members.
 *
 * <p>An answer of "gone" that makes a quorum impossible is loss at once; too few answers are unknown, which the holder
 * bears until its deadline.
 */
public final class RenewRound implements Round {

    private final QuorumRules rules;
    private final ClaimVotes claimVotes;
    /** How long the grant is to last from now; null if it is only renewed. */
    private final @Nullable Duration extension;

    private final Set<Integer> asked = new HashSet<>();
    private final Set<Integer> candidates = new HashSet<>();
    private final Set<Integer> kept = new HashSet<>();
    private final Set<Integer> gone = new HashSet<>();
    private final Failures failures;
    private Loss.Reason reason = Loss.Reason.EXPIRED;
    private Duration least;
    private boolean othersWait;
    private @Nullable Moment sent;
    private @Nullable Renewal decision;

    public RenewRound(QuorumRules rules, ClaimVotes claimVotes) {
        this(rules, claimVotes, null);
    }

    private RenewRound(QuorumRules rules, ClaimVotes claimVotes, @Nullable Duration extension) {
        this.rules = rules;
        this.claimVotes = claimVotes;
        this.extension = extension;
        this.failures = new Failures(rules.members());
        this.least = extension == null ? claimVotes.lease() : extension;
    }

    /**
     * A round that makes a grant of a fixed lease last longer. It is decided as a renewal is: the extension counts only if a
     * quorum of the members that are with us confirms it, for the time that the shortest of them promises, from the start of the
     * round. Were fewer enough, a member without it would let the lease end and vote for another claim while the holder goes on.
     * Members never shorten a grant, so an extension that fails, or comes late, takes nothing away.
     */
    public static RenewRound extending(QuorumRules rules, ClaimVotes claimVotes, Duration lease) {
        return new RenewRound(rules, claimVotes, lease);
    }

    @Override
    public List<MemberRequest> start(Moment now) {
        sent = now;
        List<MemberRequest> requests = new ArrayList<>();
        asked.addAll(claimVotes.withUs());
        candidates.addAll(claimVotes.candidates());
        candidates.removeAll(asked);
        for (int member = 0; member < rules.members(); member++) {
            if (asked.contains(member) || candidates.contains(member)) {
                requests.add(new MemberRequest(member, command()));
            }
        }
        decide(now);
        return requests;
    }

    @Override
    public List<MemberRequest> on(MemberRequest request, MemberReply reply, Moment now) {
        int member = request.member();
        if (request.command() instanceof MemberCommand.Attempt) {
            return wonBack(member, reply);
        }
        if (request.command() instanceof MemberCommand.Raise) {
            if (reply instanceof MemberReply.Renewed renewed && renewed.renewal() instanceof Renewal.Kept) {
                joinLate(member);
            }
            return List.of();
        }
        if (candidates.contains(member)) {
            renewedCandidate(member, reply);
        } else {
            renewed(member, reply);
        }
        if (decision == null) {
            decide(now);
            return decision instanceof Renewal.Kept ? confirmed() : List.of();
        }
        return decision instanceof Renewal.Kept && gone.contains(member) ? repair(member) : List.of();
    }

    private MemberCommand command() {
        Claim claim = claimVotes.claim();
        return extension == null
                ? new MemberCommand.Renew(claim)
                : new MemberCommand.Extend(claim.withLease(extension));
    }

    private void renewedCandidate(int member, MemberReply reply) {
        if (reply instanceof MemberReply.Renewed renewed && renewed.renewal() instanceof Renewal.Gone) {
            gone.add(member);
            claimVotes.leave(member);
        }
    }

    private void renewed(int member, MemberReply reply) {
        if (reply instanceof MemberReply.Failed failed) {
            failures.add(member, failed.failure());
        } else if (reply instanceof MemberReply.Renewed renewed) {
            if (renewed.renewal() instanceof Renewal.Kept yes) {
                kept.add(member);
                othersWait |= yes.othersWait();
                least = yes.validity().compareTo(least) < 0 ? yes.validity() : least;
            } else if (renewed.renewal() instanceof Renewal.Gone no) {
                gone.add(member);
                claimVotes.leave(member);
                reason = no.reason() == Loss.Reason.EXPIRED ? reason : no.reason();
            } else if (renewed.renewal() instanceof Renewal.Unknown unknown) {
                failures.add(member, unknown.failure());
            }
        }
        asked.remove(member);
    }

    private void decide(Moment now) {
        if (kept.size() >= rules.quorum()) {
            Duration usable = rules.usable(least);
            boolean inTime = sent != null && usable.toNanos() > now.since(sent);
            decision = inTime
                    ? new Renewal.Kept(usable, othersWait)
                    : new Renewal.Unknown(failures.asException("The members of the quorum answered too late"));
        } else if (claimVotes.withUs().size() < rules.quorum()) {
            decision = new Renewal.Gone(reason);
        } else if (asked.isEmpty()) {
            decision = new Renewal.Unknown(failures.asException("Too few members of the quorum answered in time"));
        }
    }

    private List<MemberRequest> confirmed() {
        candidates.removeAll(gone);
        candidates.forEach(claimVotes::promote);
        List<MemberRequest> requests = new ArrayList<>();
        Set<Integer> withUs = claimVotes.withUs();
        for (int member = 0; member < rules.members(); member++) {
            if (!withUs.contains(member)) {
                requests.addAll(repair(member));
            }
        }
        return requests;
    }

    private List<MemberRequest> repair(int member) {
        // A fixed lease is not moved, and winning a member back would begin a new one there.
        if (claimVotes.claim().fixed()) {
            return List.of();
        }
        // Counted before the look: either this sees the end, or the end sees that an attempt may be under way.
        claimVotes.asked(member);
        if (claimVotes.hasEnded()) {
            claimVotes.answered(member);
            return List.of();
        }
        return List.of(new MemberRequest(member, claimVotes.again()));
    }

    private List<MemberRequest> wonBack(int member, MemberReply reply) {
        if (reply instanceof MemberReply.Failed failed) {
            if (!failed.sent()) {
                claimVotes.answered(member);
            }
            return List.of();
        }
        claimVotes.answered(member);
        if (!(reply instanceof MemberReply.Voted voted)
                || !(voted.answer() instanceof Answer.Granted granted)
                || !rules.mayVote(member, voted.uptime())) {
            return List.of();
        }
        if (granted.token() >= claimVotes.token()) {
            joinLate(member);
            return List.of();
        }
        return claimVotes.hasEnded()
                ? List.of()
                : List.of(new MemberRequest(member, new MemberCommand.Raise(claimVotes.claim(), claimVotes.token())));
    }

    private void joinLate(int member) {
        if (!claimVotes.hasEnded()) {
            claimVotes.joinLate(member);
        }
    }

    /** Whether this part of a claim was ended; what members answer then says nothing about the other parts. */
    public boolean hasEnded() {
        return claimVotes.hasEnded();
    }

    @Override
    public boolean decided() {
        return decision != null;
    }

    /** What became of it, once decided; validity counts from the start of the round. */
    public Renewal decision() {
        if (decision == null) {
            throw new IllegalStateException("The round is not decided");
        }
        return decision;
    }
}
