package io.lockkeeper.shell;

import io.lockkeeper.KeeperEvent;
import io.lockkeeper.Loss;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreState;
import java.time.Duration;
import java.util.Optional;

/** The events that a keeper delivers to its listener. */
final class Events {

    private Events() {}

    record Requested(String backend, Resource resource, long acquisition, boolean shared)
            implements KeeperEvent.Requested {}

    record Waiting(String backend, Resource resource, long acquisition, boolean shared)
            implements KeeperEvent.Waiting {}

    record Polled(String backend, Resource resource, long acquisition, boolean shared) implements KeeperEvent.Polled {}

    record Nested(String backend, Resource resource, long acquisition, boolean shared) implements KeeperEvent.Nested {}

    record Acquired(
            String backend,
            Resource resource,
            long acquisition,
            boolean shared,
            long token,
            Duration waited,
            boolean handedOff,
            boolean contended)
            implements KeeperEvent.Acquired {}

    record GaveUp(
            String backend, Resource resource, long acquisition, boolean shared, Duration waited, GaveUp.Cause cause)
            implements KeeperEvent.GaveUp {}

    record Failed(
            String backend, Resource resource, long acquisition, boolean shared, Duration waited, Throwable failure)
            implements KeeperEvent.Failed {}

    record Released(
            String backend,
            Resource resource,
            long acquisition,
            boolean shared,
            long token,
            Duration held,
            ReleaseOutcome outcome)
            implements KeeperEvent.Released {}

    record Renewed(String backend, int grants, Duration took) implements KeeperEvent.Renewed {}

    record RenewalFailed(String backend, int grants, Duration took) implements KeeperEvent.RenewalFailed {}

    record Uncertain(String backend, Resource resource, long acquisition, boolean shared, long token)
            implements KeeperEvent.Uncertain {}

    record Lost(String backend, long acquisition, boolean shared, Loss loss, Duration held)
            implements KeeperEvent.Lost {}

    record StoreStateChanged(
            String backend, StoreState state, StoreState before, Optional<RuntimeException> failure, Duration outage)
            implements KeeperEvent.StoreStateChanged {}

    record StoreFailed(String backend, Resource resource, RuntimeException failure)
            implements KeeperEvent.StoreFailed {}
}
