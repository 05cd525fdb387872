package io.lockkeeper.shell;

import io.lockkeeper.KeeperListener;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Owners;
import io.lockkeeper.engine.ResourceEngine;
import io.lockkeeper.engine.Step;
import io.lockkeeper.engine.Waiter;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that acquires and waits with its own body: it does its own requests, and parks in between. Nobody hops
 * between threads, which is most of what an uncontended lock would cost otherwise.
 *
 * <p><b>Invariant.</b> A wake-up that comes after a turn is followed by another turn. The thread's own permit to pass a park
 * does not keep that: between the turn and the park it may go through other locks, or a listener's code, and any park in
 * there would use the permit up. So a wake-up leaves a mark first, which is taken away before the next turn.
 */
final class BlockingAcquisition {

    private final KeeperCore core;
    private final AcquireOptions order;
    private final boolean endless;
    private final long deadline;
    private final boolean interruptible;
    private final @Nullable Object owner;
    private final Waiter waiter;
    private final Moment begun;
    private final SelfDeadlockCheck selfWait;
    private final @Nullable Watch watch;
    private volatile boolean woken;
    private boolean interrupted;
    private boolean nested;
    private boolean toldWaiting;

    /**
     * @param limit nanoseconds to wait; 0 asks once, {@link Long#MAX_VALUE} waits forever
     * @param owner who nests, if anybody
     */
    BlockingAcquisition(
            KeeperCore core, AcquireOptions order, long limit, boolean interruptible, @Nullable Object owner) {
        this(core, order, limit, interruptible, owner, null);
    }

    /** @param watch looks now and then while this waits; null for nothing to look at */
    BlockingAcquisition(
            KeeperCore core,
            AcquireOptions order,
            long limit,
            boolean interruptible,
            @Nullable Object owner,
            @Nullable Watch watch) {
        Thread me = Thread.currentThread();
        this.core = core;
        this.order = order;
        this.interruptible = interruptible;
        this.owner = owner;
        this.begun = core.now();
        this.endless = limit == Long.MAX_VALUE;
        // Whoever asks once is told by the engine when that is over.
        this.deadline = limit == 0 ? Long.MAX_VALUE : deadline(begun, limit);
        this.waiter =
                new Waiter(order.wish(), limit == 0, order.giveUpAfter(), owner, HostInfo.name(me), () -> wake(me));
        this.selfWait = new SelfDeadlockCheck(core, order.resource());
        this.watch = watch;
    }

    /** Something to look at while a thread waits, on that thread and without any lock of the keeper. */
    interface Watch {
        /** When to look next, on the monotonic clock. */
        long due(Moment now);

        /** Looks, if it is time; whatever it throws ends the wait. */
        void look(Moment now);
    }

    private void wake(Thread me) {
        woken = true;
        LockSupport.unpark(me);
    }

    static long deadline(Moment now, long limit) {
        long deadline = now.mono() + limit;
        return limit == Long.MAX_VALUE || deadline < now.mono() ? Long.MAX_VALUE : deadline;
    }

    /** Whether the owner had it already, so that nothing was acquired. */
    boolean nested() {
        return nested;
    }

    /** @return what was acquired; null if not in time, or if it is {@link #nested} */
    @Nullable
    EngineHold run() throws InterruptedException {
        if (interruptible && Thread.interrupted()) {
            throw new InterruptedException();
        }
        boolean ended = false;
        try {
            Step step = begin();
            while (true) {
                if (step instanceof Step.Served served) {
                    ended = true;
                    return served.holding();
                } else if (step instanceof Step.Attempt attempt) {
                    step = attempt(attempt);
                } else if (step instanceof Step.Park park) {
                    step = park(park);
                } else if (step instanceof Step.Failed failed) {
                    throw failed.failure();
                } else {
                    ended = true;
                    gaveUp();
                    return null;
                }
            }
        } finally {
            if (!ended) {
                // Whatever was thrown: nobody stays in the queue who does not wait any more.
                giveBack(leave());
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Step begin() {
        ResourceSlot slot = core.enter(order.resource());
        try {
            if (core.isClosed()) {
                throw core.closedException();
            }
            if (nests(slot, begun)) {
                return Step.NotNow.NOT_NOW;
            }
            if (owner == null && slot.waitsForItself(begun, order.wish().mode())) {
                if (endless) {
                    throw slot.waitsForItself();
                }
                return Step.NotNow.NOT_NOW;
            }
            slot.engine.arrive(begun, waiter);
            return slot.engine.turn(begun, waiter);
        } finally {
            core.leave(slot, waiter);
        }
    }

    /**
     * Whether there is nothing to wait for: the owner has it and nests, or has what excludes it, so that waiting could not
     * help. Only a wait without a limit fails then, since it would never end.
     */
    private boolean nests(ResourceSlot slot, Moment now) {
        if (owner == null) {
            return false;
        }
        slot.settle(now, owner);
        Owners.Nesting nesting = slot.owners.nest(now, owner, order.wish().mode(), LiveLock.threadOf(owner));
        nested = nesting == Owners.Nesting.NESTED;
        if (nesting == Owners.Nesting.NEVER && endless) {
            throw slot.owners.readsAlready();
        }
        return nesting != Owners.Nesting.ACQUIRE;
    }

    private Step attempt(Step.Attempt attempt) throws InterruptedException {
        StoreReply<Answer> reply =
                core.call(order.resource(), () -> core.store().attempt(attempt.claim()));
        Answer answer = reply.answer();
        RuntimeException failure = reply.failure();
        Error error = reply.error();
        boolean leaving = interruptible && Thread.interrupted();
        boolean closed = false;
        woken = false;
        Moment now = core.now();
        ResourceSlot slot = core.enter(order.resource());
        Step step = Step.Park.UNTIL_WOKEN;
        try {
            if (answer != null) {
                slot.engine.answered(now, attempt.pending(), attempt.claim(), reply.sentAt(), answer);
            } else if (failure != null) {
                slot.engine.failed(now, attempt.pending(), failure);
            }
            closed = core.isClosed();
            if (!leaving && !closed && error == null) {
                step = nests(slot, now) ? leaveInstead(slot, now) : slot.engine.turn(now, waiter);
            }
            if (step instanceof Step.Attempt again && now.mono() >= deadline) {
                // The store said to ask at once, but time is over: the next step finds that.
                slot.engine.unsent(again.pending());
                step = new Step.Park(deadline);
            }
        } finally {
            core.leave(slot, waiter);
        }
        if (error != null) {
            throw error;
        }
        if (leaving) {
            gaveUp();
            throw new InterruptedException();
        }
        if (closed) {
            throw core.closedException();
        }
        return step;
    }

    private Step park(Step.Park park) throws InterruptedException {
        tellWaiting();
        Moment now = core.now();
        long until = Math.min(Math.min(park.until(), deadline), selfWait.due(now));
        until = watch == null ? until : Math.min(until, watch.due(now));
        if (!woken && until > now.mono()) {
            core.clocks().park(this, until);
        }
        if (Thread.interrupted()) {
            if (interruptible) {
                gaveUp();
                throw new InterruptedException();
            }
            interrupted = true;
        }
        now = core.now();
        selfWait.check(now);
        if (watch != null) {
            watch.look(now);
            now = core.now();
        }
        woken = false;
        return now.mono() >= deadline ? timeOut(now) : turn(now);
    }

    private Step turn(Moment now) {
        ResourceSlot slot = core.enter(order.resource());
        try {
            return nests(slot, now) ? leaveInstead(slot, now) : slot.engine.turn(now, waiter);
        } finally {
            core.leave(slot, waiter);
        }
    }

    /** Another thread of the same owner got it first: this one nests, or can never get it, and leaves the queue. */
    private Step leaveInstead(ResourceSlot slot, Moment now) {
        EngineHold besides = slot.engine.leave(now, waiter);
        if (besides != null) {
            core.workers().request(() -> core.returns().release(besides));
        }
        return Step.NotNow.NOT_NOW;
    }

    private @Nullable EngineHold leave() {
        ResourceSlot slot = core.enter(order.resource());
        try {
            return slot.engine.leave(core.now(), waiter);
        } finally {
            core.leave(slot, waiter);
        }
    }

    private void giveBack(@Nullable EngineHold unwanted) {
        if (unwanted != null) {
            core.returns().release(unwanted);
        }
    }

    private Step timeOut(Moment now) {
        ResourceSlot slot = core.enter(order.resource());
        try {
            ResourceEngine engine = slot.engine;
            Step step = engine.turn(now, waiter);
            if (step instanceof Step.Served || step instanceof Step.Failed) {
                return step;
            }
            boolean silent = engine.silent();
            RuntimeException unavailable = silent ? engine.unavailable() : null;
            if (step instanceof Step.Attempt attempt) {
                // Not sent: this waiter is gone before it could be.
                engine.unsent(attempt.pending());
            }
            engine.leave(now, waiter);
            return unavailable == null ? Step.NotNow.NOT_NOW : new Step.Failed(unavailable);
        } finally {
            core.leave(slot, waiter);
        }
    }

    private void tellWaiting() {
        KeeperListener listener = core.settings().listener();
        if (listener != null && !toldWaiting) {
            toldWaiting = true;
            Listeners.tell(listener, told -> told.waiting(new Events.Waiting(order.resource())));
        }
    }

    private void gaveUp() {
        KeeperListener listener = core.settings().listener();
        if (listener != null && !nested) {
            Duration waited = Duration.ofNanos(core.now().mono() - begun.mono());
            Listeners.tell(listener, told -> told.gaveUp(new Events.GaveUp(order.resource(), waited)));
        }
    }
}
