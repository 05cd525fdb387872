package io.lockkeeper.quorum.rounds;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The round that looks whether a claim holds a resource.
 *
 * <p>A holder has a quorum, so at least one of any quorum of answers shows it. A member may also show a claim that has only a
 * few members: the answer is a hint, good enough for the order of claims, not for exclusion.
 */
public final class LookRound implements Round {

    private final QuorumRules rules;
    private final Resource resource;
    private final Duration timeout;
    private int answers;
    private int pending;
    private boolean held;

    public LookRound(QuorumRules rules, Resource resource, Duration timeout) {
        this.rules = rules;
        this.resource = resource;
        this.timeout = timeout;
    }

    @Override
    public List<MemberRequest> start(Moment now) {
        List<MemberRequest> requests = new ArrayList<>();
        for (int member = 0; member < rules.members(); member++) {
            requests.add(new MemberRequest(member, new MemberCommand.Look(resource, timeout)));
        }
        pending = requests.size();
        return requests;
    }

    @Override
    public List<MemberRequest> on(MemberRequest request, MemberReply reply, Moment now) {
        pending--;
        if (reply instanceof MemberReply.Seen seen) {
            answers++;
            held |= seen.held();
        }
        return List.of();
    }

    @Override
    public boolean decided() {
        return answers >= rules.quorum() || pending <= 0;
    }

    public boolean isHeld() {
        return held;
    }
}
