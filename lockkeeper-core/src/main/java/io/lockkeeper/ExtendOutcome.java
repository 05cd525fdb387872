package io.lockkeeper;

/** The result of {@link SingleHold#extend}. */
public enum ExtendOutcome {
    /** The store keeps the hold for that time, and {@link SingleHold#remaining()} includes it. */
    EXTENDED,
    /** It was not held any more: lost, released, or ended by its lease before the answer arrived. */
    NOT_HELD,
    /**
     * The store could not be reached, or did not answer. Here the hold ends when it would have ended before; in the store it
     * may last longer. Calling again is harmless.
     */
    UNKNOWN
}
