package io.lockkeeper.quorum.rounds;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The round that ends a claim on all members, whatever they answered before.
 *
 * <p>The release goes to all, also to members that never answered the attempt: a member may have granted it and its reply got lost, or may
 * yet execute it. It is told then that a request may be under way, and refuses it when it comes; otherwise the late
 * attempt would hold that member for a whole lease on behalf of nobody.
 *
 * <p>Released is what a quorum released. Not held is what too many members did not hold for any quorum to have it. Anything between
 * is unknown; {@link #start} may then be called again and then asks only the members that did not answer.
 */
public final class ReleaseRound implements Round {

    private final QuorumRules rules;
    private final ClaimVotes claimVotes;
    private final boolean unanswered;
    private final Release.@Nullable Outcome[] outcomes;
    private final boolean[] pending;
    private final Failures failures;

    /** @param unanswered whether an attempt may be under way that is not counted in these votes */
    public ReleaseRound(QuorumRules rules, ClaimVotes claimVotes, boolean unanswered) {
        this.rules = rules;
        this.claimVotes = claimVotes;
        this.unanswered = unanswered;
        this.outcomes = new Release.@Nullable Outcome[rules.members()];
        this.pending = new boolean[rules.members()];
        this.failures = new Failures(rules.members());
    }

    @Override
    public List<MemberRequest> start(Moment now) {
        claimVotes.end();
        failures.clear();
        List<MemberRequest> requests = new ArrayList<>();
        for (int member = 0; member < outcomes.length; member++) {
            if (outcomes[member] == null) {
                requests.add(tell(member));
            }
        }
        return requests;
    }

    /** Ends it on one member. */
    MemberRequest tell(int member) {
        pending[member] = true;
        return new MemberRequest(
                member, new MemberCommand.End(claimVotes.release(member, unanswered, claimVotes.timeout())));
    }

    boolean isPending(int member) {
        return pending[member];
    }

    @Override
    public List<MemberRequest> on(MemberRequest request, MemberReply reply, Moment now) {
        int member = request.member();
        pending[member] = false;
        if (reply instanceof MemberReply.Ended ended) {
            outcomes[member] = ended.outcome();
        } else if (reply instanceof MemberReply.Failed failed) {
            failures.add(member, failed.failure());
        }
        return List.of();
    }

    @Override
    public boolean decided() {
        return certain() != null || noneIn(pending);
    }

    /** @throws StoreUnavailableException with each member's error if it is not certain */
    public Release.Outcome outcome() {
        Release.Outcome certain = certain();
        if (certain == null) {
            throw failures.asException(
                    "It is not certain that the claim was released: too few members of the quorum answered");
        }
        return certain;
    }

    private Release.@Nullable Outcome certain() {
        if (count(Release.Outcome.RELEASED) >= rules.quorum()) {
            return Release.Outcome.RELEASED;
        }
        return rules.preventedBy(count(Release.Outcome.NOT_HELD)) ? Release.Outcome.NOT_HELD : null;
    }

    private int count(Release.Outcome wanted) {
        return (int) Arrays.stream(outcomes).filter(wanted::equals).count();
    }

    private static boolean noneIn(boolean[] flags) {
        for (boolean flag : flags) {
            if (flag) {
                return false;
            }
        }
        return true;
    }
}
