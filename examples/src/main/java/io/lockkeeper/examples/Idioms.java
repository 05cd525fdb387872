package io.lockkeeper.examples;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Idioms that programs bring along from other locks. */
public final class Idioms {

    private final Lockkeeper keeper;

    public Idioms(Lockkeeper keeper) {
        this.keeper = keeper;
    }

    /** The guarded unlock: after a loss it is skipped, and the thread may lock again. */
    void guardedUnlock(Runnable work) {
        DistributedLock lock = keeper.lock("orders/42");
        lock.lock();
        try {
            work.run();
        } finally {
            if (lock.isHeldByCurrentThread()) { // false after a loss
                lock.unlock();
            }
        }
    }

    /** At most once a minute in the cluster: taken for a minute and never given back. */
    boolean atMostOnceAMinute(Runnable work) {
        DistributedLock oncePerMinute = keeper.lock("report").withFixedLease(Duration.ofMinutes(1));
        if (oncePerMinute.tryAcquire() == null) { // or tryLock(), without unlock()
            return false;
        }
        work.run();
        return true;
    }

    /** Polling a busy lock: each round waits a moment in the queue. */
    void poll(Runnable meanwhile, Runnable work) throws InterruptedException {
        DistributedLock lock = keeper.lock("orders/42");
        while (!lock.tryLock(100, TimeUnit.MILLISECONDS)) {
            meanwhile.run();
        }
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }
}
