package io.lockkeeper.spring;

import io.lockkeeper.LeaderElection;
import org.springframework.context.ApplicationEvent;

/** This process no longer leads, in an election that is a bean. Published on a thread of the keeper. */
public final class LeadershipRevokedEvent extends ApplicationEvent {

    private static final long serialVersionUID = 1;

    private final transient LeaderElection election;
    private final transient LeaderElection.Deposed end;

    LeadershipRevokedEvent(LeaderElection election, LeaderElection.Deposed end) {
        super(election);
        this.election = election;
        this.end = end;
    }

    /** The election. */
    public LeaderElection election() {
        return election;
    }

    /** Which term is over, and why. */
    public LeaderElection.Deposed end() {
        return end;
    }
}
