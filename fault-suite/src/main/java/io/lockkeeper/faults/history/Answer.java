package io.lockkeeper.faults.history;

/** How a call for a lock ended, at a moment of the machine's monotonic clock, in nanoseconds. */
public sealed interface Answer {

    /** It never did, or its process was killed before it could say so. */
    record Open() implements Answer {}

    /** The time limit passed. */
    record Nothing(long at) implements Answer {}

    /** An exception. */
    record Failed(long at, String why) implements Answer {}

    /**
     * The lock.
     *
     * @param believedTo the last instant at which the hold is known to have called itself held. Since what is lost stays
     *     lost, it did so from {@code at} on; it may have done so a little longer. A stopped process cannot ask, so
     *     the time for which it was stopped is not part of this
     * @param seenLost whether a look at the hold said LOST
     * @param told whether the listener of the hold was told of the loss
     * @param closed whether the release returned, whatever its outcome
     */
    record Granted(long at, long token, String holdId, long believedTo, boolean seenLost, boolean told, boolean closed)
            implements Answer {}
}
