package io.lockkeeper.spi;

import java.time.Duration;

/**
 * How often a waiter polls the store, and when a waiter that does not poll any more is passed over and forgotten. Keepers and
 * stores in several processes, and in several versions, rely on these times; a store that repeats one of them in another language
 * has a test that both agree.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>{@link #LONGEST_POLL} &lt; {@link #SILENT_AFTER}, by a factor that leaves room for a lost request. Otherwise the
 *       place of a living waiter would be passed over between two of its polls.
 *   <li>{@link #SILENT_AFTER} &lt; {@link #FORGOTTEN_AFTER}. A waiter that was paused then finds its place again.
 * </ul>
 *
 * @see LeaseTimes
 * @see RetentionTimes
 */
public final class WaiterTimes {

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

    private WaiterTimes() {}
}
