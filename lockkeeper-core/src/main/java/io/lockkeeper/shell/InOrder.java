package io.lockkeeper.shell;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

/** Runs tasks one after the other on an executor that would run them at once. */
final class InOrder {

    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean running;

    InOrder(Executor executor) {
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
        executor.execute(this::runNext);
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
        try {
            task.run();
        } finally {
            executor.execute(this::runNext);
        }
    }
}
