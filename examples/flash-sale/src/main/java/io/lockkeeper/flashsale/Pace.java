package io.lockkeeper.flashsale;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** How fast the clerks of a process sell, and where one of them is held up if the scene wants that. */
final class Pace {

    private final Duration think;
    private final Runnable reached;
    /** Writes until the clerk is held up that makes the last of them; not positive if none is. */
    private final AtomicInteger writes;

    private final CountDownLatch further = new CountDownLatch(1);

    /**
     * @param holdUpAt before which write of this process a clerk is held up; 0 for none
     * @param reached is called then
     */
    Pace(Duration think, int holdUpAt, Runnable reached) {
        this.think = think;
        this.writes = new AtomicInteger(holdUpAt);
        this.reached = reached;
    }

    void think() {
        long end = System.nanoTime() + think.toNanos();
        for (long left = think.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    void beforeWrite() {
        if (writes.decrementAndGet() == 0) {
            reached.run();
            try {
                further.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Lets the clerk go on. */
    void goOn() {
        further.countDown();
    }
}
