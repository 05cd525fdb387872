package io.lockkeeper;

/** What a holder knows of its hold. */
public enum HoldState {
    /** Held, and the last renewal that was due succeeded. */
    HELD,
    /** Still within the lease, but a renewal that was due has not succeeded: finish soon, begin nothing new. */
    UNCERTAIN,
    /** Not held any more, though not released: somebody else may hold it. Final. */
    LOST,
    /** Given back. Final. */
    RELEASED
}
