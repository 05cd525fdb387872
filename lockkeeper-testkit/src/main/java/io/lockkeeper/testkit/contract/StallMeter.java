package io.lockkeeper.testkit.contract;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Measures how long this machine keeps a thread waiting that could run: it naps and sees how much it overslept. */
final class StallMeter implements AutoCloseable {

    private static final long NAP = Duration.ofMillis(5).toNanos();

    private final Thread thread = new Thread(this::run, "stall meter");
    private volatile long longest;
    private volatile boolean closed;

    private StallMeter() {}

    static StallMeter start() {
        StallMeter meter = new StallMeter();
        meter.thread.setDaemon(true);
        meter.thread.start();
        return meter;
    }

    private void run() {
        while (!closed) {
            long before = System.nanoTime();
            LockSupport.parkNanos(NAP);
            longest = Math.max(longest, System.nanoTime() - before - NAP);
        }
    }

    /** The longest stall since it was started. */
    Duration longest() {
        return Duration.ofNanos(longest);
    }

    @Override
    public void close() {
        closed = true;
    }
}
