package io.lockkeeper.spring;

import io.lockkeeper.Hold;
import io.lockkeeper.ReleaseOutcome;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Releases locks that are to be kept for a shortest time after the call that took them. It has one thread, made when the first lock has
 * to wait. When the application shuts down, it releases the remaining ones at once, so that they do not delay the keeper's drain.
 *
 * <p><b>Invariant.</b> Each hold is released by the one that takes it out of {@link #pending}: the timer, the shutdown, or the call itself,
 * if the shutdown began between its look at {@link #closing} and its entry there.
 */
final class LateReleases implements ApplicationListener<ContextClosedEvent>, DisposableBean {

    private final ApplicationContext context;
    private final Set<Hold> pending = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "lockkeeper-at-least");
        thread.setDaemon(true);
        return thread;
    });

    LateReleases(ApplicationContext context) {
        this.context = context;
    }

    /**
     * @param since when it was acquired, by {@link System#nanoTime}
     * @return the outcome, or null if it is released later
     */
    @Nullable
    ReleaseOutcome release(Hold hold, long since, Duration atLeast) {
        long left = atLeast.toNanos() - (System.nanoTime() - since);
        if (atLeast.isZero() || left <= 0 || closing) {
            return hold.release();
        }
        pending.add(hold);
        try {
            timer.schedule(() -> releaseNow(hold), left, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException ended) {
            // Then it is closing.
        }
        return closing && pending.remove(hold) ? hold.release() : null;
    }

    private void releaseNow(Hold hold) {
        if (pending.remove(hold)) {
            hold.releaseAsync();
        }
    }

    /** Comes before anything is stopped. */
    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        if (event.getApplicationContext() == context) {
            closing = true;
            pending.forEach(this::releaseNow);
        }
    }

    @Override
    public void destroy() {
        closing = true;
        timer.shutdownNow();
        pending.forEach(this::releaseNow);
    }
}
