package io.lockkeeper;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.spi.Durations;
import java.time.Duration;

/**
 * How long a grant may be passed on between threads of one process before it goes back to the store, so that other
 * processes get their turn. Each hold still has its own, greater token.
 *
 * @param times at most so often in a row, up to 1,000; 0 switches handing on off
 * @param within at most for so long in a row
 */
public record HandOff(int times, Duration within) {

    /** 64 times or 20 ms. */
    public static final HandOff DEFAULT = new HandOff(64, Duration.ofMillis(20));

    /** Every release goes to the store. */
    public static final HandOff OFF = new HandOff(0, Duration.ZERO);

    public HandOff {
        given(within, "within");
        if (times < 0 || times > 1000 || within.isNegative()) {
            throw new IllegalArgumentException("Hand-off of " + times + " times within " + Durations.text(within)
                    + " is not possible: use 0 to 1,000 times and a duration of zero or more");
        }
    }
}
