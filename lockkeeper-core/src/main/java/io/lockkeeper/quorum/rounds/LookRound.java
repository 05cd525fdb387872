package io.lockkeeper.quorum.rounds;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks whether anybody holds a resource.
 *
 * <p>Whoever holds it has a quorum, so one of any quorum that answers says so. A member may also say so of somebody who has
 * only a few: the answer is a hint, good enough to be polite, not to be safe.
 */
public final class LookRound implements Round {

    private final QuorumRules rules;
    private final Resource resource;
    private final Duration limit;
    private int answers;
    private int pending;
    private boolean held;

    public LookRound(QuorumRules rules, Resource resource, Duration limit) {
        this.rules = rules;
        this.resource = resource;
        this.limit = limit;
    }

    @Override
    public List<MemberRequest> start(Moment now) {
        List<MemberRequest> requests = new ArrayList<>();
        for (int member = 0; member < rules.members(); member++) {
            requests.add(new MemberRequest(member, new MemberCommand.Look(resource, limit)));
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
