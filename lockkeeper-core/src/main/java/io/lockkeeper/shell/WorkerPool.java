package io.lockkeeper.shell;

import io.lockkeeper.engine.KeeperPolicy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A bounded pool of threads of one kind, started when there is work and ended when idle.
 *
 * <p><b>Invariant.</b> A task that was handed over runs once, on a thread of this pool, also if no thread can be started at
 * the moment (a limit of the container, no memory for a stack). Handing over does not throw then: the task waits in the
 * queue, and a thread is started for it when the next task comes, when the timer looks again, or not at all if another
 * thread of the pool has taken it. The interleaving that breaks it: the task is dropped together with the error, and what
 * depends on it (a node whose renewal is under way, a waiter that was woken) waits forever.
 *
 * <p>Where tasks are code of the application, one task may wait for another one behind it; so a pool that {@linkplain #growing
 * grows} gets one thread more for each second in which none of its tasks began.
 */
final class WorkerPool implements Executor {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    /** Runs a short task later, on the timer. */
    interface Later {
        /** @return false if the timer has ended, so that nothing runs on it any more */
        boolean in(Duration delay, Runnable task);
    }

    private final String name;
    private final int most;
    private final boolean growing;
    private final long keepNanos;
    private final Consumer<Thread> starter;
    private final Later later;
    private final AtomicInteger numbers = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private int threads;
    private int idle;
    /** How many tasks were begun so far. */
    private long begun;

    private boolean timerLooks;
    private boolean warned;
    private boolean closed;

    /**
     * @param most how many threads at most
     * @param growing whether there may be more when all of them stand still
     * @param keep how long an idle thread is kept
     * @param starter starts a thread
     */
    WorkerPool(String name, int most, boolean growing, Duration keep, Consumer<Thread> starter, Later later) {
        this.name = name;
        this.most = most;
        this.growing = growing;
        this.keepNanos = keep.toNanos();
        this.starter = starter;
        this.later = later;
    }

    /** Hands a task over. It neither blocks nor throws for want of a thread. After {@link #close} the task is dropped. */
    @Override
    public void execute(Runnable task) {
        boolean hire;
        boolean waits;
        lock.lock();
        try {
            if (closed) {
                LOG.log(System.Logger.Level.DEBUG, "The keeper is closed; a background task is dropped");
                return;
            }
            tasks.add(task);
            waits = tasks.size() > idle;
            hire = waits && threads < most;
            if (hire) {
                threads++;
            } else if (!waits) {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
        if (hire) {
            hire();
        } else if (waits && growing) {
            lookLater(KeeperPolicy.STANDSTILL);
        }
    }

    /** Starts a thread that was counted already. */
    private void hire() {
        try {
            Thread thread = new Thread(this::work, name + "-" + numbers.incrementAndGet());
            thread.setDaemon(true);
            starter.accept(thread);
        } catch (RuntimeException | Error refused) {
            notHired(refused);
        }
    }

    private void notHired(Throwable refused) {
        boolean tell;
        lock.lock();
        try {
            threads--;
            tell = !warned;
            warned = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        lookLater(KeeperPolicy.THREAD_RETRY);
        if (tell) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "No thread {0} can be started ({1}); its work waits until one can",
                    name,
                    refused);
        }
    }

    /** Has the timer check the queue later, unless it will already, or nothing waits. */
    private void lookLater(Duration pause) {
        long seen;
        lock.lock();
        try {
            if (timerLooks || tasks.isEmpty()) {
                return;
            }
            timerLooks = true;
            seen = begun;
        } finally {
            lock.unlock();
        }
        boolean accepted = false;
        try {
            accepted = later.in(pause, () -> look(seen));
        } finally {
            if (!accepted) {
                lock.lock();
                timerLooks = false;
                lock.unlock();
            }
        }
    }

    private void look(long seen) {
        boolean hire;
        lock.lock();
        try {
            timerLooks = false;
            if (tasks.size() <= idle || closed) {
                return;
            }
            hire = threads < most || (growing && begun == seen);
            if (hire) {
                threads++;
            }
        } finally {
            lock.unlock();
        }
        if (hire) {
            hire();
        }
        lookLater(KeeperPolicy.STANDSTILL);
    }

    private void work() {
        boolean more = true;
        while (more) {
            more = workOnce();
        }
    }

    /** In a method of its own: an idle thread must not refer to its last task, which may be all that refers to a hold. */
    private boolean workOnce() {
        Runnable task = next();
        if (task == null) {
            return false;
        }
        try {
            task.run();
        } catch (RuntimeException | Error thrown) {
            LOG.log(System.Logger.Level.ERROR, "A background task failed; the others go on", thrown);
        }
        return true;
    }

    private @Nullable Runnable next() {
        Runnable task = null;
        lock.lock();
        try {
            idle++;
            try {
                await();
            } finally {
                idle--;
            }
            task = tasks.poll();
            if (task != null) {
                begun++;
                warned = false;
            }
            return task;
        } finally {
            // Also if an error got here: this thread ends, and is not counted any more.
            if (task == null) {
                threads--;
                changed.signalAll();
            }
            lock.unlock();
        }
    }

    private void await() {
        long left = keepNanos;
        while (tasks.isEmpty() && !closed && left > 0) {
            try {
                left = changed.awaitNanos(left);
            } catch (InterruptedException leftBehind) {
                // By the task before; it is over.
            }
        }
    }

    /** How many threads there are. */
    int threads() {
        lock.lock();
        try {
            return threads;
        } finally {
            lock.unlock();
        }
    }

    /** The timer has ended: what still waits because no thread could be started is run by the caller. */
    void runLeftovers() {
        while (true) {
            Runnable task;
            lock.lock();
            try {
                if (threads > 0 || tasks.isEmpty()) {
                    return;
                }
                task = tasks.poll();
            } finally {
                lock.unlock();
            }
            task.run();
        }
    }

    /**
     * Takes nothing more, and waits until what was begun or waits is done, but not longer than this.
     *
     * @return whether all is done
     */
    boolean close(Duration timeout) throws InterruptedException {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
            long left = timeout.toNanos();
            while (threads > 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
            return threads == 0 && tasks.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return name + ", at most " + most + (growing ? " or more" : "") + ", kept for "
                + TimeUnit.NANOSECONDS.toSeconds(keepNanos) + " s";
    }
}
