package io.lockkeeper.shell;

import io.lockkeeper.engine.KeeperPolicy;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a keeper besides its timer. All are started when needed and end when idle.
 *
 * <p><b>Invariant.</b> Handing a task over never throws, never blocks and never runs the task on the thread that hands it
 * over: that may be the timer, on which the notice of every loss depends. This holds for callbacks too, whatever the
 * application's executor does: it is only ever called by a thread of the keeper's own {@link WorkerPool}. If it refuses, the callback
 * runs on that thread; if it runs its tasks in the caller, it does so there; if it blocks, it blocks nobody else.
 */
final class KeeperThreads {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    private final @Nullable ExecutorService virtual;
    private final WorkerPool requests;
    private final WorkerPool renewals;
    private final WorkerPool callbacks;
    private final @Nullable Executor application;
    private final Consumer<Thread> start;
    private final String suffix;
    private final WorkerPool.Later later;
    private volatile boolean closed;

    /**
     * @param application the executor that the application chose for its callbacks
     * @param starter starts threads, for tests in which that fails; null for the ordinary way, with virtual threads for
     *     requests where the JVM has them
     * @param later the timer
     */
    KeeperThreads(
            String keeper, @Nullable Executor application, @Nullable Consumer<Thread> starter, WorkerPool.Later later) {
        this.suffix = keeper.substring(0, 6);
        this.start = starter == null ? Thread::start : starter;
        this.virtual = starter == null ? virtualThreads() : null;
        this.requests = new WorkerPool(
                "lockkeeper-request-" + suffix,
                KeeperPolicy.MOST_REQUEST_THREADS,
                false,
                KeeperPolicy.IDLE_THREAD,
                start,
                later);
        this.renewals = new WorkerPool(
                "lockkeeper-renewal-" + suffix,
                Integer.MAX_VALUE,
                false,
                KeeperPolicy.IDLE_RENEWAL_THREAD,
                start,
                later);
        this.callbacks = new WorkerPool(
                "lockkeeper-callback-" + suffix,
                KeeperPolicy.MOST_CALLBACK_THREADS,
                true,
                KeeperPolicy.IDLE_THREAD,
                start,
                later);
        this.application = application;
        this.later = later;
    }

    /** Runs a request to the store for a caller that does not wait with a thread. */
    void request(Runnable task) {
        if (virtual == null) {
            requests.execute(task);
            return;
        }
        try {
            virtual.execute(task);
        } catch (RuntimeException | Error refused) {
            if (closed) {
                LOG.log(System.Logger.Level.DEBUG, "The keeper is closed; a background task is dropped");
            } else {
                later.in(KeeperPolicy.THREAD_RETRY, () -> request(task));
            }
        }
    }

    /** A renewal; never behind anything else. */
    void renewal(Runnable task) {
        renewals.execute(task);
    }

    /** Code of the application: it may block or throw as it likes. */
    void callback(Runnable task) {
        Runnable once = new Once(task);
        Executor chosen = application;
        own(
                chosen == null
                        ? once
                        : () -> {
                            try {
                                chosen.execute(once);
                            } catch (RuntimeException | Error refused) {
                                // Somebody may wait for what this completes.
                                once.run();
                            }
                        });
    }

    /**
     * Code of the application that may run for as long as it likes, on a thread of its own.
     *
     * @throws Error if the thread cannot be started
     */
    void longRunning(String what, Runnable task) {
        Thread thread = new Thread(task, "lockkeeper-" + what + "-" + suffix);
        thread.setDaemon(true);
        start.accept(thread);
    }

    /** Something slow of the keeper's own that is no request, such as writing to a log. */
    void own(Runnable task) {
        callbacks.execute(task);
        if (closed) {
            callbacks.runLeftovers();
        }
    }

    Executor callbacks() {
        return this::callback;
    }

    /** How many threads run callbacks, or wait for one. */
    int callbackThreads() {
        return callbacks.threads();
    }

    /**
     * Waits for requests that were begun, for at most this long. Callbacks go on: code that is told that the keeper was closed
     * may have to tell other code. Their threads end when idle.
     */
    void close(Duration timeout) {
        closed = true;
        boolean interrupted = false;
        try {
            renewals.close(Duration.ZERO);
            if (!closeRequests(timeout)) {
                LOG.log(System.Logger.Level.WARNING, "Requests to the store are still under way after {0}", timeout);
            }
        } catch (InterruptedException later) {
            interrupted = true;
        }
        callbacks.runLeftovers();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean closeRequests(Duration timeout) throws InterruptedException {
        if (virtual == null) {
            requests.runLeftovers();
            return requests.close(timeout);
        }
        virtual.shutdown();
        return virtual.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Virtual threads where the JVM has them (21 and later). */
    private static @Nullable ExecutorService virtualThreads() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException older) {
            return null;
        }
    }

    /** A callback that runs at most once: an executor may throw after it has taken or run a task. */
    private static final class Once implements Runnable {
        private final Runnable task;
        private final AtomicBoolean begun = new AtomicBoolean();

        Once(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            if (!begun.compareAndSet(false, true)) {
                return;
            }
            try {
                task.run();
            } catch (RuntimeException | Error thrown) {
                LOG.log(System.Logger.Level.WARNING, "A listener failed; the lock is not affected", thrown);
            }
        }
    }
}
