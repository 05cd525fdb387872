package io.lockkeeper.shell;

import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The threads of a keeper besides its timer. All are made when needed and end when idle. */
final class Workers {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");
    private static final int MOST_REQUESTS = 64;

    private final ExecutorService requests;
    private final ExecutorService renewals;
    private final Executor callbacks;

    Workers(String keeper, @Nullable Executor callbacks) {
        String suffix = keeper.substring(0, 6);
        ExecutorService virtual = virtualThreads();
        this.requests = virtual == null ? pool("lockkeeper-request-" + suffix, MOST_REQUESTS) : virtual;
        this.renewals = onDemand("lockkeeper-renewal-" + suffix, 15);
        this.callbacks = callbacks == null ? onDemand("lockkeeper-callback-" + suffix, 2) : callbacks;
    }

    /** A request to the store on behalf of somebody who does not wait with a thread. */
    void request(Runnable task) {
        execute(requests, task);
    }

    /** A renewal; never behind anything else. */
    void renewal(Runnable task) {
        execute(renewals, task);
    }

    /** Code of the application: it may block or throw as it likes. */
    void callback(Runnable task) {
        Runnable guarded = () -> {
            try {
                task.run();
            } catch (RuntimeException | Error thrown) {
                LOG.log(System.Logger.Level.WARNING, "A listener failed; the lock is not affected", thrown);
            }
        };
        try {
            callbacks.execute(guarded);
        } catch (RejectedExecutionException closing) {
            // Somebody may wait for what this completes: better on this thread than never.
            guarded.run();
        }
    }

    Executor callbacks() {
        return this::callback;
    }

    private static void execute(Executor executor, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException closed) {
            LOG.log(System.Logger.Level.DEBUG, "The keeper is closed; a background task is dropped");
        }
    }

    /**
     * Lets what was begun end, for at most this long. Callbacks go on: whoever is told that the keeper was closed may have
     * to tell others. Their threads end when idle.
     */
    void close(Duration limit) {
        requests.shutdown();
        renewals.shutdown();
        boolean interrupted = false;
        try {
            if (!requests.awaitTermination(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(System.Logger.Level.WARNING, "Requests to the store are still under way after {0}", limit);
            }
        } catch (InterruptedException later) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static ExecutorService onDemand(String name, int keepSeconds) {
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, keepSeconds, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons(name));
    }

    private static ExecutorService pool(String name, int size) {
        var pool = new ThreadPoolExecutor(size, size, 2, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ThreadFactory daemons(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
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
}
