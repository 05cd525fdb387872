package io.lockkeeper.shell;

import io.lockkeeper.KeeperEvent;
import io.lockkeeper.engine.Acquisition;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Owners;
import io.lockkeeper.engine.Step;
import io.lockkeeper.engine.StoreReply;
import io.lockkeeper.engine.Waiter;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Moment;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An acquisition without a thread of its own: a {@link StepLoop} takes the steps of its {@link Acquisition}. When the future is
 * completed from outside, the waiter leaves the queue, and a grant that arrives later is given back.
 */
final class AsyncAcquisition<H> implements StepLoop.Steps {

    private final KeeperCore core;
    private final AcquireOptions order;
    private final Function<EngineHold, H> wrap;
    private final Moment begun;
    private final boolean endless;
    private final Acquisition acquisition;
    private final @Nullable Owned<H> owned;
    private final CompletableFuture<@Nullable H> future = new CompletableFuture<>();
    private final StepLoop loop;

    private volatile boolean ended;
    /** Whether the owner had it already and nests. */
    private boolean nested;

    private @Nullable AcquisitionReport report;

    AsyncAcquisition(KeeperCore core, AcquireOptions order, long timeout, Function<EngineHold, H> wrap) {
        this(core, order, timeout, wrap, null);
    }

    /** @param owned how it nests; null if it does not */
    AsyncAcquisition(
            KeeperCore core,
            AcquireOptions order,
            long timeout,
            Function<EngineHold, H> wrap,
            @Nullable Owned<H> owned) {
        this.core = core;
        this.order = order;
        this.wrap = wrap;
        this.begun = core.now();
        this.endless = timeout == Long.MAX_VALUE;
        this.owned = owned;
        Object owner = owned == null ? null : owned.owner();
        this.loop = new StepLoop(core, this);
        Waiter waiter = new Waiter(order.request(), timeout == 0, order.giveUpAfter(), owner, loop::wake);
        this.acquisition = new Acquisition(waiter, Timeouts.deadlineOf(begun, timeout));
    }

    /** An acquisition on behalf of an owner that may have the resource already. */
    interface Owned<H> {

        Object owner();

        /** Nests the owner if it has the resource; called with the slot's lock held. */
        Owners.Nesting nest(ResourceSlot slot, Moment now);

        /** What the future is completed with if it nested. */
        H nested();

        /** Undoes one level, because nobody waits for it any more. */
        void undo();
    }

    CompletableFuture<@Nullable H> start() {
        report = AcquisitionReport.begin(core, order, begun);
        RuntimeException refusal = arrive();
        if (refusal != null) {
            reportFailed(refusal);
            return CompletableFuture.failedFuture(refusal);
        }
        future.whenComplete((hold, failure) -> wakeIfFromOutside());
        try {
            loop.wake();
        } catch (RuntimeException | Error notBegun) {
            stop();
            ended = true;
            reportFailed(notBegun);
            future.completeExceptionally(notBegun);
        }
        return future;
    }

    /** @return why it is refused at once; null if it waits now */
    private @Nullable RuntimeException arrive() {
        ResourceSlot slot = core.enter(order.resource());
        try {
            // An owner that nests is told so in its first step.
            if (owned == null ? core.refusesNew() : core.isClosed()) {
                return core.refusal();
            }
            // With a timeout it ends by itself, and the thread that has it by lock() may unlock meanwhile.
            if (owned == null && slot.waitsForItself(begun, order.request().mode()) && endless) {
                return slot.waitsForItself();
            }
            acquisition.begin(slot.engine, begun);
        } finally {
            core.leave(slot, acquisition.waiter());
        }
        return null;
    }

    private void reportFailed(Throwable failure) {
        if (report != null) {
            report.failed(failure);
        }
    }

    private void wakeIfFromOutside() {
        if (!ended) {
            loop.wake();
        }
    }

    @Override
    public long goOn(boolean due) {
        if (ended) {
            return Long.MAX_VALUE;
        }
        boolean polls = due;
        Step step = next(null, null);
        while (step instanceof Step.Attempt attempt) {
            step = next(
                    attempt,
                    core.calls().call(order.resource(), () -> core.store().attempt(attempt.claim())));
            if (polls && report != null) {
                report.polled(false);
            }
            polls = false;
        }
        AcquisitionReport told = report;
        if (step instanceof Step.Park park) {
            if (told != null) {
                told.waiting(false);
            }
            return park.until();
        } else if (step instanceof Step.Served served) {
            if (told != null) {
                told.served(served.holding());
            }
            end(() -> deliver(served.holding()));
        } else if (step instanceof Step.Failed failed) {
            endWith(failed.failure());
        } else if (nested && owned != null) {
            Owned<H> owner = owned;
            end(() -> {
                if (told != null) {
                    told.nested();
                }
                if (!future.complete(owner.nested())) {
                    core.workers().request(owner::undo);
                }
            });
        } else {
            boolean cancelled = future.isDone();
            end(() -> {
                if (told != null) {
                    told.gaveUp(cancelled ? KeeperEvent.GaveUp.Cause.CANCELLED : KeeperEvent.GaveUp.Cause.TIMEOUT);
                }
                future.complete(null);
            });
        }
        return Long.MAX_VALUE;
    }

    @Override
    public void broken(Throwable unexpected) {
        stop();
        endWith(unexpected);
    }

    private void endWith(Throwable failure) {
        end(() -> {
            reportFailed(failure);
            future.completeExceptionally(failure);
        });
    }

    /** Reports what was answered, if anything, and says what to do next; what a cancelled future got is given back. */
    private Step next(Step.@Nullable Attempt attempt, @Nullable StoreReply<Answer> reply) {
        Moment now = core.now();
        EngineHold unwanted;
        boolean refused;
        Owners.Nesting nesting = Owners.Nesting.ACQUIRE;
        IllegalStateException never = null;
        ResourceSlot slot = core.enter(order.resource());
        try {
            if (attempt != null && reply != null) {
                acquisition.replied(slot.engine, now, attempt, reply);
            }
            refused = core.isClosed();
            if (!refused && !future.isDone()) {
                nesting = owned == null ? nesting : owned.nest(slot, now);
                refused = nesting == Owners.Nesting.ACQUIRE && core.refusesNew();
                if (nesting == Owners.Nesting.ACQUIRE && !refused) {
                    return acquisition.next(slot.engine, now);
                }
                never = nesting == Owners.Nesting.NEVER ? slot.owners.readsAlready() : null;
            }
            unwanted = acquisition.stop(slot.engine, now);
        } finally {
            core.leave(slot, acquisition.waiter());
        }
        giveBack(unwanted);
        nested = nesting == Owners.Nesting.NESTED;
        if (endless && never != null) {
            return new Step.Failed(never);
        }
        return refused ? new Step.Failed(core.refusal()) : Step.NotNow.NOT_NOW;
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
        H hold;
        try {
            hold = wrap.apply(holding);
        } catch (RuntimeException | Error thrown) {
            // An owner that reads by now, for example. Somebody waits for this future; the grant is for nobody.
            if (AcquisitionReport.of(holding) != null) {
                reportFailed(thrown);
            }
            core.workers().request(() -> LiveHold.drop(core, holding));
            future.completeExceptionally(thrown);
            return;
        }
        if (!future.complete(hold)) {
            core.workers().request(owned == null ? () -> LiveHold.drop(core, holding) : owned::undo);
        }
    }

    private void end(Runnable completion) {
        ended = true;
        core.workers().callback(completion);
    }
}
