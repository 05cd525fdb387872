package io.lockkeeper.shell;

import java.time.Duration;

/** Durations as people give them, in nanoseconds. */
final class Waits {

    private Waits() {}

    /** Very long waits are for ever; negative ones are a mistake. */
    static long nanos(Duration wait) {
        if (wait.isNegative()) {
            throw new IllegalArgumentException("A wait of " + wait + " is negative; use zero to ask once");
        }
        return wait.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0 ? Long.MAX_VALUE : wait.toNanos();
    }

    /** What is left of a wait with this limit; one that asks once, or for ever, goes on doing so. */
    static long left(Station station, long limit, long deadline) {
        if (limit == 0 || limit == Long.MAX_VALUE) {
            return limit;
        }
        return Math.max(deadline - station.now().mono(), 0);
    }
}
