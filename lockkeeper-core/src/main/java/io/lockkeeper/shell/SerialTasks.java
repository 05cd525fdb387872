package io.lockkeeper.shell;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Runs tasks one after the other on an executor that would run them at once. */
final class SerialTasks {

    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean running;
    /** The thread that runs a task now. */
    private volatile @Nullable Thread runner;

    SerialTasks(Executor executor) {
        this.executor = executor;
    }

    void add(Runnable task) {
        lock.lock();
        try {
            tasks.add(task);
            if (running) {
                return;
            }
            running = true;
        } finally {
            lock.unlock();
        }
        runLater();
    }

    private void runLater() {
        boolean accepted = false;
        try {
            executor.execute(this::runNext);
            accepted = true;
        } finally {
            if (!accepted) {
                // The next task takes along what is left.
                lock.lock();
                running = false;
                lock.unlock();
            }
        }
    }

    /** Whether a task runs on this thread, so that waiting here for the next ones would never end. */
    boolean runsHere() {
        return runner == Thread.currentThread();
    }

    private void runNext() {
        Runnable task;
        lock.lock();
        try {
            task = tasks.poll();
            if (task == null) {
                running = false;
                return;
            }
        } finally {
            lock.unlock();
        }
        runner = Thread.currentThread();
        try {
            task.run();
        } finally {
            runner = null;
            runLater();
        }
    }
}
