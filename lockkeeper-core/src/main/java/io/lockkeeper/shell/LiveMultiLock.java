package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.LockLostException;
import io.lockkeeper.MultiHold;
import io.lockkeeper.MultiLock;
import io.lockkeeper.Overdue;
import io.lockkeeper.OwnedLock;
import io.lockkeeper.SingleHold;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.KeeperPolicy;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Several locks as one, which everybody takes in the same {@link LockOrder}. */
final class LiveMultiLock implements MultiLock {

    private final List<LiveLock<?, ?>> locks;
    private final LockOrder lockOrder;

    LiveMultiLock(List<LiveLock<?, ?>> locks) {
        this.locks = locks;
        this.lockOrder = new LockOrder(locks);
    }

    private MultiLock view(Function<LiveLock<?, ?>, OwnedLock<?, ?>> change) {
        List<LiveLock<?, ?>> changed = new ArrayList<>();
        for (LiveLock<?, ?> lock : locks) {
            changed.add((LiveLock<?, ?>) change.apply(lock));
        }
        return new LiveMultiLock(changed);
    }

    @Override
    public MultiLock withLease(Duration lease) {
        return view(lock -> lock.withLease(lease));
    }

    @Override
    public MultiLock withFixedLease(Duration lease) {
        return view(lock -> lock.withFixedLease(lease));
    }

    @Override
    public MultiLock withMaxHold(Duration longest, Overdue whenOverdue) {
        return view(lock -> lock.withMaxHold(longest, whenOverdue));
    }

    @Override
    public MultiLock giveUpAfter(Duration silence) {
        return view(lock -> lock.giveUpAfter(silence));
    }

    @Override
    public MultiHold acquire() throws InterruptedException {
        MultiHold hold = take(Long.MAX_VALUE, true, new Missing());
        if (hold == null) {
            throw new IllegalStateException("an endless wait ended");
        }
        return hold;
    }

    @Override
    public @Nullable MultiHold tryAcquire() {
        try {
            return take(0, false, new Missing());
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public @Nullable MultiHold tryAcquire(Duration wait) throws InterruptedException {
        Missing missing = new Missing();
        MultiHold hold = take(Timeouts.nanos(wait), true, missing);
        if (hold == null) {
            TimeoutReport.log(this, missing.part(), wait);
        }
        return hold;
    }

    @Override
    public MultiHold acquire(Duration wait) throws InterruptedException {
        Missing missing = new Missing();
        MultiHold hold = take(Timeouts.nanos(wait), true, missing);
        if (hold == null) {
            throw TimeoutReport.exception(this, missing.part(), wait);
        }
        return hold;
    }

    /** The lock at which a call gave up. */
    private static final class Missing {
        private @Nullable LiveLock<?, ?> lock;

        TimeoutReport.@Nullable Part part() {
            LiveLock<?, ?> missing = lock;
            return missing == null ? null : new TimeoutReport.Part(missing.core, missing.order.resource());
        }
    }

    private @Nullable MultiHold take(long timeout, boolean interruptible, Missing missing) throws InterruptedException {
        Moment begun = locks.get(0).core.now();
        long deadline = Timeouts.deadline(begun, timeout);
        while (true) {
            List<Integer> order = orderOnceKnown(timeout, begun, deadline, interruptible);
            try {
                return take(order, timeout, deadline, interruptible, missing);
            } catch (LockOrder.Changed again) {
                // Nothing is held here any more.
            }
        }
    }

    private @Nullable MultiHold take(
            List<Integer> order, long timeout, long deadline, boolean interruptible, Missing missing)
            throws InterruptedException {
        SingleHold[] holds = new SingleHold[locks.size()];
        boolean complete = false;
        BlockingAcquisition.Watch watch = null;
        try {
            for (int index : order) {
                LiveLock<?, ?> lock = locks.get(index);
                long left = Timeouts.left(locks.get(0).core, timeout, deadline);
                EngineHold holding =
                        new BlockingAcquisition(lock.core, lock.order, left, interruptible, null, watch).run();
                if (holding == null) {
                    missing.lock = lock;
                    return null;
                }
                holds[index] = lock.admit(lock.order, holding);
                watch = lockOrder.mayChange() ? lockOrder.watch(order) : null;
            }
            complete = true;
            return new LiveMultiHold(List.of(holds));
        } finally {
            if (!complete) {
                releaseAll(holds);
            }
        }
    }

    /** A store that cannot tell its id now is asked again, like for anything else that somebody waits for. */
    private List<Integer> orderOnceKnown(long timeout, Moment begun, long deadline, boolean interruptible)
            throws InterruptedException {
        while (true) {
            try {
                return lockOrder.now();
            } catch (StoreUnavailableException silent) {
                if (givesUp(locks, timeout, begun, deadline)) {
                    throw silent;
                }
                if (interruptible) {
                    RequestRetry.nap(locks.get(0).core.clocks(), KeeperPolicy.MULTI_LOCK_RETRY);
                } else {
                    RequestRetry.pause(locks.get(0).core.clocks(), KeeperPolicy.MULTI_LOCK_RETRY);
                }
            }
        }
    }

    /** Whether a caller waits no longer for a store that does not tell its id. */
    static boolean givesUp(List<LiveLock<?, ?>> locks, long timeout, Moment begun, long deadline) {
        KeeperCore core = locks.get(0).core;
        long silence = core.now().mono() - begun.mono();
        return Timeouts.left(core, timeout, deadline) == 0
                || locks.stream()
                        .map(lock -> lock.order.giveUpAfter())
                        .anyMatch(patience -> patience != null && silence >= patience.toNanos());
    }

    // ------------------------------------------------------------------------------------------------ as a Lock

    @Override
    public void lock() {
        try {
            own(Long.MAX_VALUE, false, new Missing());
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        own(Long.MAX_VALUE, true, new Missing());
    }

    @Override
    public boolean tryLock() {
        try {
            return own(0, false, new Missing());
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        given(unit, "unit");
        long timeout = Math.max(unit.toNanos(time), 0);
        Missing missing = new Missing();
        boolean owned = own(timeout, true, missing);
        if (!owned) {
            TimeoutReport.log(this, missing.part(), Duration.ofNanos(timeout));
        }
        return owned;
    }

    private boolean own(long timeout, boolean interruptible, Missing missing) throws InterruptedException {
        Moment begun = locks.get(0).core.now();
        long deadline = Timeouts.deadline(begun, timeout);
        while (true) {
            List<Integer> order = orderOnceKnown(timeout, begun, deadline, interruptible);
            try {
                return own(order, timeout, deadline, interruptible, missing);
            } catch (LockOrder.Changed again) {
                // The owner has what it had before this call.
            }
        }
    }

    /**
     * Locks each member for its owner, in that order. The members know how often the owner has them, so there is no count here
     * that could differ from theirs. Whatever ends this early, an Error included, leaves the owner with what it had before.
     */
    private boolean own(List<Integer> order, long timeout, long deadline, boolean interruptible, Missing missing)
            throws InterruptedException {
        Deque<LiveLock<?, ?>> owned = new ArrayDeque<>();
        boolean complete = false;
        BlockingAcquisition.Watch watch = null;
        try {
            for (int index : order) {
                LiveLock<?, ?> lock = locks.get(index);
                long left = Timeouts.left(locks.get(0).core, timeout, deadline);
                if (!lock.own(left, interruptible, watch)) {
                    missing.lock = lock;
                    return false;
                }
                owned.push(lock);
                watch = lockOrder.mayChange() ? lockOrder.watch(order) : null;
            }
            complete = true;
            return true;
        } finally {
            if (!complete) {
                unlockAll(owned);
            }
        }
    }

    @Override
    public void unlock() {
        List<LiveLock<?, ?>> lastFirst = new ArrayList<>(locks);
        Collections.reverse(lastFirst);
        RuntimeException failure = unlockAll(lastFirst);
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Unlocks each of them, whatever becomes of the others: a lock that was left locked because another one had been lost would
     * stay locked for as long as the thread lives.
     *
     * @return the first loss, or else the first other failure; null if there was none
     */
    private static @Nullable RuntimeException unlockAll(Iterable<LiveLock<?, ?>> locks) {
        RuntimeException failure = null;
        for (LiveLock<?, ?> lock : locks) {
            try {
                lock.unlock();
            } catch (RuntimeException thrown) {
                boolean tellsMore = thrown instanceof LockLostException && !(failure instanceof LockLostException);
                failure = failure == null || tellsMore ? thrown : failure;
            }
        }
        return failure;
    }

    @Override
    public MultiHold currentHold() {
        List<SingleHold> current = new ArrayList<>();
        for (LiveLock<?, ?> lock : locks) {
            current.add(lock.currentHold());
        }
        return new LiveMultiHold(List.copyOf(current));
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return holdCount() > 0;
    }

    @Override
    public int holdCount() {
        return locks.stream().mapToInt(LiveLock::holdCount).min().orElse(0);
    }

    private static void releaseAll(@Nullable SingleHold[] holds) {
        for (SingleHold hold : holds) {
            if (hold != null) {
                hold.close();
            }
        }
    }

    @Override
    @SuppressWarnings({"NullAway", "unchecked"}) // An endless wait never ends with null.
    public CompletableFuture<MultiHold> acquireAsync() {
        return (CompletableFuture<MultiHold>) (CompletableFuture<?>) async(Long.MAX_VALUE);
    }

    @Override
    public CompletableFuture<@Nullable MultiHold> tryAcquireAsync() {
        return async(0);
    }

    @Override
    public CompletableFuture<@Nullable MultiHold> tryAcquireAsync(Duration wait) {
        return async(Timeouts.nanos(wait));
    }

    private CompletableFuture<@Nullable MultiHold> async(long timeout) {
        return new AsyncMultiAcquisition(locks, lockOrder, timeout).start();
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(
            Function<? super MultiHold, ? extends CompletionStage<T>> body) {
        given(body, "body");
        return AsyncBody.call(locks.get(0).core.workers().callbacks(), acquireAsync(), body);
    }

    @Override
    public String toString() {
        return Arrays.toString(locks.toArray());
    }
}
