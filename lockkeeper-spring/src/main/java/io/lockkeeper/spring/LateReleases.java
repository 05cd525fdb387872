package io.lockkeeper.spring;

import io.lockkeeper.Hold;
import io.lockkeeper.ReleaseOutcome;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;

/**
 * Releases locks that are to be kept for a shortest time after the call that took them. It has one thread, made when the first lock has
 * to wait. When the application ends, what still waits is left to the keeper, which releases it when it is closed.
 */
final class LateReleases implements DisposableBean {

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "lockkeeper-at-least");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * @param since when it was acquired, by {@link System#nanoTime}
     * @return the outcome, or null if it is released later
     */
    @Nullable
    ReleaseOutcome release(Hold hold, long since, Duration atLeast) {
        long left = atLeast.toNanos() - (System.nanoTime() - since);
        if (atLeast.isZero() || left <= 0) {
            return hold.release();
        }
        try {
            timer.schedule(hold::releaseAsync, left, TimeUnit.NANOSECONDS);
            return null;
        } catch (RejectedExecutionException ended) {
            return hold.release();
        }
    }

    @Override
    public void destroy() {
        timer.shutdownNow();
    }
}
