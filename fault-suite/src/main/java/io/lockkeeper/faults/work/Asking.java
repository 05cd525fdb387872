package io.lockkeeper.faults.work;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
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
}
