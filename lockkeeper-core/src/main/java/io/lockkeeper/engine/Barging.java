package io.lockkeeper.engine;

import java.time.Duration;

/**
 * How far newcomers, single tries among them, may go before the first of those who wait here, while he is being woken. Waking a thread takes longer
 * than many holds last; a grant that waited for him each time would lie idle most of the time.
 *
 * @param times at most so many in a row
 * @param within only so soon after he was called; if he is not there by then, what is released next is kept for him
 */
public record Barging(int times, Duration within) {

    /** 8 newcomers, within 100 µs. */
    public static final Barging DEFAULT = new Barging(8, Duration.ofNanos(100_000));

    /** Strictly in order of arrival. */
    public static final Barging OFF = new Barging(0, Duration.ZERO);
}
