package io.lockkeeper.jdbc;

import io.lockkeeper.spi.Clocks;
import java.time.Duration;

/**
 * The moment at which a request gives up. It is real time, also where a test moves the keeper's clocks: what is waited for
 * here is a database.
 */
record Deadline(long at) {

    static Deadline in(Duration timeout) {
        return new Deadline(
                now() + (timeout.compareTo(JdbcPolicy.NO_DEADLINE) < 0 ? timeout : JdbcPolicy.NO_DEADLINE).toNanos());
    }

    /** A moment that is this far away, or this deadline if it is nearer. */
    Deadline within(Duration timeout) {
        Deadline sooner = in(timeout);
        return sooner.at - at < 0 ? sooner : this;
    }

    static long now() {
        return Clocks.system().now().mono();
    }

    /** Nanoseconds left; 0 or less when it has passed. */
    long left() {
        return at - now();
    }

    /** Milliseconds left, at least 1: JDBC takes 0 for no timeout at all. */
    int millis() {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, (left() + 999_999) / 1_000_000));
    }

    boolean hasPassed() {
        return left() <= 0;
    }
}
