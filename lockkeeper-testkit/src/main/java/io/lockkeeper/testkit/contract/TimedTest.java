package io.lockkeeper.testkit.contract;

import io.lockkeeper.spi.Clocks;
import io.lockkeeper.testkit.ManualClocks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Waiting for things to happen, and seeing that they do not. */
abstract class TimedTest {

    private static final Duration POLL = Duration.ofMillis(3);

    /** What the cases count time by. */
    abstract Clocks clocks();

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
    protected final void eventually(String what, Condition condition) {
        eventually(what, PATIENCE, condition);
    }

    protected final void eventually(String what, Duration patience, Condition condition) {
        long end = clocks().now().mono() + patience.toNanos();
        boolean held = clocks() instanceof ManualClocks manual
                ? manual.await(() -> holds(what, condition), end)
                : poll(() -> holds(what, condition), end);
        if (!held) {
            String why = Thread.currentThread().isInterrupted() ? "Interrupted" : "Not within " + patience;
            throw new AssertionError(why + ": " + what);
        }
    }

    private boolean poll(BooleanSupplier condition, long end) {
        while (!condition.getAsBoolean()) {
            if (clocks().now().mono() >= end || Thread.currentThread().isInterrupted()) {
                return false;
            }
            clocks().park(this, clocks().now().mono() + POLL.toNanos());
        }
        return true;
    }

    private static boolean holds(String what, Condition condition) {
        try {
            return condition.holds();
        } catch (Exception e) {
            throw new AssertionError("Failed while waiting until " + what, e);
        }
    }

    /** For cases that assert that something does not happen. */
    protected final void letPass(Duration time) {
        long end = clocks().now().mono() + time.toNanos();
        while (clocks().now().mono() < end) {
            clocks().park(this, end);
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("Interrupted while time was to pass");
            }
        }
    }

    /** What the future gives, in good time. */
    protected final <T extends @Nullable Object> T get(CompletableFuture<T> future) throws Exception {
        eventually("the future is done", future::isDone);
        return future.get();
    }

    /** Lets the future time out, as {@link CompletableFuture#orTimeout} does by the machine's clock. */
    protected final <T extends @Nullable Object> CompletableFuture<T> timedOut(CompletableFuture<T> future) {
        letPass(Duration.ofMillis(50));
        future.completeExceptionally(new TimeoutException());
        return future;
    }

    /** What the future failed with, in good time; unwrapped. */
    protected final Throwable failureOf(CompletableFuture<?> future) {
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
        private final TimedTest test;
        private final Thread thread;

        Task(TimedTest test, Callable<? extends T> work) {
            this.test = test;
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
            return test.get(result);
        }

        /** What it failed with, in good time. */
        public Throwable failure() {
            return test.failureOf(result);
        }
    }

    /** Waits for the work of all of them, however long it takes on a busy machine. */
    protected final void untilDone(List<? extends Task<?>> tasks) {
        for (Task<?> task : tasks) {
            eventually("the work is done", ALL_WORK, task::isDone);
        }
    }

    /** Waits until the thread of the task is parked, as one that waits for a lock is. */
    protected final void awaitParked(Task<?> task) {
        eventually("the task waits", () -> {
            Thread.State state = task.thread().getState();
            return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
        });
    }
}
