package io.lockkeeper.testkit;

import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The clocks of the machine, which a test can move ahead. Waits end in real time, as in production; a lease of an hour ends when the test
 * says so.
 */
public final class ShiftedClocks implements Clocks {

    private final Clocks machine = Clocks.system();
    private final AtomicLong ahead = new AtomicLong();

    @Override
    public Moment now() {
        Moment real = machine.now();
        long shift = ahead.get();
        return new Moment(real.mono() + shift, real.wall() + shift);
    }

    /** Moves both clocks ahead. */
    public void pass(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("Clocks cannot be moved back by " + time + "; use a positive duration");
        }
        ahead.addAndGet(time.toNanos());
    }
}
