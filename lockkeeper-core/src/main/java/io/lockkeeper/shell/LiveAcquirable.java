package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.Acquirable;
import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.SingleHold;
import io.lockkeeper.engine.EngineHold;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The forms of acquiring by handle, for whatever is acquired by one order. */
abstract class LiveAcquirable<H extends SingleHold> implements Acquirable<H> {

    final KeeperCore core;
    final AcquireOptions order;

    LiveAcquirable(KeeperCore core, AcquireOptions order) {
        this.core = core;
        this.order = order;
    }

    /** What the forms without arguments ask for. */
    AcquireOptions order() {
        return order;
    }

    /** The object that the holder gets. */
    abstract LiveHold hold(EngineHold holding);

    /** On the thread that acquired it. */
    final H admit(AcquireOptions asked, EngineHold holding) {
        return admit(asked, holding, new AcquisitionSite());
    }

    @SuppressWarnings("unchecked") // Each subclass makes its own kind of hold.
    final H admit(AcquireOptions asked, EngineHold holding, AcquisitionSite place) {
        LiveHold hold = LiveHold.admit(hold(holding), asked, place);
        KeeperListener listener = core.settings().listener();
        if (listener != null) {
            Duration waited = Duration.ofNanos(holding.waited());
            Events.Acquired event =
                    new Events.Acquired(holding.resource(), holding.token(), waited, holding.handedOn());
            Listeners.tell(listener, told -> told.acquired(event));
        }
        return (H) hold;
    }

    @Override
    public final H acquire() throws InterruptedException {
        return acquire(order());
    }

    /** What to ask for instead of something that was refused; null if there is nothing better to ask for. */
    @Nullable
    AcquireOptions instead(AcquireOptions refused) {
        return null;
    }

    private @Nullable EngineHold wait(AcquireOptions asked, long limit, boolean interruptible)
            throws InterruptedException {
        long deadline = WaitTimes.deadline(core.now(), limit);
        AcquireOptions order = asked;
        while (true) {
            try {
                return new BlockingAcquisition(core, order, WaitTimes.left(core, limit, deadline), interruptible, null)
                        .run();
            } catch (ClaimRefusedException refused) {
                order = instead(order);
                if (order == null) {
                    throw refused;
                }
            }
        }
    }

    final H acquire(AcquireOptions asked) throws InterruptedException {
        EngineHold holding = wait(asked, Long.MAX_VALUE, true);
        if (holding == null) {
            throw new IllegalStateException("an endless wait ended");
        }
        return admit(asked, holding);
    }

    @Override
    public final @Nullable H tryAcquire() {
        return tryAcquire(order());
    }

    final @Nullable H tryAcquire(AcquireOptions asked) {
        EngineHold holding = askOnce(asked);
        return holding == null ? null : admit(asked, holding);
    }

    /** @param place where it was asked for, if that was on another thread */
    final @Nullable H tryAcquire(AcquireOptions asked, AcquisitionSite place) {
        EngineHold holding = askOnce(asked);
        return holding == null ? null : admit(asked, holding, place);
    }

    private @Nullable EngineHold askOnce(AcquireOptions asked) {
        try {
            return wait(asked, 0, false);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public final @Nullable H tryAcquire(Duration wait) throws InterruptedException {
        return tryAcquire(order(), wait);
    }

    final @Nullable H tryAcquire(AcquireOptions asked, Duration wait) throws InterruptedException {
        EngineHold holding = wait(asked, WaitTimes.nanos(wait), true);
        if (holding == null) {
            TimeoutReport.log(core, asked.resource(), wait);
            return null;
        }
        return admit(asked, holding);
    }

    @Override
    public final H acquire(Duration wait) throws InterruptedException {
        AcquireOptions asked = order();
        EngineHold holding = wait(asked, WaitTimes.nanos(wait), true);
        if (holding == null) {
            throw TimeoutReport.exception(core, asked.resource(), wait);
        }
        return admit(asked, holding);
    }

    @Override
    @SuppressWarnings("NullAway") // An endless wait never ends with null.
    public final CompletableFuture<H> acquireAsync() {
        return acquireAsync(order());
    }

    @SuppressWarnings("NullAway")
    final CompletableFuture<H> acquireAsync(AcquireOptions asked) {
        return async(asked, Long.MAX_VALUE);
    }

    @Override
    public final CompletableFuture<@Nullable H> tryAcquireAsync() {
        return async(order(), 0);
    }

    @Override
    public final CompletableFuture<@Nullable H> tryAcquireAsync(Duration wait) {
        return async(order(), WaitTimes.nanos(wait));
    }

    final CompletableFuture<@Nullable H> async(AcquireOptions asked, long limit) {
        return async(asked, limit, new AcquisitionSite());
    }

    /** @param place where it was asked for, if that was on another thread */
    CompletableFuture<@Nullable H> async(AcquireOptions asked, long limit, AcquisitionSite place) {
        return new AsyncAcquisition<H>(core, asked, limit, holding -> admit(asked, holding, place)).start();
    }

    @Override
    public final <T extends @Nullable Object> CompletableFuture<T> callAsync(
            Function<? super H, ? extends CompletionStage<T>> body) {
        given(body, "body");
        return AsyncBody.call(core.workers().callbacks(), acquireAsync(), body);
    }
}
