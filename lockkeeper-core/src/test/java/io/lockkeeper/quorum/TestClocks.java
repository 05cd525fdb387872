package io.lockkeeper.quorum;

import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** Clocks that move when told to. */
final class TestClocks implements Clocks {

    private final AtomicReference<Moment> now =
            new AtomicReference<>(new Moment(7_000_000_000L, 1_700_000_000_000_000_000L));

    @Override
    public Moment now() {
        return now.get();
    }

    void advance(Duration time) {
        now.updateAndGet(m -> new Moment(m.mono() + time.toNanos(), m.wall() + time.toNanos()));
    }

    /** The wall clock alone, as in a suspended machine. */
    void suspend(Duration time) {
        now.updateAndGet(m -> new Moment(m.mono(), m.wall() + time.toNanos()));
    }
}
