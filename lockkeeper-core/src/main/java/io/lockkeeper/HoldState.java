package io.lockkeeper;

/** The state of a hold, as its holder knows it. */
public enum HoldState {
    /** Held, and the last renewal that was due succeeded. */
    HELD,
    /** Still within the lease, but a renewal that was due has not succeeded: finish soon, and begin nothing new. */
    UNCERTAIN,
    /** No longer held, though not released: another holder may have it. Final. */
    LOST,
    /** Released. Final. */
    RELEASED
}
