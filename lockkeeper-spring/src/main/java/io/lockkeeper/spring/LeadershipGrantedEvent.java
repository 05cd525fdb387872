package io.lockkeeper.spring;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LeaderElection;
import org.springframework.context.ApplicationEvent;

/** This process leads from now on, in an election that is a bean. Published on a thread of the keeper. */
public final class LeadershipGrantedEvent extends ApplicationEvent {

    private static final long serialVersionUID = 1;

    private final transient LeaderElection election;
    private final transient ExclusiveHold leadership;

    LeadershipGrantedEvent(LeaderElection election, ExclusiveHold leadership) {
        super(election);
        this.election = election;
        this.leadership = leadership;
    }

    /** The election. */
    public LeaderElection election() {
        return election;
    }

    /** The hold of the leadership; its token is the term. It may be over when a listener looks at it. */
    public ExclusiveHold leadership() {
        return leadership;
    }
}
