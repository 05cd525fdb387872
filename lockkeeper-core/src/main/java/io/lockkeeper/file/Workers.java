package io.lockkeeper.file;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads that touch files.
 *
 * <p>Invariant: no thread of a caller ever reads, writes, locks or closes a file. An interrupt closes the channel that its
 * thread is using, and a closed channel gives up every lock that the process has on that file; so one {@code cancel(true)}
 * in the application would give away a lock that somebody else is holding. These threads are nobody's to interrupt. The
 * other gain is that a caller gets away at its limit when the disk hangs.
 *
 * <p>They are made on demand, are daemons, and end when they have had nothing to do for some seconds.
 */
final class Workers {

    private static final int MOST = 64;
    private static final long IDLE_SECONDS = 5;

    private final String store;
    private final AtomicInteger count = new AtomicInteger();
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(0, MOST, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), this::thread);

    /** @param store what to call the store in messages */
    Workers(String store) {
        this.store = store;
    }

    private Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "lockkeeper-file-" + count.incrementAndGet(), 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    }

    /** What is done with files. */
    interface Work<T> {
        T run(Deadline deadline) throws Exception;
    }

    /**
     * Has it done, and waits for it up to the limit. An interrupt does not cut the wait short; it is passed on afterwards.
     *
     * @throws StoreUnavailableException if it takes longer; it may still be done then
     */
    <T> T call(Duration limit, Work<T> work) {
        Deadline deadline = Deadline.in(limit);
        Callable<T> task = () -> work.run(deadline);
        FutureTask<T> result = new FutureTask<>(task);
        try {
            threads.execute(result);
        } catch (RejectedExecutionException e) {
            throw new StoreUnavailableException("The store " + store + " has " + MOST
                    + " requests under way that do not end; look whether its disk still answers");
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return result.get(Math.max(0, deadline.left()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException e) {
            throw new StoreUnavailableException(
                    "The store " + store + " did not answer within " + limit.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Has it done some time, if there is a thread for it. Whether it fails is nobody's concern. */
    Future<?> later(Runnable work) {
        FutureTask<?> task = new FutureTask<>(work, null);
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            task.cancel(false);
        }
        return task;
    }

    private RuntimeException failure(@Nullable Throwable cause) {
        if (cause instanceof LockkeeperException ours) {
            return ours;
        }
        if (cause instanceof IllegalArgumentException bad) {
            return bad;
        }
        return new StoreUnavailableException("The store " + store + " failed: " + cause, cause);
    }
}
