package io.lockkeeper.file;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Durations;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads that touch files.
 *
 * <p>Invariant: no thread of a caller ever reads, writes, locks or closes a file. An interrupt closes the channel that its
 * thread is using, and a closed channel gives up every lock that the process has on that file; so one {@code cancel(true)}
 * in the application would give away a lock that another thread is holding. No application can interrupt these threads. The
 * other gain is that a caller returns at its timeout when the disk hangs.
 *
 * <p>They are made on demand, are daemons, and end when they have had nothing to do for some seconds.
 */
final class FileThreads {

    private static final int MOST = 32;

    private final String store;
    private final AtomicInteger count = new AtomicInteger();
    /** Pieces of work that were handed in and are not done. */
    private final AtomicInteger busy = new AtomicInteger();

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0,
            MOST,
            FilePolicy.IDLE_THREAD.toNanos(),
            TimeUnit.NANOSECONDS,
            new Backlog(),
            this::thread,
            Backlog::keep);

    private final Consumer<Thread> made;

    /** @param store what to call the store in messages */
    FileThreads(String store) {
        this(store, thread -> {});
    }

    /** @param made sees each thread before it is started, and may throw as the system does that has no more of them */
    FileThreads(String store, Consumer<Thread> made) {
        this.store = store;
        this.made = made;
    }

    private Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "lockkeeper-file-" + count.incrementAndGet(), 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        made.accept(thread);
        return thread;
    }

    /** What is done with files. */
    interface Work<T> {
        T run(Deadline deadline) throws Exception;
    }

    /**
     * Has it done, and waits for it up to the timeout. An interrupt does not cut the wait short; it is passed on afterwards.
     *
     * @throws StoreUnavailableException if it takes longer; it may still be done then
     */
    <T> T call(Duration timeout, Work<T> work) {
        Deadline deadline = Deadline.in(timeout);
        return get(submit(deadline, work), deadline, timeout);
    }

    private <T> T get(FutureTask<T> result, Deadline deadline, Duration timeout) {
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
                    "The store " + store + " did not answer within " + Durations.text(timeout), e);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Has it done in any case, and waits for that up to the timeout. */
    void finish(Duration timeout, Work<?> work) {
        try {
            get(submit(Deadline.in(FilePolicy.LONGEST_WORK), work), Deadline.in(timeout), timeout);
        } catch (StoreUnavailableException e) {
            // It goes on without the caller.
        }
    }

    /** Has it done some time. Whether it fails is nobody's concern. */
    Future<?> later(Duration timeout, Work<?> work) {
        return submit(Deadline.in(timeout), work);
    }

    private <T> FutureTask<T> submit(Deadline deadline, Work<T> work) {
        AtomicBoolean open = new AtomicBoolean(true);
        Runnable counted = () -> {
            if (open.compareAndSet(true, false)) {
                busy.decrementAndGet();
            }
        };
        FutureTask<T> task = new FutureTask<>(() -> {
            try {
                if (deadline.hasPassed()) {
                    throw new StoreUnavailableException(
                            "The store " + store + " had no thread free within the timeout");
                }
                return work.run(deadline);
            } finally {
                // Before the caller hears of it, so that the caller's next piece of work finds this thread free.
                counted.run();
            }
        });
        busy.incrementAndGet();
        try {
            threads.execute(task);
        } catch (RuntimeException | Error notStarted) {
            withoutThread(task, counted, notStarted);
        }
        return task;
    }

    /**
     * No thread could be started for it. If there are others, one of them will do it. Else nobody would: the caller is told,
     * and it is neither done later, when the caller counts on its not being done, nor counted any longer.
     */
    private void withoutThread(FutureTask<?> task, Runnable counted, Throwable notStarted) {
        if (threads.getPoolSize() > 0) {
            if (!threads.getQueue().contains(task)) {
                Backlog.keep(task, threads);
            }
            return;
        }
        task.cancel(false);
        threads.remove(task);
        counted.run();
        throw new StoreUnavailableException(
                "The store " + store + " has no thread and none can be started (" + notStarted + "); nothing was done",
                notStarted);
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

    /** A thread pool makes a new thread only when its queue is full; so this one says that it is while all are busy. */
    private final class Backlog extends LinkedBlockingQueue<Runnable> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean offer(Runnable work) {
            return busy.get() <= threads.getPoolSize() && super.offer(work);
        }

        private boolean keep(Runnable work) {
            return super.offer(work);
        }

        /** There are enough threads: one of them will do it. */
        static void keep(Runnable work, ThreadPoolExecutor threads) {
            ((Backlog) threads.getQueue()).keep(work);
        }
    }
}
