package io.lockkeeper.shell;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LeaderElection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a leader's task, during one leadership, on a thread of its own.
 *
 * <p><b>Invariant.</b> A run that was told to stop is interrupted once, also if its thread begins only after that; and it ends
 * exactly once, also if its thread cannot be started. Were the end not told, the candidate would lead forever without doing
 * anything, or never stand again.
 *
 * <p>States: WAITING to RUNNING (its thread has begun) to ENDED; WAITING to ENDED (no thread could be started).
 */
final class LeaderRun {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    private enum State {
        WAITING,
        RUNNING,
        ENDED
    }

    private final LeaderElection.Task task;
    private final ExclusiveHold leadership;
    private final BiConsumer<LeaderRun, @Nullable Throwable> whenEnded;
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private State state = State.WAITING;
    private boolean stopped;
    private @Nullable Thread thread;

    /** @param whenEnded is told that the run has ended, and what the task threw, on the thread of the run or the caller of start */
    LeaderRun(
            LeaderElection.Task task, ExclusiveHold leadership, BiConsumer<LeaderRun, @Nullable Throwable> whenEnded) {
        this.task = task;
        this.leadership = leadership;
        this.whenEnded = whenEnded;
    }

    ExclusiveHold leadership() {
        return leadership;
    }

    void start(KeeperThreads threads) {
        try {
            threads.longRunning("leader", this::run);
        } catch (RuntimeException | Error notStarted) {
            end(notStarted);
        }
    }

    private void run() {
        Throwable thrown = null;
        try {
            begin();
            task.run(leadership);
        } catch (Throwable failure) {
            thrown = failure;
        }
        end(thrown);
    }

    private void begin() {
        lock.lock();
        try {
            state = State.RUNNING;
            thread = Thread.currentThread();
            if (stopped) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    private void end(@Nullable Throwable thrown) {
        boolean wasStopped;
        lock.lock();
        try {
            state = State.ENDED;
            thread = null;
            wasStopped = stopped;
        } finally {
            lock.unlock();
        }
        if (thrown != null && !(wasStopped && thrown instanceof InterruptedException)) {
            LOG.log(System.Logger.Level.WARNING, "The task of a leader failed: " + leadership, thrown);
        }
        try {
            whenEnded.accept(this, wasStopped ? null : thrown);
        } finally {
            ended.complete(null);
        }
    }

    /** Interrupts the task, unless it stops itself. */
    void stop() {
        lock.lock();
        try {
            if (!stopped && state != State.ENDED) {
                stopped = true;
                if (thread != null && thread != Thread.currentThread()) {
                    thread.interrupt();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether this is the thread of the task. */
    boolean runsHere() {
        lock.lock();
        try {
            return thread == Thread.currentThread();
        } finally {
            lock.unlock();
        }
    }

    /** Complete when the task has ended. */
    CompletableFuture<@Nullable Void> ended() {
        return ended;
    }
}
