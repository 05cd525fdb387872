package io.lockkeeper.shell;

import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Puts one thread's whole call between two steps of another's. A step is where a thread looks at the clock or asks the store:
 * at the chosen one it lets the other run, until that is done or waits for something that only the first can give.
 *
 * <p>So a race that chance meets once in a million times is met each time, and none between two steps is left out.
 */
final class Interleaver implements Clocks {

    private static final Duration LONG = Duration.ofSeconds(30);

    private @Nullable Thread stepping;
    private int steps;
    private int chosen;
    private @Nullable Runnable between;

    /** To be called wherever a step of interest is. */
    void step() {
        if (Thread.currentThread() == stepping && ++steps == chosen && between != null) {
            between.run();
        }
    }

    @Override
    public Moment now() {
        step();
        return Clocks.system().now();
    }

    /**
     * Runs one call with another at the chosen step of it, and waits for both.
     *
     * @return whether there was such a step; if not the other ran afterwards
     */
    boolean run(int step, Runnable call, Runnable other) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                other.run();
                done.complete(null);
            } catch (Throwable thrown) {
                done.completeExceptionally(thrown);
            }
        });
        stepping = Thread.currentThread();
        steps = 0;
        chosen = step;
        between = () -> {
            thread.start();
            while (!done.isDone() && !waits(thread)) {
                Thread.onSpinWait();
            }
        };
        try {
            call.run();
        } finally {
            stepping = null;
        }
        boolean reached = steps >= step;
        if (!reached) {
            thread.start();
        }
        done.orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join();
        return reached;
    }

    private static boolean waits(Thread thread) {
        Thread.State state = thread.getState();
        return (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING)
                && LockSupport.getBlocker(thread) != null;
    }
}
