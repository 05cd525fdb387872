package io.lockkeeper.quorum;

import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Clocks that move when told to, and when a thread has waited on them for as long on the machine's clock. */
final class TestClocks implements Clocks {

    private final AtomicReference<Moment> now =
            new AtomicReference<>(new Moment(7_000_000_000L, 1_700_000_000_000_000_000L));

    @Override
    public Moment now() {
        return now.get();
    }

    @Override
    public void park(Object blocker, long until) {
        long end = System.nanoTime() + until - now().mono();
        LockSupport.parkNanos(blocker, until - now().mono());
        if (System.nanoTime() - end >= 0) {
            now.updateAndGet(m -> m.mono() >= until ? m : new Moment(until, m.wall() + until - m.mono()));
        }
    }

    void advance(Duration time) {
        now.updateAndGet(m -> new Moment(m.mono() + time.toNanos(), m.wall() + time.toNanos()));
    }

    /** The wall clock alone, as in a suspended machine. */
    void suspend(Duration time) {
        now.updateAndGet(m -> new Moment(m.mono(), m.wall() + time.toNanos()));
    }
}
