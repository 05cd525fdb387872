package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.LockLostException;
import io.lockkeeper.MultiHold;
import io.lockkeeper.MultiLock;
import io.lockkeeper.Overdue;
import io.lockkeeper.OwnedLock;
import io.lockkeeper.Resource;
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
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Several locks as one.
 *
 * <p><b>Invariant.</b> Everybody takes locks in the same order, by name, family and the id that the store itself carries;
 * so among those who hold some and wait for others, one always holds the last lock that anybody has, and nobody waits in
 * a circle. Ordering by address would break it: two processes may know the same two stores under swapped names.
 *
 * <p>A store may lose its id, as by a flush, and get another one. So the ids are what the stores say <em>now</em>: they are asked
 * for each acquisition, and a wait that holds something already asks again every two seconds. If the order is another one, it gives
 * back what it has and begins anew. What would break it otherwise: a process holds {@code n} on store A and waits for it on
 * store B, in the order A, B. B is flushed; a new process reads another id, takes {@code n} on B first and waits for A. Both renew
 * what they hold, so nothing would ever end that. With it, all that wait know the same ids two seconds later, and the circle
 * opens.
 */
final class LiveMultiLock implements MultiLock {

    private final List<LiveLock<?, ?>> locks;
    private final Set<Resource> ties;

    LiveMultiLock(List<LiveLock<?, ?>> locks) {
        this.locks = locks;
        this.ties = ties(locks);
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

    /**
     * Indexes of the locks in the order in which everybody takes them. The stores' ids are needed only for what several keepers
     * have under one name; all else is told apart by name and family.
     */
    private List<Integer> order() {
        record Place(String name, String family, String store, int index) {}
        List<Place> places = new ArrayList<>();
        Set<Object> known = new HashSet<>();
        Map<KeeperCore, String> ids = new HashMap<>();
        for (int i = 0; i < locks.size(); i++) {
            Resource resource = locks.get(i).order.resource();
            String store = ties.contains(resource) ? ids.computeIfAbsent(locks.get(i).core, KeeperCore::storeId) : "";
            if (!known.add(List.of(store, resource))) {
                throw new IllegalArgumentException(
                        resource + " is named twice in a multi-lock, by two keepers of the same store; name it once");
            }
            places.add(new Place(resource.name(), resource.family().key(), store, i));
        }
        places.sort(
                Comparator.comparing(Place::name).thenComparing(Place::family).thenComparing(Place::store));
        return places.stream().map(Place::index).toList();
    }

    /** What several keepers have under one name. */
    private static Set<Resource> ties(List<LiveLock<?, ?>> locks) {
        Set<Resource> once = new HashSet<>();
        Set<Resource> twice = new HashSet<>();
        for (LiveLock<?, ?> lock : locks) {
            if (!once.add(lock.order.resource())) {
                twice.add(lock.order.resource());
            }
        }
        return twice;
    }

    /** Whether the stores say now that the locks are to be taken in another order; no if they do not answer. */
    private boolean isOtherThan(List<Integer> order) {
        try {
            return !order().equals(order);
        } catch (StoreUnavailableException silent) {
            return false;
        }
    }

    /** The order has changed since the first lock was taken: all are given back, and it begins anew. */
    private static final class OrderChanged extends RuntimeException {
        private static final long serialVersionUID = 1;

        OrderChanged() {
            super("The order of the locks has changed", null, false, false);
        }
    }

    /** Looks at the order while a thread waits that holds some of the locks already. */
    private final class OrderWatch implements BlockingAcquisition.Watch {
        private final List<Integer> order;
        private long next = Long.MAX_VALUE;

        OrderWatch(List<Integer> order) {
            this.order = order;
        }

        @Override
        public long due(Moment now) {
            if (next == Long.MAX_VALUE) {
                next = now.mono() + KeeperPolicy.MULTI_LOCK_ORDER_CHECK.toNanos();
            }
            return next;
        }

        @Override
        public void look(Moment now) {
            if (now.mono() < next) {
                return;
            }
            next = Long.MAX_VALUE;
            if (isOtherThan(order)) {
                throw new OrderChanged();
            }
        }
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
            } catch (OrderChanged again) {
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
                watch = ties.isEmpty() ? null : new OrderWatch(order);
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
                return order();
            } catch (StoreUnavailableException silent) {
                if (givesUp(timeout, begun, deadline)) {
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

    private boolean givesUp(long timeout, Moment begun, long deadline) {
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
            } catch (OrderChanged again) {
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
                watch = ties.isEmpty() ? null : new OrderWatch(order);
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
        CompletableFuture<@Nullable MultiHold> result = new CompletableFuture<>();
        Moment begun = locks.get(0).core.now();
        beginAsync(timeout, begun, Timeouts.deadline(begun, timeout), result, new AcquisitionSite());
        return result;
    }

    private void beginAsync(
            long timeout,
            Moment begun,
            long deadline,
            CompletableFuture<@Nullable MultiHold> result,
            AcquisitionSite place) {
        KeeperCore core = locks.get(0).core;
        AsyncRequests.call(core, this::order).whenComplete((order, thrown) -> {
            if (thrown == null) {
                new Taking(timeout, begun, deadline, order, result, place).next(0);
            } else if (thrown instanceof StoreUnavailableException && !givesUp(timeout, begun, deadline)) {
                if (!result.isDone()) {
                    // Not on the timer: if the keeper was closed, the application's future is completed in there.
                    core.alarms()
                            .in(
                                    KeeperPolicy.MULTI_LOCK_RETRY,
                                    () -> core.workers()
                                            .callback(() -> beginAsync(timeout, begun, deadline, result, place)));
                }
            } else {
                result.completeExceptionally(thrown);
            }
        });
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(
            Function<? super MultiHold, ? extends CompletionStage<T>> body) {
        given(body, "body");
        return AsyncBody.call(locks.get(0).core.workers().callbacks(), acquireAsync(), body);
    }

    /** One lock after the other, without a thread. */
    private final class Taking {
        private final long timeout;
        private final Moment begun;
        private final long deadline;
        private final List<Integer> order;
        private final CompletableFuture<@Nullable MultiHold> result;
        private final AcquisitionSite place;
        private final SingleHold[] holds = new SingleHold[locks.size()];
        private volatile boolean orderChanged;
        /** Why the order could not be looked at any more; the wait ends with it, as that of a thread does. */
        private volatile @Nullable Throwable unwatched;

        Taking(
                long timeout,
                Moment begun,
                long deadline,
                List<Integer> order,
                CompletableFuture<@Nullable MultiHold> result,
                AcquisitionSite place) {
            this.timeout = timeout;
            this.begun = begun;
            this.deadline = deadline;
            this.order = order;
            this.result = result;
            this.place = place;
        }

        void next(int taken) {
            if (taken == order.size()) {
                if (!result.complete(new LiveMultiHold(List.of(holds)))) {
                    giveBack();
                }
                return;
            }
            int index = order.get(taken);
            LiveLock<?, ?> lock = locks.get(index);
            CompletableFuture<? extends @Nullable SingleHold> one =
                    lock.async(lock.order, Timeouts.left(locks.get(0).core, timeout, deadline), place);
            result.whenComplete((hold, thrown) -> one.cancel(false));
            if (taken > 0 && timeout != 0 && !ties.isEmpty()) {
                watchOrder(one);
            }
            one.whenComplete((hold, thrown) -> {
                if (hold != null) {
                    holds[index] = hold;
                    next(taken + 1);
                } else {
                    giveBack();
                    if (orderChanged && !result.isDone()) {
                        beginAsync(timeout, begun, deadline, result, place);
                    } else if (thrown == null) {
                        result.complete(null);
                    } else {
                        Throwable cause = unwatched;
                        result.completeExceptionally(cause == null ? thrown : cause);
                    }
                }
            });
        }

        /** Looks at the order while it waits for one lock and holds others. */
        private void watchOrder(CompletableFuture<?> one) {
            KeeperCore core = locks.get(0).core;
            core.alarms().in(KeeperPolicy.MULTI_LOCK_ORDER_CHECK, () -> {
                if (one.isDone()) {
                    return;
                }
                AsyncRequests.call(core, () -> isOtherThan(order)).whenComplete((other, thrown) -> {
                    if (thrown == null && other) {
                        orderChanged = true;
                        one.cancel(false);
                    } else if (thrown == null) {
                        watchOrder(one);
                    } else {
                        // Waiting on without looking could be waiting in a circle.
                        unwatched = thrown;
                        one.cancel(false);
                    }
                });
            });
        }

        private void giveBack() {
            for (SingleHold hold : holds) {
                if (hold != null) {
                    hold.releaseAsync();
                }
            }
        }
    }

    @Override
    public String toString() {
        return Arrays.toString(locks.toArray());
    }
}
