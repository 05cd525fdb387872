package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.Acquirable;
import io.lockkeeper.ClaimRefusedException;
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

    /** What the forms without arguments acquire. */
    AcquireOptions order() {
        return order;
    }

    /** The object that the holder gets. */
    abstract LiveHold hold(EngineHold holding);

    /** On the thread that acquired it. */
    final H admit(AcquireOptions options, EngineHold holding) {
        return admit(options, holding, new AcquisitionSite());
    }

    @SuppressWarnings("unchecked") // Each subclass makes its own kind of hold.
    final H admit(AcquireOptions options, EngineHold holding, AcquisitionSite place) {
        AcquisitionReport report = AcquisitionReport.of(holding);
        if (report != null) {
            report.acquired(holding);
        }
        return (H) LiveHold.admit(hold(holding), options, place);
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

    private @Nullable EngineHold wait(AcquireOptions options, long timeout, boolean interruptible)
            throws InterruptedException {
        long deadline = Timeouts.deadline(core.now(), timeout);
        AcquireOptions order = options;
        while (true) {
            try {
                return new BlockingAcquisition(core, order, Timeouts.left(core, timeout, deadline), interruptible, null)
                        .run();
            } catch (ClaimRefusedException refused) {
                order = instead(order);
                if (order == null) {
                    throw refused;
                }
            }
        }
    }

    final H acquire(AcquireOptions options) throws InterruptedException {
        EngineHold holding = wait(options, Long.MAX_VALUE, true);
        if (holding == null) {
            throw new IllegalStateException("an endless wait ended");
        }
        return admit(options, holding);
    }

    @Override
    public final @Nullable H tryAcquire() {
        return tryAcquire(order());
    }

    final @Nullable H tryAcquire(AcquireOptions options) {
        EngineHold holding = attemptOnce(options);
        return holding == null ? null : admit(options, holding);
    }

    /** @param place where it was called, if that was on another thread */
    final @Nullable H tryAcquire(AcquireOptions options, AcquisitionSite place) {
        EngineHold holding = attemptOnce(options);
        return holding == null ? null : admit(options, holding, place);
    }

    private @Nullable EngineHold attemptOnce(AcquireOptions options) {
        try {
            return wait(options, 0, false);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public final @Nullable H tryAcquire(Duration wait) throws InterruptedException {
        return tryAcquire(order(), wait);
    }

    final @Nullable H tryAcquire(AcquireOptions options, Duration wait) throws InterruptedException {
        EngineHold holding = wait(options, Timeouts.nanos(wait), true);
        if (holding == null) {
            TimeoutReport.log(core, options.resource(), wait);
            return null;
        }
        return admit(options, holding);
    }

    @Override
    public final H acquire(Duration wait) throws InterruptedException {
        AcquireOptions options = order();
        EngineHold holding = wait(options, Timeouts.nanos(wait), true);
        if (holding == null) {
            throw TimeoutReport.exception(core, options.resource(), wait);
        }
        return admit(options, holding);
    }

    @Override
    @SuppressWarnings("NullAway") // An endless wait never ends with null.
    public final CompletableFuture<H> acquireAsync() {
        return acquireAsync(order());
    }

    @SuppressWarnings("NullAway")
    final CompletableFuture<H> acquireAsync(AcquireOptions options) {
        return async(options, Long.MAX_VALUE);
    }

    @Override
    public final CompletableFuture<@Nullable H> tryAcquireAsync() {
        return async(order(), 0);
    }

    @Override
    public final CompletableFuture<@Nullable H> tryAcquireAsync(Duration wait) {
        AcquireOptions asked = order();
        CompletableFuture<@Nullable H> result = async(asked, Timeouts.nanos(wait));
        result.thenAccept(hold -> {
            if (hold == null) {
                TimeoutReport.logAsync(core, asked.resource(), wait);
            }
        });
        return result;
    }

    final CompletableFuture<@Nullable H> async(AcquireOptions options, long timeout) {
        return async(options, timeout, new AcquisitionSite());
    }

    /** @param place where it was called, if that was on another thread */
    CompletableFuture<@Nullable H> async(AcquireOptions options, long timeout, AcquisitionSite place) {
        return new AsyncAcquisition<H>(core, options, timeout, holding -> admit(options, holding, place)).start();
    }

    @Override
    public final <T extends @Nullable Object> CompletableFuture<T> callAsync(
            Function<? super H, ? extends CompletionStage<T>> body) {
        given(body, "body");
        return AsyncBody.call(core.workers().callbacks(), acquireAsync(), body);
    }
}
