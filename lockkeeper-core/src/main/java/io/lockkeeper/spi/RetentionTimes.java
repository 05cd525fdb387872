package io.lockkeeper.spi;

import java.time.Duration;

/**
 * How long a store remembers what nobody holds any more: tombstones, open latches, sizes of semaphores. Keepers in several
 * processes, and in several versions, rely on these times; a store that repeats one of them in another language has a test that
 * both agree.
 *
 * <p><b>Invariant.</b> A {@linkplain #tombstone tombstone} outlasts the longest time for which a request may be under way.
 * Otherwise a late request would be granted to a claim that nobody waits for any more.
 *
 * @see LeaseTimes
 * @see WaiterTimes
 */
public final class RetentionTimes {

    /** The shortest time for which a store remembers the id of a claim that was ended with an unanswered request. */
    public static final Duration SHORTEST_TOMBSTONE = Duration.ofMinutes(1);

    /** A latch whose count has reached zero is known for at least this long, so that all waiters learn of it. */
    public static final Duration OPEN_LATCH_KEPT = Duration.ofMinutes(1);

    /** The size of a semaphore that nobody uses is known for at least this long, so that a different one is refused. */
    public static final Duration SIZE_KEPT = Duration.ofDays(1);

    private RetentionTimes() {}

    /** Returns how long the id of an ended claim with this lease is remembered: the lease, and at least a minute. */
    public static Duration tombstone(Duration lease) {
        return lease.compareTo(SHORTEST_TOMBSTONE) > 0 ? lease : SHORTEST_TOMBSTONE;
    }
}
