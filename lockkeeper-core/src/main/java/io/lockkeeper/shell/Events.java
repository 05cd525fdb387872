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

    record Waiting(Resource resource) implements KeeperEvent.Waiting {}

    record Acquired(Resource resource, long token, Duration waited, boolean handedOff)
            implements KeeperEvent.Acquired {}

    record GaveUp(Resource resource, Duration waited) implements KeeperEvent.GaveUp {}

    record Released(Resource resource, long token, Duration held, ReleaseOutcome outcome)
            implements KeeperEvent.Released {}

    record Renewed(int grants, Duration took) implements KeeperEvent.Renewed {}

    record Uncertain(Resource resource, long token) implements KeeperEvent.Uncertain {}

    record Lost(Loss loss) implements KeeperEvent.Lost {}

    record StoreStateChanged(StoreState state, StoreState before, Optional<RuntimeException> failure, Duration outage)
            implements KeeperEvent.StoreStateChanged {}

    record StoreFailed(Resource resource, RuntimeException failure) implements KeeperEvent.StoreFailed {}
}
