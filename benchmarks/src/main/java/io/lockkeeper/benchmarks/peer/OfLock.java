package io.lockkeeper.benchmarks.peer;

import java.util.concurrent.locks.Lock;

/** A lock of the JDK's kind. It has no token. */
record OfLock(Lock lock) implements Mutex {

    @Override
    public long acquire() {
        lock.lock();
        return 0;
    }

    @Override
    public void release() {
        lock.unlock();
    }
}
