package io.lockkeeper.engine;

import java.time.Duration;

/**
 * The bounds within which newcomers, single tries among them, may overtake the head of the queue while that waiter is being
 * woken. Waking a thread takes longer than many holds last; a grant that was reserved for the waiter each time would be
 * unused most of the time.
 *
 * @param times how many newcomers may overtake it in a row
 * @param within how long after the waiter was called; if it has not come by then, the next released grant is its own
 */
public record Barging(int times, Duration within) {

    /** 8 newcomers, within 100 µs. */
    public static final Barging DEFAULT = new Barging(8, Duration.ofNanos(100_000));

    /** No barging: waiters are served in order of arrival. */
    public static final Barging OFF = new Barging(0, Duration.ZERO);
}
