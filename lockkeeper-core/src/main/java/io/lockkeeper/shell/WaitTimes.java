package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import java.time.Duration;

/** Durations as people give them, in nanoseconds. */
final class WaitTimes {

    private WaitTimes() {}

    /** Very long waits are endless; negative ones, as what is left until a moment that has passed, count as zero. */
    static long nanos(Duration wait) {
        given(wait, "wait");
        if (wait.isNegative()) {
            return 0;
        }
        return wait.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0 ? Long.MAX_VALUE : wait.toNanos();
    }

    /** What is left of a wait with this limit; one that asks once, or for ever, goes on doing so. */
    static long left(KeeperCore core, long limit, long deadline) {
        if (limit == 0 || limit == Long.MAX_VALUE) {
            return limit;
        }
        return Math.max(deadline - core.now().mono(), 0);
    }
}
