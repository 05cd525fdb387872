package io.lockkeeper.spi;

import java.util.concurrent.locks.LockSupport;

/**
 * The source of time of a keeper, by which it counts leases and waits, and on which its threads park. Leases are counted by
 * {@link Moment}s, waits by their monotonic part.
 */
public interface Clocks {

    /** The time now, on both clocks. */
    Moment now();

    /**
     * Parks the calling thread until it is unparked or interrupted, or until the monotonic part of {@link #now()} has reached a
     * moment. It may return earlier for no reason, so callers check the clock and their condition in a loop. A thread that
     * was unparked before the call returns at once, so an implementation must not park for anything else before.
     *
     * <p>This implementation returns after 50 ms at the latest, since the clock need not move as the machine's clock does.
     *
     * @param blocker what the thread waits for, as tools show it; see {@link LockSupport#park(Object)}
     * @param until nanoseconds of the monotonic clock; {@link Long#MAX_VALUE} for no timeout
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
