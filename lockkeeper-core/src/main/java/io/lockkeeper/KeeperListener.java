package io.lockkeeper;

import java.time.Duration;

/**
 * Told of what a keeper does; the place for meters. Events of a caller's own making come on the caller's thread, all
 * others on the callback executor; none under a lock. Whatever it throws is logged and forgotten. Without a listener
 * none of this costs anything.
 */
public interface KeeperListener {

    /** Somebody begins to wait because it is not free. */
    default void waiting(Resource resource) {}

    /**
     * A hold was granted.
     *
     * @param handedOn whether it came without asking the store: from another holder in this process, or kept after one
     */
    default void acquired(Resource resource, long token, Duration waited, boolean handedOn) {}

    /** Somebody left without it: the time ran out, he was interrupted, or cancelled. */
    default void gaveUp(Resource resource, Duration waited) {}

    /** A hold ended properly. */
    default void released(Resource resource, long token, Duration held, ReleaseOutcome outcome) {}

    /** One renewal request was answered. */
    default void renewed(int grants, Duration took) {}

    /** A renewal that was due did not succeed: the hold is uncertain. */
    default void uncertain(Resource resource, long token) {}

    /** A hold was lost. */
    default void lost(Loss loss) {}

    /** The store failed to answer a request. */
    default void storeFailed(Resource resource, RuntimeException failure) {}
}
