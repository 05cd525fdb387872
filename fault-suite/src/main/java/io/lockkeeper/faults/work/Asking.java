package io.lockkeeper.faults.work;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LockLostException;
import io.lockkeeper.ReleaseOutcome;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Ways to ask for a lock. */
enum Asking {
    ACQUIRE {
        @Override
        ExclusiveHold ask(DistributedLock lock, Duration wait) throws InterruptedException {
            return lock.acquire();
        }
    },
    /** The thread owns it, as with the locks of the JDK. */
    THREAD {
        @Override
        ExclusiveHold ask(DistributedLock lock, Duration wait) {
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
        ExclusiveHold ask(DistributedLock lock, Duration wait) throws InterruptedException {
            return lock.tryAcquire(wait);
        }
    },
    ONCE {
        @Override
        @Nullable
        ExclusiveHold ask(DistributedLock lock, Duration wait) {
            return lock.tryAcquire();
        }
    },
    ASYNC {
        @Override
        @Nullable
        ExclusiveHold ask(DistributedLock lock, Duration wait) throws InterruptedException {
            try {
                return lock.tryAcquireAsync(wait).get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
            }
        }
    };

    abstract @Nullable ExclusiveHold ask(DistributedLock lock, Duration wait) throws InterruptedException;

    /** Releases it, and says how that went. */
    Object end(DistributedLock lock, ExclusiveHold hold) {
        return hold.release();
    }
}
