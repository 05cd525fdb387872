package io.lockkeeper.spi;

import java.time.Duration;

/**
 * How long leases may be, when they are renewed, and how much of one a keeper counts on. Keepers and stores in several processes,
 * and in several versions, rely on these times.
 *
 * <p><b>Invariants.</b> A keeper counts on a grant for {@linkplain #usable less} than the store promised, from before the request
 * was sent. A renewal whose reply is lost can be repeated before the lease ends.
 *
 * @see WaiterTimes
 * @see RetentionTimes
 */
public final class LeaseTimes {

    /** The default for how much faster a store's clock may run than the keeper's, as a part of the lease: one percent. */
    public static final double CLOCK_DRIFT = 0.01;

    /** What is deducted from each promise because clocks are read in steps. */
    public static final Duration CLOCK_STEP = Duration.ofMillis(2);

    /** The shortest lease that a keeper claims. */
    public static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

    /** The longest lease that a store offers unless it says otherwise. */
    public static final Duration LONGEST_LEASE = Duration.ofDays(1);

    /** How many times a grant is renewed in the time of one lease. */
    private static final int RENEWALS_PER_LEASE = 3;

    private LeaseTimes() {}

    /**
     * Returns the time between two renewals of a grant: a third of its lease. It is also the longest time that one request
     * about the grant may take, so that a renewal whose reply is lost can be repeated before the lease ends.
     */
    public static Duration renewEvery(Duration lease) {
        // Not dividedBy, which calculates with big decimals.
        return Duration.ofNanos(lease.toNanos() / RENEWALS_PER_LEASE);
    }

    /**
     * Returns the part of a promise that a keeper counts on: without {@link #CLOCK_DRIFT} and {@link #CLOCK_STEP}. It may be
     * negative.
     */
    public static Duration usable(Duration promised) {
        return usable(promised, CLOCK_DRIFT);
    }

    /** Returns the part of a promise that a keeper counts on if clocks may differ in speed by this part of it. */
    public static Duration usable(Duration promised, double clockDrift) {
        long nanos = promised.toNanos();
        return Duration.ofNanos(nanos - (long) Math.ceil(nanos * clockDrift) - CLOCK_STEP.toNanos());
    }
}
