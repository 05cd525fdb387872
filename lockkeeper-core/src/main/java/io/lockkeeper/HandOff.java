package io.lockkeeper;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.spi.Durations;
import java.time.Duration;

/**
 * How long a grant may be handed off between the threads of one process before it is returned to the store, so that other
 * processes get their turn. Each hold still has its own, greater token.
 *
 * @param times how often in a row at most, up to 1,000; 0 disables hand-off
 * @param within for how long in a row at most
 */
public record HandOff(int times, Duration within) {

    /** 64 times or 20 ms, whichever comes first. */
    public static final HandOff DEFAULT = new HandOff(64, Duration.ofMillis(20));

    /** Every release is sent to the store. */
    public static final HandOff OFF = new HandOff(0, Duration.ZERO);

    public HandOff {
        given(within, "within");
        if (times < 0 || times > 1000 || within.isNegative()) {
            throw new IllegalArgumentException("A hand-off must be 0 to 1,000 times within zero or more, but was "
                    + times + " times within " + Durations.text(within));
        }
    }
}
