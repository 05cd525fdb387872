package io.lockkeeper.spi;

import java.util.concurrent.locks.LockSupport;

/**
 * The source of time of a keeper: what leases and waits are counted by, and what threads wait on. Leases are counted by
 * {@link Moment}s, waits by their monotonic part.
 */
public interface Clocks {

    Moment now();

    /**
     * Parks the calling thread until it is unparked or interrupted, or until the monotonic part of {@link #now()} has reached a
     * moment. It may return earlier for no reason, so callers look at the clock and at what they wait for in a loop. A thread that
     * was unparked before the call returns at once, so an implementation must not park for anything else before.
     *
     * <p>Unless an implementation does better, the clock is looked at every 50 ms at the latest, since it need not move as the
     * machine's clock does.
     *
     * @param blocker what the thread waits for, as tools show it; see {@link LockSupport#park(Object)}
     * @param until nanoseconds of the monotonic clock; {@link Long#MAX_VALUE} for no limit
     */
    default void park(Object blocker, long until) {
        long left = until == Long.MAX_VALUE ? until : until - now().mono();
        if (left > 0) {
            LockSupport.parkNanos(blocker, Math.min(left, 50_000_000));
        }
    }

    /** The machine's clocks. */
    static Clocks system() {
        return SystemClocks.INSTANCE;
    }
}
