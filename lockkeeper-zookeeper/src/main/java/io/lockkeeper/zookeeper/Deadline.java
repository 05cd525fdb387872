package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Clocks;
import java.time.Duration;

/**
 * The moment by which a call has to be answered.
 *
 * @param at nanoseconds of the monotonic clock
 */
record Deadline(long at) {

    private static final Duration LONGEST = Duration.ofDays(365);

    static Deadline in(Duration timeout) {
        return new Deadline(now() + (timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST).toNanos());
    }

    private static long now() {
        return Clocks.system().now().mono();
    }

    /** Nanoseconds left; 0 or less when it has passed. */
    long left() {
        return at - now();
    }
}
