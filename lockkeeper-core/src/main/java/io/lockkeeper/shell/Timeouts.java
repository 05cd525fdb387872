package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.spi.Moment;
import java.time.Duration;

/** Converts the durations that callers give into nanoseconds and deadlines. */
final class Timeouts {

    private Timeouts() {}

    /** A very long wait has no timeout; a negative one, such as the time left until a moment that has passed, is zero. */
    static long nanos(Duration wait) {
        given(wait, "wait");
        if (wait.isNegative()) {
            return 0;
        }
        return wait.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0 ? Long.MAX_VALUE : wait.toNanos();
    }

    /**
     * When a wait that begins now is over, on the monotonic clock.
     *
     * @param timeout nanoseconds; {@link Long#MAX_VALUE} for a wait without a timeout
     * @return {@link Long#MAX_VALUE} for never
     */
    static long deadline(Moment now, long timeout) {
        long deadline = now.mono() + timeout;
        return timeout == Long.MAX_VALUE || deadline < now.mono() ? Long.MAX_VALUE : deadline;
    }

    /** The deadline of an acquisition: a single attempt has none, since the engine says when it is over. */
    static long deadlineOf(Moment now, long timeout) {
        return timeout == 0 ? Long.MAX_VALUE : deadline(now, timeout);
    }

    /** What is left of a wait with this timeout; a single attempt, and a wait without a timeout, stay what they are. */
    static long left(KeeperCore core, long timeout, long deadline) {
        if (timeout == 0 || timeout == Long.MAX_VALUE) {
            return timeout;
        }
        return Math.max(deadline - core.now().mono(), 0);
    }
}
