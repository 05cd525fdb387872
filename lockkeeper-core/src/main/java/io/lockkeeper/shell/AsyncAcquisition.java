package io.lockkeeper.shell;

import io.lockkeeper.KeeperListener;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Step;
import io.lockkeeper.engine.Waiter;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who waits without a thread. Its turns run on the request workers, one at a time; in between the timer or the
 * engine wakes it. Whoever completes the future from outside leaves the queue, and what arrives later is given back.
 */
final class AsyncAcquisition<H> {

    private final KeeperCore core;
    private final AcquireOptions order;
    private final Function<EngineHold, H> wrap;
    private final Moment begun;
    private final boolean endless;
    private final long deadline;
    private final Waiter waiter;
    private final CompletableFuture<@Nullable H> future = new CompletableFuture<>();
    /** Counts wake-ups that were not seen to; whoever makes it 1 runs the turns. */
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
        this.deadline = limit == 0 ? Long.MAX_VALUE : BlockingAcquisition.deadline(begun, limit);
        this.waiter = new Waiter(order.wish(), limit == 0, order.giveUpAfter(), null, this::wake);
    }

    CompletableFuture<@Nullable H> start() {
        ResourceSlot slot = core.enter(order.resource());
        try {
            if (core.isClosed()) {
                return CompletableFuture.failedFuture(core.closedException());
            }
            // With a limit it ends by itself, and the thread that has it by lock() may unlock meanwhile.
            if (slot.waitsForItself(begun, order.wish().mode()) && endless) {
                return CompletableFuture.failedFuture(slot.waitsForItself());
            }
            slot.engine.arrive(begun, waiter);
        } finally {
            core.leave(slot, waiter);
        }
        future.whenComplete((hold, failure) -> wakeIfFromOutside());
        try {
            wake();
        } catch (RuntimeException | Error notBegun) {
            leave();
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
            core.workers().request(this::turns);
            begun = true;
        } finally {
            if (!begun) {
                // Else no later wake-up would begin the turns either.
                wakeUps.set(0);
            }
        }
    }

    private void turns() {
        int seen = wakeUps.get();
        do {
            try {
                turn();
            } catch (RuntimeException | Error unexpected) {
                leave();
                end(() -> future.completeExceptionally(unexpected));
            }
            seen = wakeUps.addAndGet(-seen);
        } while (seen != 0);
    }

    private void turn() {
        if (ended) {
            return;
        }
        core.alarms().cancel(alarm);
        Step step = next(null, null);
        while (step instanceof Step.Attempt attempt) {
            step = next(attempt, core.call(order.resource(), () -> core.store().attempt(attempt.claim())));
        }
        if (step instanceof Step.Park park) {
            tellWaiting();
            long until = Math.min(park.until(), deadline);
            if (until != Long.MAX_VALUE) {
                alarm = core.alarms().at(until, this::wake);
            }
        } else if (step instanceof Step.Served served) {
            end(() -> deliver(served.holding()));
        } else if (step instanceof Step.Failed failed) {
            end(() -> future.completeExceptionally(failed.failure()));
        } else {
            end(() -> {
                gaveUp();
                future.complete(null);
            });
        }
    }

    /** Tells the engine what was answered, if anything, and asks it for the next step. */
    private Step next(Step.@Nullable Attempt attempt, @Nullable StoreReply<Answer> reply) {
        Moment now = core.now();
        EngineHold unwanted = null;
        Step step;
        ResourceSlot slot = core.enter(order.resource());
        try {
            if (attempt != null && reply != null) {
                tell(slot, now, attempt, reply);
            }
            step = slot.engine.turn(now, waiter);
            boolean late = now.mono() >= deadline;
            boolean goesOn = !(step instanceof Step.Served) && !(step instanceof Step.Failed);
            if (future.isDone() || core.isClosed() || (late && goesOn)) {
                RuntimeException unavailable = slot.engine.silent() ? slot.engine.unavailable() : null;
                if (step instanceof Step.Attempt unsent) {
                    slot.engine.unsent(unsent.pending());
                }
                unwanted = slot.engine.leave(now, waiter);
                if (core.isClosed()) {
                    step = new Step.Failed(core.closedException());
                } else {
                    step = unavailable == null ? Step.NotNow.NOT_NOW : new Step.Failed(unavailable);
                }
            }
        } finally {
            core.leave(slot, waiter);
        }
        if (unwanted != null) {
            core.returns().release(unwanted);
        }
        return step;
    }

    private static void tell(ResourceSlot slot, Moment now, Step.Attempt attempt, StoreReply<Answer> reply) {
        Answer answer = reply.answer();
        RuntimeException failure = reply.failure();
        if (answer != null) {
            slot.engine.answered(now, attempt.pending(), attempt.claim(), reply.sentAt(), answer);
        } else if (failure != null) {
            slot.engine.failed(now, attempt.pending(), failure);
        }
    }

    /** Nobody stays in the queue who does not wait any more. */
    private void leave() {
        ResourceSlot slot = core.enter(order.resource());
        EngineHold unwanted;
        try {
            unwanted = slot.engine.leave(core.now(), waiter);
        } finally {
            core.leave(slot, waiter);
        }
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

    private void gaveUp() {
        KeeperListener listener = core.settings().listener();
        if (listener != null) {
            Duration waited = Duration.ofNanos(core.now().mono() - begun.mono());
            Listeners.tell(listener, told -> told.gaveUp(new Events.GaveUp(order.resource(), waited)));
        }
    }
}
