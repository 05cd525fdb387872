package io.lockkeeper.shell;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.engine.LatchStep;
import io.lockkeeper.engine.LatchWaiter;
import io.lockkeeper.engine.LatchWaiters;
import io.lockkeeper.engine.StoreReply;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.Moment;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The futures of the waiters for one latch in this process. Their {@link LatchWaiters} says what to do, and a {@link StepLoop}
 * does it. The keeper has a slot while somebody waits: it is made with the first waiter, and removed after the last.
 */
final class LatchSlot implements StepLoop.Steps {

    private final KeeperCore core;
    private final Resource resource;
    private final LatchStore store;
    private final StepLoop loop;
    private final ReentrantLock lock = new ReentrantLock();
    private final LatchWaiters waiters = new LatchWaiters();
    private final Map<LatchWaiter, CompletableFuture<Boolean>> futures = new HashMap<>();

    private LatchSlot(KeeperCore core, Resource resource, LatchStore store) {
        this.core = core;
        this.resource = resource;
        this.store = store;
        this.loop = new StepLoop(core, this);
    }

    /** Waits for a latch without a thread; the future says whether it opened in time. */
    static CompletableFuture<Boolean> await(KeeperCore core, Resource resource, LatchStore store, long timeout) {
        LatchWaiter waiter = new LatchWaiter(Timeouts.deadline(core.now(), timeout));
        CompletableFuture<Boolean> future = new CompletableFuture<>();
        // While the map's entry is locked: a slot that was just emptied is not removed with this waiter in it.
        LatchSlot slot = core.latches().compute(resource, (name, present) -> {
            LatchSlot entered = present == null ? new LatchSlot(core, name, store) : present;
            entered.arrive(waiter, future);
            return entered;
        });
        future.whenComplete((opened, thrown) -> slot.leave(waiter));
        if (core.isClosed()) {
            // It may have been closed after the caller looked and before this waiter was added.
            future.completeExceptionally(core.closedException());
        }
        try {
            slot.loop.wake();
        } catch (RuntimeException | Error notBegun) {
            future.completeExceptionally(notBegun);
        }
        return future;
    }

    private void arrive(LatchWaiter waiter, CompletableFuture<Boolean> future) {
        lock.lock();
        try {
            futures.put(waiter, future);
            waiters.arrive(waiter);
        } finally {
            lock.unlock();
        }
    }

    private void leave(LatchWaiter waiter) {
        lock.lock();
        try {
            waiters.leave(waiter);
            futures.remove(waiter);
        } finally {
            lock.unlock();
        }
        core.latches().computeIfPresent(resource, (name, present) -> present == this && isEmpty() ? null : present);
    }

    private boolean isEmpty() {
        lock.lock();
        try {
            return futures.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    void signal() {
        lock.lock();
        try {
            if (waiters.isEmpty()) {
                return;
            }
            waiters.signal();
        } finally {
            lock.unlock();
        }
        loop.wake();
    }

    @Override
    public long goOn(boolean due) {
        LatchStep step = next();
        while (step instanceof LatchStep.Poll) {
            StoreReply<LatchStore.State> reply = core.calls().call(resource, () -> store.state(resource, true));
            lock.lock();
            try {
                waiters.replied(core.now(), reply);
            } finally {
                lock.unlock();
            }
            step = next();
        }
        return ((LatchStep.Park) step).until();
    }

    /** Ends what is over, and says what to do next. */
    private LatchStep next() {
        Moment now = core.now();
        Map<LatchWaiter, CompletableFuture<Boolean>> over = new LinkedHashMap<>(0);
        LatchStep step;
        lock.lock();
        try {
            for (LatchWaiter ended : waiters.takeEnded(now)) {
                CompletableFuture<Boolean> future = futures.remove(ended);
                if (future != null) {
                    over.put(ended, future);
                }
            }
            step = waiters.next(now);
        } finally {
            lock.unlock();
        }
        over.forEach((ended, future) -> core.workers().callback(() -> complete(future, ended)));
        return step;
    }

    private void complete(CompletableFuture<Boolean> future, LatchWaiter ended) {
        RuntimeException silent = ended.failure();
        if (silent == null) {
            future.complete(ended.state() == LatchWaiter.State.OPENED);
        } else {
            future.completeExceptionally(new StoreUnavailableException(
                    "The store did not answer for " + resource + " (" + silent.getMessage() + ")", silent));
        }
    }

    @Override
    public void broken(Throwable unexpected) {
        endAll(unexpected);
    }

    void close() {
        endAll(core.closedException());
    }

    private void endAll(Throwable reason) {
        List<CompletableFuture<Boolean>> all;
        lock.lock();
        try {
            all = List.copyOf(futures.values());
        } finally {
            lock.unlock();
        }
        for (CompletableFuture<Boolean> future : all) {
            core.workers().callback(() -> future.completeExceptionally(reason));
        }
    }
}
