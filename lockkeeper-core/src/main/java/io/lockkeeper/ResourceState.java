package io.lockkeeper;

import java.time.Duration;
import java.util.List;

/**
 * What a store says of a resource at one moment.
 *
 * @param resource which
 * @param grants who holds it; empty if it is free
 * @param waiting how many claims queue for it in the store (a process queues its own threads itself)
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
     * One grant. The keeper that has it may hand it on between its own threads.
     *
     * @param holder who has it
     * @param token its first fencing token
     * @param shared whether others may hold it too
     * @param permits how many permits of a semaphore; 0 for other families
     * @param remaining how long the store keeps it unless it is renewed
     * @param heldFor how long ago it was granted, by the store's clock, to about a millisecond; zero if that is not known, as of
     *     a client that is not a keeper
     */
    public record Grant(
            HolderInfo holder, long token, boolean shared, int permits, Duration remaining, Duration heldFor) {

        /** One of which is not known how long it has been held. */
        public Grant(HolderInfo holder, long token, boolean shared, int permits, Duration remaining) {
            this(holder, token, shared, permits, remaining, Duration.ZERO);
        }
    }
}
