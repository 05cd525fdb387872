package io.lockkeeper.faults.work;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LockLostException;
import io.lockkeeper.ReleaseOutcome;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** The forms in which a lock is acquired and released. */
enum AcquireForm {
    ACQUIRE {
        @Override
        ExclusiveHold acquire(DistributedLock lock, Duration wait) throws InterruptedException {
            return lock.acquire();
        }
    },
    /** The thread owns it, as with the locks of the JDK. */
    THREAD {
        @Override
        ExclusiveHold acquire(DistributedLock lock, Duration wait) {
            lock.lock();
            return lock.currentHold();
        }

        @Override
        Object end(DistributedLock lock, ExclusiveHold hold) {
            try {
                lock.unlock();
                return ReleaseOutcome.RELEASED;
            } catch (LockLostException e) {
                return "LOST";
            }
        }
    },
    TIMED {
        @Override
        @Nullable
        ExclusiveHold acquire(DistributedLock lock, Duration wait) throws InterruptedException {
            return lock.tryAcquire(wait);
        }
    },
    ONCE {
        @Override
        @Nullable
        ExclusiveHold acquire(DistributedLock lock, Duration wait) {
            return lock.tryAcquire();
        }
    },
    ASYNC {
        @Override
        @Nullable
        ExclusiveHold acquire(DistributedLock lock, Duration wait) throws InterruptedException {
            try {
                return lock.tryAcquireAsync(wait).get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
            }
        }
    };

    abstract @Nullable ExclusiveHold acquire(DistributedLock lock, Duration wait) throws InterruptedException;

    /** Releases it, and says how that went. */
    Object end(DistributedLock lock, ExclusiveHold hold) {
        return hold.release();
    }
}
