package io.lockkeeper.engine;

/** What the waiters for a latch have to do next. */
public sealed interface LatchStep {

    /** Ask the store for the latch's state, then call {@link LatchWaiters#replied}. */
    record Poll() implements LatchStep {

        public static final Poll POLL = new Poll();
    }

    /**
     * Wait until woken, or until this moment of the monotonic clock; then take the next step.
     *
     * @param until {@link Long#MAX_VALUE} if nobody waits
     */
    record Park(long until) implements LatchStep {}
}
