package io.lockkeeper.spi;

import java.time.Duration;

/**
 * The times of the protocol between keepers and stores. Keepers and stores in several processes, and in several versions,
 * rely on one another to keep them; a store that repeats one of them in another language has a test that both agree.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>{@link #LONGEST_POLL} &lt; {@link #SILENT_AFTER}, by a factor that leaves room for a lost request. Otherwise the
 *       place of a living waiter would be passed over between two of its polls.
 *   <li>{@link #SILENT_AFTER} &lt; {@link #FORGOTTEN_AFTER}. A waiter that was paused then finds its place again.
 *   <li>A {@linkplain #tombstone tombstone} outlasts the longest time for which a request may be under way. Otherwise a late
 *       request would be granted to a claim that nobody waits for any more.
 *   <li>A keeper counts on a grant for {@linkplain #usable less} than the store promised, from before the request was sent.
 * </ul>
 */
public final class ProtocolTimes {

    /**
     * A keeper repeats the attempt of a claim that waits after this time at the latest. {@link Answer.Wait#retryIn()} may
     * ask for an earlier one; a later one is shortened. So a lost signal costs at most this much.
     */
    public static final Duration LONGEST_POLL = Duration.ofSeconds(1);

    /** A store that knows when the next lease ends asks for the repeat not earlier than this. */
    public static final Duration SHORTEST_POLL = Duration.ofMillis(1);

    /**
     * A claim that waits and was not heard of for this long does not bar those behind it. It keeps its place, so that it is
     * the first again when its keeper is back.
     */
    public static final Duration SILENT_AFTER = Duration.ofSeconds(3);

    /** The place of a claim that waits is deleted when it was not heard of for this long. */
    public static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(1);

    /**
     * A time stamp that is further ahead than this was written before the clock was set back, and counts as now. Otherwise
     * a dead claim would bar the queue until the clock has caught up.
     */
    public static final Duration CLOCK_SET_BACK = Duration.ofSeconds(1);

    /** The shortest time for which a store remembers the id of a claim that was ended with an unanswered request. */
    public static final Duration SHORTEST_TOMBSTONE = Duration.ofMinutes(1);

    /** A latch whose count has reached zero is known for at least this long, so that all waiters learn of it. */
    public static final Duration OPEN_LATCH_KEPT = Duration.ofMinutes(1);

    /** The size of a semaphore that nobody uses is known for at least this long, so that a different one is refused. */
    public static final Duration SIZE_KEPT = Duration.ofDays(1);

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

    private ProtocolTimes() {}

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

    /** Returns how long the id of an ended claim with this lease is remembered: the lease, and at least a minute. */
    public static Duration tombstone(Duration lease) {
        return lease.compareTo(SHORTEST_TOMBSTONE) > 0 ? lease : SHORTEST_TOMBSTONE;
    }
}
