package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.ExtendOutcome;
import io.lockkeeper.Hold;
import io.lockkeeper.HoldState;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.Leaks;
import io.lockkeeper.Loss;
import io.lockkeeper.Registration;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.engine.Giving;
import io.lockkeeper.engine.Holding;
import io.lockkeeper.engine.Owners;
import io.lockkeeper.spi.Capability;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A hold as its holder has it. */
class LiveHold implements Hold {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");
    private static final Cleaner CLEANER = Cleaner.create();

    final Station station;
    private final Holding holding;
    private final LossWord lost = new LossWord();
    private final AtomicReference<@Nullable CompletableFuture<ReleaseOutcome>> outcome = new AtomicReference<>();
    private Cleaner.@Nullable Cleanable leak;

    LiveHold(Station station, Holding holding) {
        this.station = station;
        this.holding = holding;
    }

    /** Makes it known to the keeper; from here on it is told of its loss, and missed if it is forgotten. */
    static <H extends LiveHold> H admit(H hold, Order order, AcquiredHere place) {
        Holding holding = hold.holding();
        Station station = hold.station;
        HoldRecord record = new HoldRecord(station, hold, order, place);
        holding.attach(record);
        // A fixed lease ends by itself: that its handle is dropped is no mistake.
        if (holding.owner() == null && holding.grant().renewed()) {
            hold.watch(place);
        }
        Loss.Reason lostMeanwhile = holding.lostBecause();
        if (lostMeanwhile != null) {
            station.workers().callback(() -> record.lost(holding.loss(lostMeanwhile)));
        }
        return hold;
    }

    void watch(Throwable place) {
        leak = CLEANER.register(this, new Forgotten(station, holding, place));
    }

    Holding holding() {
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
        HoldState state = holding.state(station.now());
        if (state == HoldState.LOST && holding.lostBecause() == null) {
            station.noticeEnd(holding);
        }
        return state;
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(holding.remaining(station.now()));
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
        return lost.listener(this, station.workers().callbacks(), listener);
    }

    LossWord word() {
        return lost;
    }

    @Override
    public ExtendOutcome extend(Duration lease) {
        given(lease, "lease");
        return station.returns().extend(holding, extendable(lease));
    }

    @Override
    public CompletableFuture<ExtendOutcome> extendAsync(Duration lease) {
        given(lease, "lease");
        Duration checked = extendable(lease);
        return Background.call(station, () -> station.returns().extend(holding, checked));
    }

    private Duration extendable(Duration lease) {
        Features.require(station.backend(), Capability.EXTEND);
        if (holding.grant().renewed()) {
            throw new IllegalStateException("The hold of " + holding.resource()
                    + " is renewed by its keeper until it is released, so there is nothing to extend;"
                    + " acquire it with withFixedLease to set its end yourself");
        }
        return Leases.check(lease, station.backend());
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
            Giving giving = takeBack();
            boolean handedOver = false;
            if (giving instanceof Giving.Send) {
                try {
                    station.workers().request(() -> finishAsync(giving, mine));
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

    private void finishAsync(Giving giving, CompletableFuture<ReleaseOutcome> mine) {
        ReleaseOutcome result = ReleaseOutcome.UNKNOWN;
        try {
            result = finish(giving);
        } finally {
            ReleaseOutcome told = result;
            station.workers().callback(() -> {
                mine.complete(told);
                tellReleased(told);
            });
        }
    }

    private Giving takeBack() {
        Giving giving = station.returns().takeBack(holding);
        if (leak != null) {
            leak.clean();
        }
        return giving;
    }

    private ReleaseOutcome finish(Giving giving) {
        return station.returns().finish(holding, giving);
    }

    /** It was turned into another hold, which is released in its place. */
    void handedOver() {
        outcome.compareAndSet(null, CompletableFuture.completedFuture(ReleaseOutcome.RELEASED));
        if (leak != null) {
            leak.clean();
        }
    }

    private void tellReleased(ReleaseOutcome result) {
        KeeperListener listener = station.settings().listener();
        if (listener != null) {
            Duration held = Duration.ofNanos(station.now().since(holding.since()));
            Listeners.tell(listener, told -> told.released(holding.resource(), token(), held, result));
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
    private record Forgotten(Station station, Holding holding, Throwable place) implements Runnable {

        @Override
        public void run() {
            if (holding.isReleased() || holding.lostBecause() != null || station.isClosed()) {
                return;
            }
            boolean release = station.settings().leaks() == Leaks.RELEASE;
            LOG.log(
                    System.Logger.Level.ERROR,
                    "The hold of " + holding.resource() + " (token " + holding.token()
                            + ") was forgotten without being released"
                            + (release ? "; it is released now" : "; it stays held until its keeper is closed")
                            + ". Close every hold, best in try-with-resources",
                    place);
            if (release) {
                station.workers().request(() -> station.lose(holding, Loss.Reason.FORGOTTEN));
            }
        }
    }
}
