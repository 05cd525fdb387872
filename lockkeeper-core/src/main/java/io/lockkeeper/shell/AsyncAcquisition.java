package io.lockkeeper.shell;

import io.lockkeeper.KeeperListener;
import io.lockkeeper.engine.Acquisition;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Step;
import io.lockkeeper.engine.StoreReply;
import io.lockkeeper.engine.Waiter;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Moment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An acquisition without a thread of its own. Its {@link Acquisition}'s steps are taken by request workers, one at a time;
 * in between the timer or the engine wakes it. When the future is completed from outside, the waiter leaves the queue, and
 * a grant that arrives later is given back.
 */
final class AsyncAcquisition<H> {

    private final KeeperCore core;
    private final AcquireOptions order;
    private final Function<EngineHold, H> wrap;
    private final Moment begun;
    private final boolean endless;
    private final Acquisition acquisition;
    private final CompletableFuture<@Nullable H> future = new CompletableFuture<>();
    /** The wake-ups that were not attended to; the thread that makes it 1 has the steps taken. */
    private final AtomicInteger wakeUps = new AtomicInteger();

    private volatile boolean ended;
    private boolean toldWaiting;
    private KeeperTimer.@Nullable Alarm alarm;

    AsyncAcquisition(KeeperCore core, AcquireOptions order, long limit, Function<EngineHold, H> wrap) {
        this.core = core;
        this.order = order;
        this.wrap = wrap;
        this.begun = core.now();
        this.endless = limit == Long.MAX_VALUE;
        Waiter waiter = new Waiter(order.wish(), limit == 0, order.giveUpAfter(), null, this::wake);
        this.acquisition = new Acquisition(waiter, WaitTimes.deadlineOf(begun, limit));
    }

    CompletableFuture<@Nullable H> start() {
        ResourceSlot slot = core.enter(order.resource());
        try {
            if (core.isClosed()) {
                return CompletableFuture.failedFuture(core.closedException());
            }
            // With a timeout it ends by itself, and the thread that has it by lock() may unlock meanwhile.
            if (slot.waitsForItself(begun, order.wish().mode()) && endless) {
                return CompletableFuture.failedFuture(slot.waitsForItself());
            }
            acquisition.begin(slot.engine, begun);
        } finally {
            core.leave(slot, acquisition.waiter());
        }
        future.whenComplete((hold, failure) -> wakeIfFromOutside());
        try {
            wake();
        } catch (RuntimeException | Error notBegun) {
            stop();
            ended = true;
            future.completeExceptionally(notBegun);
        }
        return future;
    }

    private void wakeIfFromOutside() {
        if (!ended) {
            wake();
        }
    }

    private void wake() {
        if (wakeUps.getAndIncrement() != 0) {
            return;
        }
        boolean begun = false;
        try {
            core.workers().request(this::attend);
            begun = true;
        } finally {
            if (!begun) {
                // Otherwise no later wake-up would have a step taken either.
                wakeUps.set(0);
            }
        }
    }

    /** Takes steps until every wake-up was attended to. */
    private void attend() {
        int seen = wakeUps.get();
        do {
            try {
                goOn();
            } catch (RuntimeException | Error unexpected) {
                stop();
                end(() -> future.completeExceptionally(unexpected));
            }
            seen = wakeUps.addAndGet(-seen);
        } while (seen != 0);
    }

    private void goOn() {
        if (ended) {
            return;
        }
        core.alarms().cancel(alarm);
        Step step = next(null, null);
        while (step instanceof Step.Attempt attempt) {
            step = next(
                    attempt,
                    core.calls().call(order.resource(), () -> core.store().attempt(attempt.claim())));
        }
        if (step instanceof Step.Park park) {
            tellWaiting();
            if (park.until() != Long.MAX_VALUE) {
                alarm = core.alarms().at(park.until(), this::wake);
            }
        } else if (step instanceof Step.Served served) {
            end(() -> deliver(served.holding()));
        } else if (step instanceof Step.Failed failed) {
            end(() -> future.completeExceptionally(failed.failure()));
        } else {
            end(() -> {
                Listeners.tellGaveUp(core, order.resource(), begun);
                future.complete(null);
            });
        }
    }

    /** Reports what was answered, if anything, and says what to do next; what a cancelled future got is given back. */
    private Step next(Step.@Nullable Attempt attempt, @Nullable StoreReply<Answer> reply) {
        Moment now = core.now();
        EngineHold unwanted;
        boolean closed;
        ResourceSlot slot = core.enter(order.resource());
        try {
            if (attempt != null && reply != null) {
                acquisition.replied(slot.engine, now, attempt, reply);
            }
            closed = core.isClosed();
            if (!closed && !future.isDone()) {
                return acquisition.next(slot.engine, now);
            }
            unwanted = acquisition.stop(slot.engine, now);
        } finally {
            core.leave(slot, acquisition.waiter());
        }
        giveBack(unwanted);
        return closed ? new Step.Failed(core.closedException()) : Step.NotNow.NOT_NOW;
    }

    /** A caller that does not wait any more is not in the queue, and keeps no grant. */
    private void stop() {
        EngineHold unwanted;
        ResourceSlot slot = core.enter(order.resource());
        try {
            unwanted = acquisition.stop(slot.engine, core.now());
        } finally {
            core.leave(slot, acquisition.waiter());
        }
        giveBack(unwanted);
    }

    private void giveBack(@Nullable EngineHold unwanted) {
        if (unwanted != null) {
            core.returns().release(unwanted);
        }
    }

    private void deliver(EngineHold holding) {
        H hold = wrap.apply(holding);
        if (!future.complete(hold)) {
            core.workers().request(() -> core.returns().release(holding));
        }
    }

    private void end(Runnable completion) {
        ended = true;
        core.alarms().cancel(alarm);
        core.workers().callback(completion);
    }

    private void tellWaiting() {
        KeeperListener listener = core.settings().listener();
        if (listener != null && !toldWaiting) {
            toldWaiting = true;
            core.workers().callback(() -> listener.waiting(new Events.Waiting(order.resource())));
        }
    }
}
