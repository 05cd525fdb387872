package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.ExtendOutcome;
import io.lockkeeper.HoldState;
import io.lockkeeper.Leaks;
import io.lockkeeper.Loss;
import io.lockkeeper.Registration;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.SingleHold;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Owners;
import io.lockkeeper.engine.ReleaseStep;
import io.lockkeeper.spi.Capability;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A hold by handle or by {@code lock()}, as the application sees it. */
class LiveHold implements SingleHold {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");
    private static final Cleaner CLEANER = Cleaner.create();

    final KeeperCore core;
    private final EngineHold holding;
    private final LossNotice lost = new LossNotice();
    private final AtomicReference<@Nullable CompletableFuture<ReleaseOutcome>> outcome = new AtomicReference<>();
    private Cleaner.@Nullable Cleanable leak;

    LiveHold(KeeperCore core, EngineHold holding) {
        this.core = core;
        this.holding = holding;
    }

    /** Makes it known to the keeper; from here on it is told of its loss, and missed if it is forgotten. */
    static <H extends LiveHold> H admit(H hold, AcquireOptions order, AcquisitionSite place) {
        EngineHold holding = hold.holding();
        KeeperCore core = hold.core;
        HoldRecord record = new HoldRecord(core, hold, order, place);
        holding.attach(record);
        // A fixed lease ends by itself: that its handle is dropped is no mistake.
        if (holding.owner() == null && holding.grant().renewed()) {
            hold.watch(place);
        }
        Loss.Reason lostMeanwhile = holding.lostBecause();
        if (lostMeanwhile != null) {
            Loss loss = holding.loss(lostMeanwhile);
            core.workers().callback(() -> record.lost(loss));
            AcquisitionReport report = record.report();
            if (report != null) {
                report.lost(holding, loss, record);
            }
        }
        return hold;
    }

    void watch(Throwable place) {
        leak = CLEANER.register(this, new Forgotten(core, holding, place));
    }

    EngineHold holding() {
        return holding;
    }

    @Override
    public String id() {
        return holding.id();
    }

    @Override
    public String name() {
        return holding.resource().name();
    }

    @Override
    public long token() {
        return holding.token();
    }

    @Override
    public HoldState state() {
        HoldState state = holding.state(core.now());
        if (state == HoldState.LOST && holding.lostBecause() == null) {
            core.noticeEnd(holding);
        }
        return state;
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(holding.remaining(core.now()));
    }

    @Override
    public void ensureHeld() {
        switch (state()) {
            case LOST -> throw Owners.lost(holding, "stop what it protects, and acquire it again");
            case RELEASED ->
                throw new IllegalStateException("The hold of " + holding.resource() + " with token " + token()
                        + " was released; acquire it again");
            case HELD, UNCERTAIN -> {}
        }
    }

    @Override
    public CompletableFuture<Loss> lost() {
        return lost.future(this);
    }

    @Override
    public Registration onLost(Consumer<? super Loss> listener) {
        given(listener, "listener");
        return lost.listener(this, core.workers().callbacks(), listener);
    }

    /** Releases what was admitted but is not wanted; it is reported as every release. */
    static void drop(KeeperCore core, EngineHold holding) {
        HoldRecord record = HoldRecord.of(holding);
        LiveHold hold = record == null ? null : record.hold();
        if (hold == null) {
            core.returns().release(holding);
        } else {
            hold.release();
        }
    }

    LossNotice word() {
        return lost;
    }

    @Override
    public ExtendOutcome extend(Duration lease) {
        given(lease, "lease");
        return core.returns().extend(holding, extendable(lease));
    }

    @Override
    public CompletableFuture<ExtendOutcome> extendAsync(Duration lease) {
        given(lease, "lease");
        Duration checked = extendable(lease);
        return AsyncRequests.call(core, () -> core.returns().extend(holding, checked));
    }

    private Duration extendable(Duration lease) {
        FeatureCheck.require(core.backend(), Capability.EXTEND);
        if (holding.grant().renewed()) {
            throw new IllegalStateException("The hold of " + holding.resource()
                    + " is renewed by its keeper until it is released, so there is nothing to extend;"
                    + " acquire it with withFixedLease to set its end yourself");
        }
        return LeaseRules.check(lease, core.backend());
    }

    @Override
    public ReleaseOutcome release() {
        CompletableFuture<ReleaseOutcome> mine = new CompletableFuture<>();
        if (!outcome.compareAndSet(null, mine)) {
            return Objects.requireNonNull(outcome.get()).join();
        }
        ReleaseOutcome result = ReleaseOutcome.UNKNOWN;
        try {
            result = finish(takeBack());
        } finally {
            mine.complete(result);
        }
        tellReleased(result);
        return result;
    }

    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        CompletableFuture<ReleaseOutcome> mine = new CompletableFuture<>();
        if (outcome.compareAndSet(null, mine)) {
            // It counts as not held from here on, however long it takes until the store is told.
            ReleaseStep giving = takeBack();
            boolean handedOver = false;
            if (giving instanceof ReleaseStep.Send) {
                try {
                    core.workers().request(() -> finishAsync(giving, mine));
                    handedOver = true;
                } catch (Error notBegun) {
                    // It is on its way back already: better on this thread than never.
                    LOG.log(System.Logger.Level.WARNING, "A release could not be begun elsewhere", notBegun);
                }
            }
            if (!handedOver) {
                finishAsync(giving, mine);
            }
        }
        return Objects.requireNonNull(outcome.get()).copy();
    }

    private void finishAsync(ReleaseStep giving, CompletableFuture<ReleaseOutcome> mine) {
        ReleaseOutcome result = ReleaseOutcome.UNKNOWN;
        try {
            result = finish(giving);
        } finally {
            ReleaseOutcome told = result;
            core.workers().callback(() -> {
                mine.complete(told);
                tellReleased(told);
            });
        }
    }

    private ReleaseStep takeBack() {
        ReleaseStep giving = core.returns().takeBack(holding);
        if (leak != null) {
            leak.clean();
        }
        return giving;
    }

    private ReleaseOutcome finish(ReleaseStep giving) {
        return core.returns().finish(holding, giving);
    }

    /** It was turned into another hold, which is released in its place. */
    void handedOver() {
        outcome.compareAndSet(null, CompletableFuture.completedFuture(ReleaseOutcome.RELEASED));
        if (leak != null) {
            leak.clean();
        }
    }

    private void tellReleased(ReleaseOutcome result) {
        HoldRecord record = HoldRecord.of(holding);
        AcquisitionReport report = record == null ? null : record.report();
        if (report != null) {
            report.released(holding, result);
        }
    }

    @Override
    public void close() {
        try {
            if (release() == ReleaseOutcome.UNKNOWN) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "The store did not answer the release of {0}; it is released in the background",
                        holding.resource());
            }
        } catch (RuntimeException masked) {
            LOG.log(System.Logger.Level.ERROR, "Releasing " + holding.resource() + " failed", masked);
        }
    }

    @Override
    public String toString() {
        return holding.resource() + " (token " + token() + ", " + state() + ")";
    }

    /** Runs when a hold was garbage-collected. It must not refer to the hold. */
    private record Forgotten(KeeperCore core, EngineHold holding, Throwable place) implements Runnable {

        @Override
        public void run() {
            if (holding.isReleased() || holding.lostBecause() != null || core.isClosed()) {
                return;
            }
            boolean release = core.settings().leaks() == Leaks.RELEASE;
            LOG.log(
                    System.Logger.Level.ERROR,
                    "The hold of " + holding.resource() + " (token " + holding.token()
                            + ") was forgotten without being released"
                            + (release ? "; it is released now" : "; it stays held until its keeper is closed")
                            + ". Close every hold, best in try-with-resources",
                    place);
            if (release) {
                core.workers().request(() -> core.lose(holding, Loss.Reason.FORGOTTEN));
            }
        }
    }
}
