package io.lockkeeper.spring;

import io.lockkeeper.Hold;
import io.lockkeeper.Registration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Interrupts the thread of a method when its lock is lost. What a method has begun elsewhere, such as a stage, is not interrupted.
 *
 * <p><b>Invariant.</b> The thread is interrupted only while the method runs, and this interrupt is not left in its flag after that. (Nor is one of
 * another cause that came at the same time: the two cannot be told apart.) A listener
 * that looked whether the method runs and interrupted a moment later would hit what the thread does next; so both are one step under
 * {@link #mutex}.
 */
final class LossInterrupt implements AutoCloseable {

    private final ReentrantLock mutex = new ReentrantLock();
    private final Thread thread = Thread.currentThread();
    private final Registration registration;
    private boolean over;
    private boolean interrupted;

    LossInterrupt(Hold hold) {
        registration = hold.onLost(loss -> interrupt());
    }

    private void interrupt() {
        mutex.lock();
        try {
            if (!over) {
                interrupted = true;
                thread.interrupt();
            }
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public void close() {
        registration.close();
        mutex.lock();
        try {
            over = true;
            if (interrupted) {
                Thread.interrupted();
            }
        } finally {
            mutex.unlock();
        }
    }
}
