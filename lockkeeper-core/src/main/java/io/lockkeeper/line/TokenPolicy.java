package io.lockkeeper.line;

/** How a {@link LeasedStore} makes fencing tokens. */
public enum TokenPolicy {
    /** 1, 2, 3 …: for a store that loses its counter only together with all processes that ever saw a token. */
    COUNTER,
    /**
     * A hybrid logical clock: at least the microseconds of the store's clock, so that tokens go up even if the counter was
     * lost.
     */
    HYBRID_CLOCK
}
