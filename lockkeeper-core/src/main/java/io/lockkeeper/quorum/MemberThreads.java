package io.lockkeeper.quorum;

import io.lockkeeper.spi.Clocks;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A bounded number of threads that ask one member, made when none is idle and ended when idle for a while. A member that hangs
 * keeps at most these threads; what is queued behind them can be withdrawn, and is then known never to have been sent.
 *
 * <p>Whatever a piece of work throws, an {@code Error} too, is logged, and its thread goes on with the next. If a thread
 * cannot be started, the threads that are there do the work; if there is none, it is refused as never sent.
 */
final class MemberThreads {

    private static final System.Logger LOG = System.getLogger(MemberThreads.class.getName());

    private final String name;
    private final ThreadFactory factory;
    private final Clocks clocks;
    private final int width;
    private final int length;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Ticket> queue = new ArrayDeque<>();
    private int threads;
    private int idle;
    private boolean closed;

    /**
     * @param width how many threads at most
     * @param length how much may wait for one
     */
    MemberThreads(String name, int width, int length, Clocks clocks) {
        this(name, width, length, clocks, work -> new Thread(work, name));
    }

    /** With threads from there. */
    MemberThreads(String name, int width, int length, Clocks clocks, ThreadFactory factory) {
        this.clocks = clocks;
        this.name = name;
        this.factory = factory;
        this.width = width;
        this.length = length;
    }

    /** One piece of work. */
    final class Ticket {
        private final Runnable work;
        private boolean taken;
        private long takenAt;

        private Ticket(Runnable work) {
            this.work = work;
        }

        /** Takes it back; true if it is certain that it was not and will not be done. */
        boolean withdraw() {
            lock.lock();
            try {
                return !taken && queue.remove(this);
            } finally {
                lock.unlock();
            }
        }

        /** Whether it waits and not all threads are at work: that the machine is busy is not the member's silence. */
        boolean isNext() {
            lock.lock();
            try {
                return !taken && threads - idle < width;
            } finally {
                lock.unlock();
            }
        }

        /** When a thread took it, by the keeper's monotonic clock; only if {@link #isTaken}. */
        long takenAt() {
            lock.lock();
            try {
                return takenAt;
            } finally {
                lock.unlock();
            }
        }

        boolean isTaken() {
            lock.lock();
            try {
                return taken;
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Never blocks.
     *
     * @throws RejectedExecutionException if too much waits already, if no thread can be had, or after {@link #close}
     */
    Ticket submit(Runnable work) {
        Ticket ticket = new Ticket(work);
        lock.lock();
        try {
            if (closed || queue.size() >= length) {
                throw new RejectedExecutionException(
                        name + (closed ? " is closed" : " is full, because earlier requests are not answered"));
            }
            queue.addLast(ticket);
            if (queue.size() <= idle) {
                changed.signal();
            } else if (threads < width) {
                startThread(ticket);
            }
        } finally {
            lock.unlock();
        }
        return ticket;
    }

    private void startThread(Ticket ticket) {
        try {
            Thread thread = factory.newThread(this::serve);
            thread.setDaemon(true);
            thread.start();
            threads++;
        } catch (RuntimeException | Error e) {
            if (threads == 0) {
                queue.remove(ticket);
                throw new RejectedExecutionException(name + " has no thread, and none can be started", e);
            }
        }
    }

    private void serve() {
        for (Ticket next = next(); next != null; next = next()) {
            try {
                next.work.run();
            } catch (RuntimeException | Error e) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        name + " failed unexpectedly at a request and goes on with the next",
                        e);
            }
        }
    }

    private void end() {
        lock.lock();
        try {
            threads--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Ticket next() {
        lock.lock();
        try {
            idle++;
            long left = QuorumPolicy.IDLE_THREAD.toNanos();
            while (queue.isEmpty() && left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
            idle--;
            Ticket next = queue.pollFirst();
            if (next == null) {
                end();
            } else {
                next.taken = true;
                next.takenAt = clocks.now().mono();
            }
            return next;
        } catch (InterruptedException e) {
            // Only the work before can have caused that, and it is over. Whatever waits gets another thread.
            idle--;
            end();
            return null;
        } finally {
            lock.unlock();
        }
    }

    boolean isQuiet() {
        lock.lock();
        try {
            return queue.isEmpty() && threads == idle;
        } finally {
            lock.unlock();
        }
    }

    /** Takes nothing more; what waits is still done. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** After {@link #close}: waits until all is done, or until that moment of the machine's monotonic clock. */
    void awaitEnd(long deadline) {
        lock.lock();
        try {
            long left = deadline - Clocks.system().now().mono();
            while (threads > 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
