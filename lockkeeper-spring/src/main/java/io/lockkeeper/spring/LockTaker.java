package io.lockkeeper.spring;

import io.lockkeeper.Acquirable;
import io.lockkeeper.Hold;
import io.lockkeeper.Leased;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.MultiHold;
import io.lockkeeper.MultiLock;
import io.lockkeeper.OwnedLock;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import io.lockkeeper.SingleHold;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes the locks of calls from their keepers.
 *
 * <p>A call that ends when it returns owns its lock by the thread, so that it nests with {@code lock()} in the application's own code.
 * A call that ends elsewhere or later (a stage, a subscription, {@code atLeast}) and a permit are owned by handle, which any thread may
 * release; there the nesting is {@link HeldLock#covers}. That check comes first in both cases: a lock by handle does not nest by
 * itself, and the call would wait for its own thread.
 */
final class LockTaker {

    private final Beans beans;
    private final LateReleases late;

    LockTaker(Beans beans, LateReleases late) {
        this.beans = beans;
        this.late = late;
    }

    Lockkeeper keeper(LockRule rule) {
        return beans.keeper(rule.keeper());
    }

    /** @return null if it was not acquired in time */
    @Nullable
    HeldLock take(LockRule rule, List<String> names, LockedCall call) throws InterruptedException {
        Lockkeeper keeper = keeper(rule);
        HeldLock outer = Holds.covering(keeper, rule, names);
        HeldLock nested = outer == null ? null : outer.nested(rule, call.place());
        if (nested != null) {
            return nested;
        }
        boolean byThread =
                !rule.isSemaphore() && rule.atLeast().isZero() && call.locked().style() == LockedMethod.Style.PLAIN;
        return byThread ? own(keeper, rule, names, call) : acquire(keeper, rule, names, call);
    }

    private @Nullable HeldLock own(Lockkeeper keeper, LockRule rule, List<String> names, LockedCall call)
            throws InterruptedException {
        Lock lock = lock(keeper, rule, names);
        Duration wait = rule.waitFor();
        long left = Holds.awaitLeftBehind(keeper, names, wait == null ? Long.MAX_VALUE : nanos(wait));
        if (left < 0) {
            return null;
        }
        if (wait == null) {
            lock.lockInterruptibly();
        } else if (!lock.tryLock(left, TimeUnit.NANOSECONDS)) {
            return null;
        }
        boolean taken = false;
        try {
            Supplier<Hold> current =
                    lock instanceof MultiLock multi ? multi::currentHold : ((OwnedLock<?, ?>) lock)::currentHold;
            Hold hold = current.get();
            HeldLock held = new HeldLock(keeper, rule, names, call.place(), hold, () -> unlock(lock, hold));
            taken = true;
            return held;
        } finally {
            if (!taken) {
                lock.unlock();
            }
        }
    }

    /** A transaction may end on another thread than it began; then the hold is released by itself. */
    private static void unlock(Lock lock, Hold hold) {
        try {
            lock.unlock();
        } catch (LockLostException lost) {
            throw lost;
        } catch (IllegalMonitorStateException otherThread) {
            hold.release();
        }
    }

    private @Nullable HeldLock acquire(Lockkeeper keeper, LockRule rule, List<String> names, LockedCall call)
            throws InterruptedException {
        Acquirable<?> source = source(keeper, rule, names);
        Hold hold = rule.waitFor() == null ? source.acquire() : source.tryAcquire(rule.waitFor());
        return hold == null ? null : byHandle(keeper, rule, names, call, hold);
    }

    /** Without blocking; null if it was not acquired in time. */
    CompletableFuture<? extends @Nullable Hold> acquireAsync(LockRule rule, List<String> names) {
        Acquirable<?> source = source(keeper(rule), rule, names);
        return rule.waitFor() == null ? source.acquireAsync() : source.tryAcquireAsync(rule.waitFor());
    }

    HeldLock byHandle(Lockkeeper keeper, LockRule rule, List<String> names, LockedCall call, Hold hold) {
        long since = System.nanoTime();
        return new HeldLock(keeper, rule, names, call.place(), hold, () -> {
            if (late.release(hold, since, rule.atLeast()) == ReleaseOutcome.NOT_HELD) {
                throw gone(rule, names, hold);
            }
        });
    }

    /** The store no longer had it: somebody else may have held it since. */
    private static LockLostException gone(LockRule rule, List<String> names, Hold hold) {
        Resource resource = rule.isSemaphore() ? Resource.semaphore(names.get(0)) : Resource.lock(names.get(0));
        SingleHold single = hold instanceof MultiHold multi ? multi.holds().get(0) : (SingleHold) hold;
        return new LockLostException(
                "The store no longer had " + names + " when it was released; check what was written under it",
                new Loss(Loss.Reason.TAKEN, resource, single.id(), single.token()));
    }

    private static Acquirable<?> source(Lockkeeper keeper, LockRule rule, List<String> names) {
        if (!rule.isSemaphore()) {
            return (Acquirable<?>) lock(keeper, rule, names);
        }
        if (names.size() != 1) {
            throw new IllegalArgumentException("@Limited takes one permit, but its name " + rule.text() + " gave "
                    + names.size() + " names; make it one name");
        }
        return leased(keeper.semaphore(names.get(0), rule.permits()), rule);
    }

    private static Lock lock(Lockkeeper keeper, LockRule rule, List<String> names) {
        if (names.size() == 1) {
            return single(keeper, rule, names.get(0));
        }
        OwnedLock<?, ?>[] locks =
                names.stream().map(name -> single(keeper, rule, name)).toArray(OwnedLock<?, ?>[]::new);
        return leased(MultiLock.of(locks), rule);
    }

    private static OwnedLock<?, ?> single(Lockkeeper keeper, LockRule rule, String name) {
        return switch (rule.kind()) {
            case PLAIN -> leased(keeper.lock(name), rule);
            case FAIR -> leased(keeper.fairLock(name), rule);
            case READ -> leased(keeper.readWriteLock(name), rule).readLock();
            case WRITE -> leased(keeper.readWriteLock(name), rule).writeLock();
        };
    }

    private static <V extends Leased<V>> V leased(V source, LockRule rule) {
        if (rule.fixedLease() != null) {
            return source.withFixedLease(rule.fixedLease());
        }
        return rule.lease() == null ? source : source.withLease(rule.lease());
    }

    private static long nanos(Duration wait) {
        try {
            return wait.toNanos();
        } catch (ArithmeticException centuries) {
            return Long.MAX_VALUE;
        }
    }
}
