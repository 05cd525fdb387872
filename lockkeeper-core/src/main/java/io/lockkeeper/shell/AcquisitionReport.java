package io.lockkeeper.shell;

import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.Loss;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What is reported of one acquisition, and of the hold that comes of it, to the keeper's listener and to the JDK's Flight
 * Recorder. While there is no listener and nothing is recorded there is no report either, so an acquisition costs what it
 * would cost without one.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>A request that was reported ends with one report: acquired, nested, gave up or failed. A listener that counts waiters
 *       would count one forever otherwise.
 *   <li>A hold is reported as acquired before the keeper's {@link HoldRecord} of it is known. The loss of a hold is reported
 *       through its record, on another thread; were the record known first, the loss could be reported before the hold, and a
 *       listener would count a hold that is none.
 *   <li>A loss is reported once. A hold may be lost between the grant and the moment in which its record is known; then both
 *       the thread that acquired it and the one that noticed the loss report it.
 * </ul>
 *
 * <p>No lock of the keeper is held while the listener is called, and the waiter is not in a queue, or is parked.
 */
final class AcquisitionReport {

    private static final AtomicLong NUMBERS = new AtomicLong();

    private final KeeperCore core;
    private final @Nullable KeeperListener listener;
    private final FlightLog.@Nullable Flight flight;
    private final Resource resource;
    private final boolean shared;
    private final long number;
    private final Moment begun;
    private final AtomicBoolean lost = new AtomicBoolean();
    private volatile boolean waited;

    private AcquisitionReport(
            KeeperCore core,
            @Nullable KeeperListener listener,
            FlightLog.@Nullable Flight flight,
            Resource resource,
            boolean shared,
            long number,
            Moment begun) {
        this.core = core;
        this.listener = listener;
        this.flight = flight;
        this.resource = resource;
        this.shared = shared;
        this.number = number;
        this.begun = begun;
    }

    /** Reports that the calling thread wants a resource; null if there is nobody to report to. */
    static @Nullable AcquisitionReport begin(KeeperCore core, AcquireOptions order, Moment begun) {
        KeeperListener listener = core.settings().listener();
        boolean recorded = FlightLog.recordsAcquisitions();
        return listener == null && !recorded ? null : begin(core, order, begun, listener, recorded);
    }

    private static AcquisitionReport begin(
            KeeperCore core, AcquireOptions order, Moment begun, @Nullable KeeperListener listener, boolean recorded) {
        AcquisitionReport report = new AcquisitionReport(
                core,
                listener,
                recorded ? FlightLog.begin() : null,
                order.resource(),
                order.request().mode() instanceof Mode.Shared,
                NUMBERS.incrementAndGet(),
                begun);
        if (listener != null) {
            Events.Requested event =
                    new Events.Requested(report.backend(), report.resource, report.number, report.shared);
            Listeners.tell(listener, told -> told.requested(event));
        }
        return report;
    }

    /** The report of a hold whose record is not known yet; null if there is none. */
    static @Nullable AcquisitionReport of(EngineHold holding) {
        return holding.attachment() instanceof AcquisitionReport report ? report : null;
    }

    /** The waiter was served; the hold carries the report until its record does. */
    void served(EngineHold holding) {
        holding.attach(this);
    }

    /** The same hold, now shared. */
    AcquisitionReport narrowed() {
        return new AcquisitionReport(core, listener, null, resource, true, number, begun);
    }

    /** @param here whether the listener is called on this thread, and not on a callback thread */
    void waiting(boolean here) {
        if (waited) {
            return;
        }
        waited = true;
        if (flight != null) {
            flight.waits();
        }
        if (listener != null) {
            Events.Waiting event = new Events.Waiting(backend(), resource, number, shared);
            tell(here, listener, () -> listener.waiting(event));
        }
    }

    /** @param here whether the listener is called on this thread, and not on a callback thread */
    void polled(boolean here) {
        if (listener != null) {
            Events.Polled event = new Events.Polled(backend(), resource, number, shared);
            tell(here, listener, () -> listener.polled(event));
        }
    }

    private void tell(boolean here, KeeperListener listener, Runnable event) {
        if (here) {
            Listeners.tell(listener, told -> event.run());
        } else {
            core.workers().callback(event);
        }
    }

    void acquired(EngineHold holding) {
        ended(holding.handedOn() ? "handed off" : "acquired", holding.token());
        if (listener != null) {
            Duration time = Duration.ofNanos(holding.waited());
            Events.Acquired event = new Events.Acquired(
                    backend(), resource, number, shared, holding.token(), time, holding.handedOn(), waited);
            Listeners.tell(listener, told -> told.acquired(event));
        }
    }

    void nested() {
        if (listener != null) {
            Events.Nested event = new Events.Nested(backend(), resource, number, shared);
            Listeners.tell(listener, told -> told.nested(event));
        }
    }

    void gaveUp(KeeperEvent.GaveUp.Cause cause) {
        ended(
                switch (cause) {
                    case TIMEOUT -> "timeout";
                    case INTERRUPTED -> "interrupted";
                    case CANCELLED -> "cancelled";
                },
                0);
        if (listener != null) {
            Events.GaveUp event = new Events.GaveUp(backend(), resource, number, shared, untilNow(), cause);
            Listeners.tell(listener, told -> told.gaveUp(event));
        }
    }

    void failed(Throwable failure) {
        ended("failed", 0);
        if (listener != null) {
            Events.Failed event = new Events.Failed(backend(), resource, number, shared, untilNow(), failure);
            Listeners.tell(listener, told -> told.failed(event));
        }
    }

    void released(EngineHold holding, ReleaseOutcome outcome) {
        if (listener != null) {
            Events.Released event = new Events.Released(
                    backend(), resource, number, shared, holding.token(), heldUntilNow(holding), outcome);
            Listeners.tell(listener, told -> told.released(event));
        }
    }

    /** @param record has the events of one hold delivered in order */
    void uncertain(EngineHold holding, HoldRecord record) {
        if (listener != null) {
            Events.Uncertain event = new Events.Uncertain(backend(), resource, number, shared, holding.token());
            record.tell(() -> listener.uncertain(event));
        }
    }

    /** @param record has the events of one hold delivered in order */
    void lost(EngineHold holding, Loss loss, HoldRecord record) {
        if (listener != null && lost.compareAndSet(false, true)) {
            Events.Lost event = new Events.Lost(backend(), number, shared, loss, heldUntilNow(holding));
            record.tell(() -> listener.lost(event));
        }
    }

    private void ended(String outcome, long token) {
        if (flight != null) {
            flight.ended(resource, shared, backend(), outcome, token);
        }
    }

    private String backend() {
        return core.backendName();
    }

    private Duration untilNow() {
        return Duration.ofNanos(core.now().mono() - begun.mono());
    }

    private Duration heldUntilNow(EngineHold holding) {
        return Duration.ofNanos(core.now().since(holding.since()));
    }
}
