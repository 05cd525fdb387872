package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Clocks;
import java.time.Duration;

/**
 * The moment by which a call has to be answered.
 *
 * @param at nanoseconds of the monotonic clock
 */
record Deadline(long at) {

    static Deadline in(Duration timeout) {
        return new Deadline(now()
                + (timeout.compareTo(ZookeeperPolicy.NO_DEADLINE) < 0 ? timeout : ZookeeperPolicy.NO_DEADLINE)
                        .toNanos());
    }

    private static long now() {
        return Clocks.system().now().mono();
    }

    /** Nanoseconds left; 0 or less when it has passed. */
    long left() {
        return at - now();
    }
}
