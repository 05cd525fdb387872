package io.lockkeeper.shell;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SingleHold;
import io.lockkeeper.memory.MemoryBackend;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The local queue and the hand-off: a plain counter under the lock, counted by threads of two keepers in every way there is
 * to acquire it. If two ever held it at once, or one did not see what the one before it wrote, no order of the calls would
 * explain the numbers; if a wake-up were lost, it would hang. Tokens must grow from hold to hold.
 */
@Tag("once")
public class LocalQueueLincheckTest {

    private static final MemoryBackend BACKEND = MemoryBackend.create();
    private static final Lockkeeper HERE = Lockkeeper.of(BACKEND);
    private static final Lockkeeper THERE = Lockkeeper.of(BACKEND);
    private static final AtomicLong NAMES = new AtomicLong();

    private final String name = "counter " + NAMES.incrementAndGet();
    private int count;
    private long lastToken;

    private int increment(ExclusiveHold hold) {
        if (hold.token() <= lastToken) {
            throw new IllegalStateException("token " + hold.token() + " after " + lastToken);
        }
        lastToken = hold.token();
        count = count + 1;
        return count;
    }

    private int increment(DistributedLock lock) throws InterruptedException {
        try (ExclusiveHold hold = lock.acquire()) {
            return increment(hold);
        }
    }

    @Operation
    public int here() throws InterruptedException {
        return increment(HERE.lock(name));
    }

    @Operation
    public int alsoHere() throws InterruptedException {
        return increment(HERE.lock(name));
    }

    @Operation
    public int there() throws InterruptedException {
        return increment(THERE.lock(name));
    }

    @Operation
    public int thereFairly() throws InterruptedException {
        return increment(THERE.fairLock(name));
    }

    @Operation
    public int hereAsync() {
        ExclusiveHold hold = HERE.lock(name).acquireAsync().join();
        int counted = increment(hold);
        hold.releaseAsync().join();
        return counted;
    }

    @Operation
    public int hereByLock() {
        DistributedLock lock = HERE.lock(name);
        lock.lock();
        try {
            lock.lock();
            try {
                return increment(lock.currentHold());
            } finally {
                lock.unlock();
            }
        } finally {
            lock.unlock();
        }
    }

    @Operation
    public int readHere() throws InterruptedException {
        try (SingleHold hold = HERE.readWriteLock(name).readLock().acquire()) {
            hold.ensureHeld();
            return count;
        }
    }

    @Operation
    public int readAlsoHere() throws InterruptedException {
        try (SingleHold hold = HERE.readWriteLock(name).readLock().acquire()) {
            hold.ensureHeld();
            return count;
        }
    }

    @Test
    void whoHoldsItHoldsItAloneAndInOrder() {
        new StressOptions()
                .iterations(10)
                .invocationsPerIteration(120)
                .threads(4)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(1)
                .check(getClass());
    }
}
