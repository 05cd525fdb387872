package io.lockkeeper.testkit.contract;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Measures how long this machine keeps a thread waiting that could run: it naps and sees how much it overslept. */
final class StallMeter implements AutoCloseable {

    private static final long NAP = Duration.ofMillis(5).toNanos();

    /** So many threads for each processor, on average over the last minute. */
    private static final double CROWD = 5;

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

    /**
     * Whether a thread had to wait for that long since it was started. A thread that mostly naps is served before others; so
     * it also counts if far more threads want to run than there are processors.
     */
    boolean stalledFor(Duration time) {
        var system = ManagementFactory.getOperatingSystemMXBean();
        return longest >= time.toNanos() || system.getSystemLoadAverage() > CROWD * system.getAvailableProcessors();
    }

    @Override
    public void close() {
        closed = true;
    }
}
