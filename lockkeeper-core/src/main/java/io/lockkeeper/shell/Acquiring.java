package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.Acquirable;
import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.Hold;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.engine.Holding;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The forms of acquiring by handle, for whatever is acquired by one order. */
abstract class Acquiring<H extends Hold> implements Acquirable<H> {

    final Station station;
    final Order order;

    Acquiring(Station station, Order order) {
        this.station = station;
        this.order = order;
    }

    /** What the forms without arguments ask for. */
    Order order() {
        return order;
    }

    /** The object that the holder gets. */
    abstract LiveHold hold(Holding holding);

    /** On the thread that acquired it. */
    final H admit(Order asked, Holding holding) {
        return admit(asked, holding, new AcquiredHere());
    }

    @SuppressWarnings("unchecked") // Each subclass makes its own kind of hold.
    private H admit(Order asked, Holding holding, AcquiredHere place) {
        LiveHold hold = LiveHold.admit(hold(holding), asked, place);
        KeeperListener listener = station.settings().listener();
        if (listener != null) {
            Duration waited = Duration.ofNanos(holding.waited());
            Listeners.tell(
                    listener, told -> told.acquired(holding.resource(), holding.token(), waited, holding.handedOn()));
        }
        return (H) hold;
    }

    @Override
    public final H acquire() throws InterruptedException {
        return acquire(order());
    }

    /** What to ask for instead of something that was refused; null if there is nothing better to ask for. */
    @Nullable
    Order instead(Order refused) {
        return null;
    }

    private @Nullable Holding wait(Order asked, long limit, boolean interruptible) throws InterruptedException {
        long deadline = SyncWait.deadline(station.now(), limit);
        Order order = asked;
        while (true) {
            try {
                return new SyncWait(station, order, Waits.left(station, limit, deadline), interruptible, null).run();
            } catch (ClaimRefusedException refused) {
                order = instead(order);
                if (order == null) {
                    throw refused;
                }
            }
        }
    }

    final H acquire(Order asked) throws InterruptedException {
        Holding holding = wait(asked, Long.MAX_VALUE, true);
        if (holding == null) {
            throw new IllegalStateException("an endless wait ended");
        }
        return admit(asked, holding);
    }

    @Override
    public final @Nullable H tryAcquire() {
        return tryAcquire(order());
    }

    final @Nullable H tryAcquire(Order asked) {
        Holding holding = askOnce(asked);
        return holding == null ? null : admit(asked, holding);
    }

    /** @param place where it was asked for, if that was on another thread */
    final @Nullable H tryAcquire(Order asked, AcquiredHere place) {
        Holding holding = askOnce(asked);
        return holding == null ? null : admit(asked, holding, place);
    }

    private @Nullable Holding askOnce(Order asked) {
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

    final @Nullable H tryAcquire(Order asked, Duration wait) throws InterruptedException {
        Holding holding = wait(asked, Waits.nanos(wait), true);
        if (holding == null) {
            Timeouts.log(station, asked.resource(), wait);
            return null;
        }
        return admit(asked, holding);
    }

    @Override
    public final H acquire(Duration wait) throws InterruptedException {
        Order asked = order();
        Holding holding = wait(asked, Waits.nanos(wait), true);
        if (holding == null) {
            throw Timeouts.exception(station, asked.resource(), wait);
        }
        return admit(asked, holding);
    }

    @Override
    @SuppressWarnings("NullAway") // An endless wait never ends with null.
    public final CompletableFuture<H> acquireAsync() {
        return acquireAsync(order());
    }

    @SuppressWarnings("NullAway")
    final CompletableFuture<H> acquireAsync(Order asked) {
        return async(asked, Long.MAX_VALUE);
    }

    @Override
    public final CompletableFuture<@Nullable H> tryAcquireAsync() {
        return async(order(), 0);
    }

    @Override
    public final CompletableFuture<@Nullable H> tryAcquireAsync(Duration wait) {
        return async(order(), Waits.nanos(wait));
    }

    final CompletableFuture<@Nullable H> async(Order asked, long limit) {
        return async(asked, limit, new AcquiredHere());
    }

    /** @param place where it was asked for, if that was on another thread */
    CompletableFuture<@Nullable H> async(Order asked, long limit, AcquiredHere place) {
        return new AsyncWait<H>(station, asked, limit, holding -> admit(asked, holding, place)).start();
    }

    @Override
    public final <T extends @Nullable Object> CompletableFuture<T> callAsync(
            Function<? super H, ? extends CompletionStage<T>> body) {
        given(body, "body");
        return AsyncBody.call(station.workers().callbacks(), acquireAsync(), body);
    }
}
