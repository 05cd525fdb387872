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
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A blocking acquisition: the caller's thread sends its own requests and parks in between, as its {@link Acquisition} says. No
 * request changes threads, which is most of what an uncontended lock would cost otherwise.
 *
 * <p><b>Invariant.</b> A wake-up that comes after a step was taken is followed by another step. The thread's own permit to pass
 * a park does not ensure that: between the step and the park the thread may go through other locks, or a listener's code, and
 * any park in there would use up the permit. So a wake-up sets a flag first, which is cleared before the next step.
 */
final class BlockingAcquisition {

    private final KeeperCore core;
    private final AcquireOptions order;
    private final boolean endless;
    private final boolean interruptible;
    private final @Nullable Object owner;
    private final Acquisition acquisition;
    private final Moment begun;
    private final @Nullable Watch watch;
    private @Nullable SelfDeadlockCheck selfWait;
    private volatile boolean woken;
    private boolean interrupted;
    private boolean nested;
    /** Whether the next request is sent because its time has come, and not because of a wake-up. */
    private boolean polls;

    private @Nullable AcquisitionReport report;

    /**
     * @param timeout nanoseconds to wait; 0 for a single attempt, {@link Long#MAX_VALUE} for no timeout
     * @param owner the owner that nests, if there is one
     */
    BlockingAcquisition(
            KeeperCore core, AcquireOptions order, long timeout, boolean interruptible, @Nullable Object owner) {
        this(core, order, timeout, interruptible, owner, null);
    }

    /** @param watch is called now and then while the thread waits; null for none */
    BlockingAcquisition(
            KeeperCore core,
            AcquireOptions order,
            long timeout,
            boolean interruptible,
            @Nullable Object owner,
            @Nullable Watch watch) {
        Thread me = Thread.currentThread();
        this.core = core;
        this.order = order;
        this.interruptible = interruptible;
        this.owner = owner;
        this.begun = core.now();
        this.endless = timeout == Long.MAX_VALUE;
        Waiter waiter = new Waiter(
                order.request(), timeout == 0, order.giveUpAfter(), owner, HostInfo.name(me), () -> wake(me));
        this.acquisition = new Acquisition(waiter, Timeouts.deadlineOf(begun, timeout));
        this.watch = watch;
    }

    /** Something to check while a thread waits, on that thread and without any lock of the keeper. */
    interface Watch {
        /** When to check next, on the monotonic clock. */
        long due(Moment now);

        /** Checks, if it is time; whatever this throws ends the wait. */
        void look(Moment now);
    }

    private void wake(Thread me) {
        woken = true;
        LockSupport.unpark(me);
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
        report = AcquisitionReport.begin(core, order, begun);
        return report == null ? takeSteps() : takeSteps(report);
    }

    private @Nullable EngineHold takeSteps(AcquisitionReport report) throws InterruptedException {
        EngineHold holding;
        try {
            holding = takeSteps();
        } catch (InterruptedException interrupt) {
            report.gaveUp(KeeperEvent.GaveUp.Cause.INTERRUPTED);
            throw interrupt;
        } catch (RuntimeException | Error failure) {
            report.failed(failure);
            throw failure;
        }
        if (holding != null) {
            report.served(holding);
        } else if (nested) {
            report.nested();
        } else {
            report.gaveUp(KeeperEvent.GaveUp.Cause.TIMEOUT);
        }
        return holding;
    }

    private @Nullable EngineHold takeSteps() throws InterruptedException {
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
                    return null;
                }
            }
        } finally {
            if (!ended) {
                // Whatever was thrown: a caller that does not wait any more is not in the queue, and keeps no grant.
                stop();
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
            if (core.refusesNew()) {
                throw core.refusal();
            }
            if (owner == null && slot.waitsForItself(begun, order.request().mode())) {
                if (endless) {
                    throw slot.waitsForItself();
                }
                return Step.NotNow.NOT_NOW;
            }
            acquisition.begin(slot.engine, begun);
            return acquisition.next(slot.engine, begun);
        } finally {
            core.leave(slot, acquisition.waiter());
        }
    }

    /**
     * Whether there is nothing to wait for: the owner has the resource and nests, or has a hold that excludes this one, so
     * that waiting could not help. Only a wait without a timeout fails then, since it would never end.
     */
    private boolean nests(ResourceSlot slot, Moment now) {
        if (owner == null) {
            return false;
        }
        slot.settle(now, owner);
        Owners.Nesting nesting = slot.owners.nest(now, owner, order.request().mode(), LiveLock.threadOf(owner));
        nested = nesting == Owners.Nesting.NESTED;
        if (nesting == Owners.Nesting.NEVER && endless) {
            throw slot.owners.readsAlready();
        }
        return nesting != Owners.Nesting.ACQUIRE;
    }

    private Step attempt(Step.Attempt attempt) throws InterruptedException {
        StoreReply<Answer> reply =
                core.calls().call(order.resource(), () -> core.store().attempt(attempt.claim()));
        boolean stops = interruptible && Thread.interrupted();
        woken = false;
        Moment now = core.now();
        Step step = null;
        ResourceSlot slot = core.enter(order.resource());
        try {
            // First, and whatever comes after it: see the driver's first invariant.
            acquisition.replied(slot.engine, now, attempt, reply);
            Error error = reply.error();
            if (error != null) {
                throw error;
            }
            if (!stops) {
                if (core.refusesNew()) {
                    throw core.refusal();
                }
                step = next(slot, now);
            }
        } finally {
            core.leave(slot, acquisition.waiter());
        }
        if (polls && report != null) {
            report.polled(true);
        }
        polls = false;
        if (step == null) {
            throw new InterruptedException();
        }
        return step;
    }

    private Step park(Step.Park park) throws InterruptedException {
        if (report != null) {
            report.waiting(true);
        }
        Moment now = core.now();
        SelfDeadlockCheck ownHold = selfWait;
        if (ownHold == null) {
            ownHold = new SelfDeadlockCheck(core, order.resource());
            selfWait = ownHold;
        }
        long until = Math.min(park.until(), ownHold.due(now));
        until = watch == null ? until : Math.min(until, watch.due(now));
        if (!woken && until > now.mono()) {
            core.clocks().park(this, until);
        }
        if (Thread.interrupted()) {
            if (interruptible) {
                throw new InterruptedException();
            }
            interrupted = true;
        }
        now = core.now();
        ownHold.check(now);
        if (watch != null) {
            watch.look(now);
            now = core.now();
        }
        polls = !woken;
        woken = false;
        ResourceSlot slot = core.enter(order.resource());
        try {
            return next(slot, now);
        } finally {
            core.leave(slot, acquisition.waiter());
        }
    }

    /** What to do next, unless another thread of the same owner got it first: then this one nests, and leaves the queue. */
    private Step next(ResourceSlot slot, Moment now) {
        if (!nests(slot, now)) {
            return acquisition.next(slot.engine, now);
        }
        EngineHold besides = acquisition.stop(slot.engine, now);
        if (besides != null) {
            core.workers().request(() -> core.returns().release(besides));
        }
        return Step.NotNow.NOT_NOW;
    }

    private void stop() {
        EngineHold unwanted;
        ResourceSlot slot = core.enter(order.resource());
        try {
            unwanted = acquisition.stop(slot.engine, core.now());
        } finally {
            core.leave(slot, acquisition.waiter());
        }
        if (unwanted != null) {
            core.returns().release(unwanted);
        }
    }
}
