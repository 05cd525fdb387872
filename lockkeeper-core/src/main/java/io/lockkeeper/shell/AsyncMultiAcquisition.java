package io.lockkeeper.shell;

import io.lockkeeper.MultiHold;
import io.lockkeeper.SingleHold;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.engine.KeeperPolicy;
import io.lockkeeper.spi.Moment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The acquisition of several locks without a thread: one lock after the other, in the order of {@link LockOrder}. */
final class AsyncMultiAcquisition {

    private final List<LiveLock<?, ?>> locks;
    private final LockOrder lockOrder;
    private final KeeperCore core;
    private final long timeout;
    private final Moment begun;
    private final long deadline;
    private final AcquisitionSite place = new AcquisitionSite();
    private final CompletableFuture<@Nullable MultiHold> result = new CompletableFuture<>();

    AsyncMultiAcquisition(List<LiveLock<?, ?>> locks, LockOrder lockOrder, long timeout) {
        this.locks = locks;
        this.lockOrder = lockOrder;
        this.core = locks.get(0).core;
        this.timeout = timeout;
        this.begun = core.now();
        this.deadline = Timeouts.deadline(begun, timeout);
    }

    CompletableFuture<@Nullable MultiHold> start() {
        begin();
        return result;
    }

    private void begin() {
        AsyncRequests.call(core, lockOrder::now).whenComplete((order, thrown) -> {
            if (thrown == null) {
                new Turn(order).next(0);
            } else if (thrown instanceof StoreUnavailableException
                    && !LiveMultiLock.givesUp(locks, timeout, begun, deadline)) {
                if (!result.isDone()) {
                    // Not on the timer: if the keeper was closed, the application's future is completed in there.
                    core.alarms()
                            .in(
                                    KeeperPolicy.MULTI_LOCK_RETRY,
                                    () -> core.workers().callback(this::begin));
                }
            } else {
                result.completeExceptionally(thrown);
            }
        });
    }

    /** One pass over the locks; it begins anew if their order changes. */
    private final class Turn {
        private final List<Integer> order;
        private final SingleHold[] holds = new SingleHold[locks.size()];
        private volatile boolean orderChanged;
        /** Why the order could not be looked at any more; the wait ends with it, as that of a thread does. */
        private volatile @Nullable Throwable unwatched;

        Turn(List<Integer> order) {
            this.order = order;
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
                    lock.async(lock.order, Timeouts.left(core, timeout, deadline), place);
            result.whenComplete((hold, thrown) -> one.cancel(false));
            if (taken > 0 && timeout != 0 && lockOrder.mayChange()) {
                watchOrder(one);
            }
            one.whenComplete((hold, thrown) -> {
                if (hold != null) {
                    holds[index] = hold;
                    next(taken + 1);
                } else {
                    giveBack();
                    if (orderChanged && !result.isDone()) {
                        begin();
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
            core.alarms().in(KeeperPolicy.MULTI_LOCK_ORDER_CHECK, () -> {
                if (one.isDone()) {
                    return;
                }
                AsyncRequests.call(core, () -> lockOrder.isOtherThan(order)).whenComplete((other, thrown) -> {
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
}
