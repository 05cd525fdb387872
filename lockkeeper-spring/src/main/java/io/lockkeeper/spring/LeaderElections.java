package io.lockkeeper.spring;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.Registration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * Lets every {@link LeaderElection} bean stand while the application runs, and publishes what becomes of it. It is the first to stop, so
 * that another process leads before this one closes what a leader needs.
 */
final class LeaderElections implements SmartLifecycle {

    private final ObjectProvider<LeaderElection> elections;
    private final ApplicationEventPublisher events;
    private final List<Running> running = new CopyOnWriteArrayList<>();
    private volatile boolean started;

    LeaderElections(ObjectProvider<LeaderElection> elections, ApplicationEventPublisher events) {
        this.elections = elections;
        this.events = events;
    }

    private record Running(LeaderElection election, Registration listener) {}

    @Override
    public void start() {
        started = true;
        for (LeaderElection election : elections) {
            running.add(new Running(election, election.addListener(new Publisher(election))));
            election.join();
        }
    }

    /** The events of the end are published before this returns. */
    @Override
    public void stop() {
        started = false;
        CompletableFuture.allOf(
                        running.stream().map(one -> one.election.leaveAsync()).toArray(CompletableFuture[]::new))
                .handle((done, failure) -> true)
                .join();
        running.forEach(one -> one.listener.close());
        running.clear();
    }

    @Override
    public boolean isRunning() {
        return started;
    }

    private final class Publisher implements LeaderElection.Listener {

        private final LeaderElection election;

        Publisher(LeaderElection election) {
            this.election = election;
        }

        @Override
        public void elected(ExclusiveHold leadership) {
            events.publishEvent(new LeadershipGrantedEvent(election, leadership));
        }

        @Override
        public void deposed(LeaderElection.Deposed end) {
            events.publishEvent(new LeadershipRevokedEvent(election, end));
        }
    }
}
