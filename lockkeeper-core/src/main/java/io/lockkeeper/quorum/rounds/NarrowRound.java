package io.lockkeeper.quorum.rounds;

import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The round that gives up a part of a grant on all members.
 *
 * <p>A member that does not hear of it goes on giving more than is needed, which excludes others there and harms nothing
 * else; a repeated attempt never asks for more than the narrowed mode again.
 */
public final class NarrowRound implements Round {

    private final QuorumRules rules;
    private final ClaimVotes claimVotes;
    private final Mode to;
    private final @Nullable Boolean[] held;
    private final Failures failures;
    private int pending;

    public NarrowRound(QuorumRules rules, ClaimVotes claimVotes, Mode to) {
        this.rules = rules;
        this.claimVotes = claimVotes;
        this.to = to;
        this.held = new @Nullable Boolean[rules.members()];
        this.failures = new Failures(rules.members());
    }

    @Override
    public List<MemberRequest> start(Moment now) {
        List<MemberRequest> requests = new ArrayList<>();
        for (int member = 0; member < rules.members(); member++) {
            requests.add(new MemberRequest(member, new MemberCommand.Narrow(claimVotes.claim(), to)));
        }
        claimVotes.narrow(to);
        pending = requests.size();
        return requests;
    }

    @Override
    public List<MemberRequest> on(MemberRequest request, MemberReply reply, Moment now) {
        pending--;
        if (reply instanceof MemberReply.Narrowed narrowed) {
            held[request.member()] = narrowed.held();
        } else if (reply instanceof MemberReply.Failed failed) {
            failures.add(request.member(), failed.failure());
        }
        return List.of();
    }

    @Override
    public boolean decided() {
        return certain() != null || pending <= 0;
    }

    /**
     * Whether the claim holds.
     *
     * @throws io.lockkeeper.StoreUnavailableException with each member's error if it is not certain
     */
    public boolean outcome() {
        Boolean certain = certain();
        if (certain == null) {
            throw failures.asException(
                    "It is not certain that the grant was narrowed: too few members of the quorum answered");
        }
        return certain;
    }

    private @Nullable Boolean certain() {
        if (count(true) >= rules.quorum()) {
            return true;
        }
        return rules.preventedBy(count(false)) ? false : null;
    }

    private int count(boolean wanted) {
        int count = 0;
        for (Boolean one : held) {
            count += one != null && one == wanted ? 1 : 0;
        }
        return count;
    }
}
