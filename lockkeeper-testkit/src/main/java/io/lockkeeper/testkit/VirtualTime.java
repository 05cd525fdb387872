package io.lockkeeper.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Moves {@link ManualClocks} by itself: whenever every thread of this process waits, time passes until the first of those that
 * wait on the clocks is due. While any thread has something to do, time stands still, however long the machine takes for it. So
 * a lease of two seconds lasts for as long as its holder is busy, and the whole of it takes a moment when everybody waits.
 *
 * <p><b>What it needs.</b> Nothing else runs in the process: tests in virtual time run one by one, with no others beside them.
 * A thread that never waits keeps time from passing.
 *
 * <p><b>Invariant.</b> The clocks move only when no thread is running, or is about to: see {@link Stillness}.
 */
public final class VirtualTime implements AutoCloseable {

    private static final long PAUSE = Duration.ofNanos(100_000).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofMillis(1).toNanos();

    /** How long others may be busy before those who look for something look all the same. */
    private static final long BUSY = Duration.ofMillis(10).toNanos();

    private final ManualClocks clocks;
    private final Stillness stillness = Stillness.ofThisProcess();
    private final Thread thread = new Thread(this::run, "virtual time");
    private volatile boolean closed;

    private VirtualTime(ManualClocks clocks) {
        this.clocks = clocks;
    }

    /** Moves these clocks until it is closed. */
    public static VirtualTime of(ManualClocks clocks) {
        var time = new VirtualTime(clocks);
        clocks.driven(true);
        time.thread.setDaemon(true);
        time.thread.start();
        return time;
    }

    private void run() {
        long pause = PAUSE;
        long busySince = System.nanoTime();
        while (!closed) {
            if (stillness.prevails()) {
                clocks.step();
                pause = PAUSE;
                busySince = System.nanoTime();
            } else {
                if (System.nanoTime() - busySince > BUSY) {
                    clocks.wakeLookers();
                    busySince = System.nanoTime();
                }
                pause = Math.min(LONGEST_PAUSE, pause + pause / 2);
            }
            LockSupport.parkNanos(this, pause);
        }
    }

    /** From now on the clocks move only when told to. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        stillness.close();
        clocks.driven(false);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
