package io.lockkeeper.spring;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.Registration;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * Lets every {@link LeaderElection} bean stand while the application runs, and publishes what becomes of it. It is the first to stop, so
 * that another process leads before this one closes what a leader needs.
 */
final class LeaderElections implements SmartLifecycle {

    private static final Log LOG = LogFactory.getLog(LeaderElections.class);

    private final ObjectProvider<LeaderElection> elections;
    private final ApplicationEventPublisher events;
    private final Duration wait;
    private final List<Running> running = new CopyOnWriteArrayList<>();
    private volatile boolean started;

    /** @param wait how long the end waits for listeners that do not return */
    LeaderElections(ObjectProvider<LeaderElection> elections, ApplicationEventPublisher events, Duration wait) {
        this.elections = elections;
        this.events = events;
        this.wait = wait;
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

    /** The events of the end are published before this returns, unless their listeners take too long. */
    @Override
    public void stop() {
        started = false;
        CompletableFuture.allOf(
                        running.stream().map(one -> one.election.leaveAsync()).toArray(CompletableFuture[]::new))
                .orTimeout(wait.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(LeaderElections::report)
                .join();
        running.forEach(one -> one.listener.close());
        running.clear();
    }

    private static @Nullable Void report(Throwable failure) {
        LOG.warn(
                "An election was not left in time, so another process may lead only when this keeper is closed; look for a"
                        + " listener of LeadershipRevokedEvent that does not return",
                failure);
        return null;
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
