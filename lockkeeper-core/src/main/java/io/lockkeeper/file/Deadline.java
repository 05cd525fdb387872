package io.lockkeeper.file;

import io.lockkeeper.spi.Clocks;
import java.time.Duration;

/**
 * The moment at which a request gives up. It is real time, also where a test moves the keeper's clocks: what is waited for
 * here are other processes.
 */
record Deadline(long at) {

    static Deadline in(Duration timeout) {
        return new Deadline(now() + timeout.toNanos());
    }

    private static long now() {
        return Clocks.system().now().mono();
    }

    /** Nanoseconds left; 0 or less when it has passed. */
    long left() {
        return at - now();
    }

    boolean hasPassed() {
        return left() <= 0;
    }
}
