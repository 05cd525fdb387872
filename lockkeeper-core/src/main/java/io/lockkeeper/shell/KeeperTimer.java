package io.lockkeeper.shell;

import io.lockkeeper.engine.KeeperPolicy;
import io.lockkeeper.spi.Clocks;
import java.time.Duration;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The timer thread of a keeper. It runs only short tasks that never block, so that no request to a store can delay the notice
 * of a loss.
 *
 * <p><b>Invariant.</b> The thread ends only when the timer is closed. If an error ended it, be it a lack of memory or a logger
 * that throws, nothing would be renewed any more and no loss would be told.
 */
final class KeeperTimer {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    private final ConcurrentSkipListSet<Alarm> alarms = new ConcurrentSkipListSet<>();
    private final AtomicLong numbers = new AtomicLong();
    private final Clocks clocks;
    private final Watch watch;
    private final Thread thread;
    private volatile long wakeAt = Long.MIN_VALUE;
    private volatile boolean closed;

    /** What the timer checks beside its alarms: the deadlines of grants. */
    interface Watch {
        /** Does what is due now. */
        void look();

        /** When to look next; {@link Long#MAX_VALUE} if there is nothing to watch. */
        long next();
    }

    KeeperTimer(String keeper, Clocks clocks, Watch watch) {
        this.clocks = clocks;
        this.watch = watch;
        this.thread = new Thread(this::run, "lockkeeper-timer-" + keeper.substring(0, 6));
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Runs something short at this moment of the monotonic clock. */
    Alarm at(long mono, Runnable task) {
        Alarm alarm = new Alarm(mono, numbers.getAndIncrement(), task);
        alarms.add(alarm);
        nudge(mono);
        return alarm;
    }

    Alarm in(Duration delay, Runnable task) {
        return at(clocks.now().mono() + delay.toNanos(), task);
    }

    /** Something is to be done at this moment that may be sooner than what was known. */
    void nudge(long mono) {
        if (mono < wakeAt) {
            LockSupport.unpark(thread);
        }
    }

    /** Runs until the timer is closed; no failure ends it, since nothing would start it again. */
    private void run() {
        while (!closed) {
            try {
                turn();
            } catch (RuntimeException | Error unexpected) {
                report(unexpected);
                pause();
            }
        }
    }

    private void turn() {
        wakeAt = Long.MIN_VALUE;
        guarded(() -> fire(clocks.now().mono()));
        guarded(watch::look);
        long watched = watch.next();
        long next = Math.min(watched, firstAt());
        // From here on a nudge for anything sooner unparks; what came before it is seen by the line after.
        wakeAt = next;
        if (firstAt() < next || watch.next() < next) {
            return;
        }
        clocks.park(
                this,
                next == Long.MAX_VALUE
                        ? next
                        : Math.min(next, clocks.now().mono() + KeeperPolicy.CLOCK_CHECK.toNanos()));
    }

    /** A failure that concerns one lock must not stop the timer for the others. */
    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error unexpected) {
            report(unexpected);
        }
    }

    private static void report(Throwable unexpected) {
        try {
            LOG.log(System.Logger.Level.ERROR, "A task of the timer failed; the timer goes on", unexpected);
        } catch (RuntimeException | Error again) {
            // A logger of the application, or no memory for the report either. Going on matters more than the report.
        }
    }

    /** What fails between two tasks may fail again at once, as for lack of memory. */
    private void pause() {
        try {
            clocks.park(this, clocks.now().mono() + KeeperPolicy.THREAD_RETRY.toNanos());
        } catch (RuntimeException | Error again) {
            Thread.onSpinWait();
        }
    }

    private long firstAt() {
        for (Alarm first : alarms) {
            return first.at;
        }
        return Long.MAX_VALUE;
    }

    private void fire(long now) {
        for (Alarm alarm : alarms) {
            if (alarm.at > now) {
                return;
            }
            // Not if it was cancelled meanwhile.
            if (alarms.remove(alarm)) {
                guarded(alarm.task);
            }
        }
    }

    void cancel(@Nullable Alarm alarm) {
        if (alarm != null) {
            alarms.remove(alarm);
        }
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    record Alarm(long at, long number, Runnable task) implements Comparable<Alarm> {

        @Override
        public int compareTo(Alarm other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }
}
