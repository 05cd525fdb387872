package io.lockkeeper.testkit.contract;

import io.lockkeeper.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Waiting for things to happen, and seeing that they do not. */
abstract class TimedTest {

    /** How long {@link #eventually} and {@link #get} wait: far longer than anything should take. */
    protected static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How long {@link #untilDone} waits, which is less than a case may take. */
    private static final Duration ALL_WORK = Duration.ofSeconds(90);

    /** Short enough for a case, long enough to see that nothing happens. */
    protected static final Duration A_WHILE = Duration.ofMillis(300);

    /** A condition that may fail. */
    @FunctionalInterface
    protected interface Condition {
        boolean holds() throws Exception;
    }

    /** Waits until the condition holds, asking again and again. */
    protected static void eventually(String what, Condition condition) {
        eventually(what, PATIENCE, condition);
    }

    protected static void eventually(String what, Duration patience, Condition condition) {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            StoreUnavailableException unanswered = null;
            try {
                if (condition.holds()) {
                    return;
                }
            } catch (StoreUnavailableException busy) {
                unanswered = busy;
            } catch (Exception e) {
                throw new AssertionError("Failed while waiting until " + what, e);
            }
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("Not within " + patience + ": " + what, unanswered);
            }
            LockSupport.parkNanos(3_000_000);
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("Interrupted while waiting until " + what);
            }
        }
    }

    /** For cases that assert that something does not happen. */
    protected static void letPass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** What the future gives, in good time. */
    protected static <T extends @Nullable Object> T get(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("Not done within " + PATIENCE, e);
        }
    }

    /** What the future failed with, in good time; unwrapped. */
    protected static Throwable failureOf(CompletableFuture<?> future) {
        eventually("the future is done", future::isDone);
        try {
            Object value = future.join();
            throw new AssertionError("Expected a failure but got " + value);
        } catch (CompletionException e) {
            return e.getCause() == null ? e : e.getCause();
        } catch (CancellationException e) {
            return e;
        }
    }

    /** A task on a thread of its own. */
    protected static final class Task<T extends @Nullable Object> {
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final Thread thread;

        Task(Callable<? extends T> work) {
            thread = new Thread(() -> {
                try {
                    result.complete(work.call());
                } catch (Throwable e) {
                    result.completeExceptionally(e);
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        /** Its result, or what it failed with. */
        public CompletableFuture<T> result() {
            return result;
        }

        public Thread thread() {
            return thread;
        }

        public boolean isDone() {
            return result.isDone();
        }

        public void interrupt() {
            thread.interrupt();
        }

        /** What it returned, in good time. */
        public T get() throws Exception {
            return TimedTest.get(result);
        }

        /** What it failed with, in good time. */
        public Throwable failure() {
            return failureOf(result);
        }
    }

    /** Waits for the work of all of them, however long it takes on a busy machine. */
    protected static void untilDone(List<? extends Task<?>> tasks) {
        for (Task<?> task : tasks) {
            eventually("the work is done", ALL_WORK, task::isDone);
        }
    }

    /** Waits until the thread of the task is parked, as one that waits for a lock is. */
    protected static void awaitParked(Task<?> task) {
        eventually("the task waits", () -> {
            Thread.State state = task.thread().getState();
            return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
        });
    }
}
