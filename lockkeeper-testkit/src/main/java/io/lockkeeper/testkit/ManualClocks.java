package io.lockkeeper.testkit;

import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Clocks that only move when told to, both at once or the wall clock alone. Safe for use by many threads; each reads
 * both clocks at the same moment.
 */
public final class ManualClocks implements Clocks {

    /** An arbitrary moment whose two parts differ, so that code that mixes them up is found out. */
    private static final Moment START = new Moment(5_000_000_000L, 1_700_000_000_000_000_000L);

    private final ReentrantLock moving = new ReentrantLock();
    private volatile Moment now = START;

    @Override
    public Moment now() {
        return now;
    }

    /** Time passes. */
    public void advance(Duration time) {
        move(notNegative(time), time.toNanos());
    }

    /** The machine is suspended: the wall clock goes on, the monotonic one stands still. */
    public void suspend(Duration time) {
        move(0, notNegative(time));
    }

    /** Somebody sets the wall clock, forwards or (with a negative duration) back. */
    public void stepWall(Duration step) {
        move(0, step.toNanos());
    }

    private void move(long mono, long wall) {
        moving.lock();
        try {
            now = new Moment(now.mono() + mono, now.wall() + wall);
        } finally {
            moving.unlock();
        }
    }

    private static long notNegative(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("Time can not pass by " + time + "; use stepWall to set the clock back");
        }
        return time.toNanos();
    }
}
