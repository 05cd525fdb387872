package io.lockkeeper;

/** How {@link SingleHold#extend} ended. */
public enum ExtendOutcome {
    /** The store holds it for that long, and {@link SingleHold#remaining()} says so. */
    EXTENDED,
    /** It was not held any more: lost, released, or ended by its lease before the answer came. */
    NOT_HELD,
    /**
     * The store could not be asked, or did not answer. The hold ends here when it would have ended before; in the store it
     * may last longer. Asking again is harmless.
     */
    UNKNOWN
}
