package io.lockkeeper;

import java.time.Duration;
import java.util.List;

/**
 * The state of a resource in the store at one moment.
 *
 * @param resource the resource
 * @param grants the grants of its holders; empty if it is free
 * @param waiting how many claims wait for it in the store (a process queues its own threads itself)
 * @param permits the size of a semaphore; 0 for other families
 */
public record ResourceState(Resource resource, List<Grant> grants, int waiting, int permits) {

    /** Whether anybody holds it. */
    public boolean isHeld() {
        return !grants.isEmpty();
    }

    /** How long the store keeps the last of its grants unless it is renewed; zero if nobody holds it. */
    public Duration remaining() {
        return grants.stream().map(Grant::remaining).max(Duration::compareTo).orElse(Duration.ZERO);
    }

    /**
     * One grant. The keeper that has it may hand it off between its own threads.
     *
     * @param holder the holder
     * @param token its first fencing token
     * @param shared whether other holders may share it
     * @param permits the number of permits of a semaphore; 0 for other families
     * @param remaining how long the store keeps it unless it is renewed
     * @param heldFor how long ago it was granted, by the store's clock, to about a millisecond; zero if that is not known, as
     *     for a client that is not a keeper
     */
    public record Grant(
            HolderInfo holder, long token, boolean shared, int permits, Duration remaining, Duration heldFor) {

        /** A grant of which it is not known how long it has been held. */
        public Grant(HolderInfo holder, long token, boolean shared, int permits, Duration remaining) {
            this(holder, token, shared, permits, remaining, Duration.ZERO);
        }
    }
}
