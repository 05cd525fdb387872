package io.lockkeeper.quorum;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A bounded number of threads that ask one member, made on demand and ended when idle. A member that hangs keeps at most
 * these threads; what is queued behind them can be withdrawn, and is then known never to have been sent.
 */
final class Lane {

    private static final Duration IDLE = Duration.ofSeconds(5);

    private final ThreadPoolExecutor threads;

    Lane(String name, int width, int length) {
        threads = new ThreadPoolExecutor(
                width, width, IDLE.toNanos(), TimeUnit.NANOSECONDS, new ArrayBlockingQueue<>(length), work -> {
                    Thread thread = new Thread(work, name);
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** One piece of work, until a thread takes it. */
    static final class Ticket {
        private final AtomicBoolean taken = new AtomicBoolean();

        /** @return whether it is certain that it was not and will not be done */
        boolean withdraw() {
            return taken.compareAndSet(false, true);
        }
    }

    /**
     * Never blocks.
     *
     * @throws RejectedExecutionException if too much waits already, or after {@link #close}
     */
    Ticket submit(Runnable work) {
        Ticket ticket = new Ticket();
        threads.execute(() -> {
            if (ticket.withdraw()) {
                work.run();
            }
        });
        return ticket;
    }

    void close() {
        threads.shutdown();
    }
}
