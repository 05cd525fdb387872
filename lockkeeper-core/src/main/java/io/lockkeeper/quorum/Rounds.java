package io.lockkeeper.quorum;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.quorum.rounds.AttemptRound;
import io.lockkeeper.quorum.rounds.ClaimVotes;
import io.lockkeeper.quorum.rounds.NarrowRound;
import io.lockkeeper.quorum.rounds.QuorumRules;
import io.lockkeeper.quorum.rounds.ReleaseRound;
import io.lockkeeper.quorum.rounds.RenewRound;
import io.lockkeeper.quorum.rounds.Round;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The rounds of one keeper: builds them for its claims, runs them and sums up what they decided. */
final class Rounds {

    private final Members members;
    private final QuorumRules rules;
    private final AtomicLong rounds = new AtomicLong();

    Rounds(Members members) {
        this.members = members;
        this.rules = members.rules();
    }

    /**
     * @param parts where to put what was won
     * @param beside what else to ask at the same time
     */
    AttemptRound.Decision attempt(
            Claim claim, Resource resource, Mode mode, Duration lease, List<ClaimVotes> parts, Round... beside) {
        ClaimVotes claimVotes = claimVotes(claim, resource, mode, lease);
        AttemptRound round = new AttemptRound(rules, claimVotes, members.random());
        List<Round> all = new ArrayList<>(List.of(beside));
        all.add(round);
        run(all, List.of(claimVotes), timeout(claim));
        return collect(round, claimVotes, parts);
    }

    /** Tries several resources side by side. */
    List<AttemptRound.Decision> attemptAll(Claim claim, List<Resource> resources, List<ClaimVotes> parts) {
        List<ClaimVotes> allVotes = new ArrayList<>();
        List<AttemptRound> attempts = new ArrayList<>();
        for (Resource resource : resources) {
            ClaimVotes claimVotes = claimVotes(claim, resource, Mode.EXCLUSIVE, claim.lease());
            allVotes.add(claimVotes);
            attempts.add(new AttemptRound(rules, claimVotes, members.random()));
        }
        run(attempts, allVotes, timeout(claim));
        List<AttemptRound.Decision> decisions = new ArrayList<>();
        for (int i = 0; i < attempts.size(); i++) {
            decisions.add(collect(attempts.get(i), allVotes.get(i), parts));
        }
        return decisions;
    }

    /** If it fails in the middle, members may have made grants that no caller learns of: these are released later. */
    private void run(List<? extends Round> rounds, List<ClaimVotes> allVotes, Duration timeout) {
        try {
            members.run(rounds, timeout);
        } catch (RuntimeException | Error e) {
            allVotes.forEach(members::abandon);
            throw e;
        }
    }

    private AttemptRound.Decision collect(AttemptRound round, ClaimVotes claimVotes, List<ClaimVotes> parts) {
        AttemptRound.Decision decision = round.decision();
        if (decision instanceof AttemptRound.Decision.Won) {
            parts.add(claimVotes);
        } else {
            members.forget(claimVotes);
        }
        return decision;
    }

    private ClaimVotes claimVotes(Claim claim, Resource resource, Mode mode, Duration lease) {
        String id = claim.id() + "r" + Long.toString(rounds.incrementAndGet(), Character.MAX_RADIX);
        Claim asMembersSeeIt = Claim.of(id, resource, mode, lease, claim.holder(), timeout(claim))
                .withFixed(claim.fixed());
        ClaimVotes claimVotes = new ClaimVotes(asMembersSeeIt, rules.members());
        members.know(claimVotes);
        return claimVotes;
    }

    /** The timeout of a request: far below the lease, since two phases must fit into it with room to spare. */
    private Duration timeout(Claim claim) {
        Duration part = claim.lease().dividedBy(5);
        Duration timeout = members.nodeTimeout().compareTo(part) < 0 ? members.nodeTimeout() : part;
        return timeout.compareTo(claim.timeout()) < 0 ? timeout : claim.timeout();
    }

    /**
     * Renews claims, each with all its parts; a claim without parts is gone.
     *
     * <p>A part that was ended while the renewal was under way has no say: a partial release of permits ends the surplus
     * slots, whose members then answer "gone", and the claim keeps the others. Were it counted, one partial release at the
     * wrong moment would take all of the permits away.
     */
    List<Renewal> renew(List<List<ClaimVotes>> claims, Duration timeout) {
        List<RenewRound> all = new ArrayList<>();
        List<List<RenewRound>> perClaim = new ArrayList<>(claims.size());
        for (List<ClaimVotes> parts : claims) {
            List<RenewRound> mine = new ArrayList<>();
            parts.forEach(part -> mine.add(new RenewRound(rules, part)));
            all.addAll(mine);
            perClaim.add(mine);
        }
        if (!all.isEmpty()) {
            members.run(all, timeout);
        }
        return perClaim.stream().map(Rounds::together).toList();
    }

    /** Makes all parts of a claim last for this lease from now; a claim without parts is gone. */
    Renewal extend(List<ClaimVotes> parts, Duration lease, Duration timeout) {
        List<RenewRound> extensions = new ArrayList<>();
        parts.forEach(part -> extensions.add(RenewRound.extending(rules, part, lease)));
        if (!extensions.isEmpty()) {
            Duration own = parts.get(0).timeout();
            members.run(extensions, own.compareTo(timeout) < 0 ? own : timeout);
        }
        return together(extensions);
    }

    /** Gone if a part is; unknown if one is; else kept for as long as the shortest. */
    private static Renewal together(List<RenewRound> parts) {
        @Nullable Renewal worst = null;
        for (RenewRound part : parts) {
            Renewal next = part.decision();
            // Looked at after the answer: a member says "gone" for this reason only when this is marked already.
            if (part.hasEnded()) {
                continue;
            }
            if (worst == null || rank(next) > rank(worst) || isShorter(next, worst)) {
                worst = next;
            }
        }
        return worst == null ? QuorumStore.gone() : worst;
    }

    private static int rank(Renewal renewal) {
        return renewal instanceof Renewal.Gone ? 2 : renewal instanceof Renewal.Unknown ? 1 : 0;
    }

    private static boolean isShorter(Renewal one, Renewal other) {
        return one instanceof Renewal.Kept a
                && other instanceof Renewal.Kept b
                && a.validity().compareTo(b.validity()) < 0;
    }

    boolean narrow(ClaimVotes part, Mode to) {
        NarrowRound round = new NarrowRound(rules, part, to);
        members.run(List.of(round), part.timeout());
        return round.outcome();
    }

    /** Ends parts, whatever the members answer; a release that a member does not confirm is repeated later. */
    void end(List<ClaimVotes> parts) {
        if (!parts.isEmpty()) {
            List<ReleaseRound> endings = new ArrayList<>();
            parts.forEach(part -> endings.add(new ReleaseRound(rules, part, false)));
            members.run(endings, parts.get(0).timeout());
            parts.forEach(members::forget);
        }
    }

    /**
     * Ends parts, or goes on with it.
     *
     * @throws StoreUnavailableException if it is not certain for one of them
     */
    Release.Outcome end(List<ClaimVotes> parts, List<ReleaseRound> endings) {
        if (parts.isEmpty()) {
            return Release.Outcome.NOT_HELD;
        }
        members.run(endings, parts.get(0).timeout());
        Release.Outcome together = Release.Outcome.RELEASED;
        for (ReleaseRound ending : endings) {
            if (ending.outcome() == Release.Outcome.NOT_HELD) {
                together = Release.Outcome.NOT_HELD;
            }
        }
        parts.forEach(members::forget);
        return together;
    }
}
