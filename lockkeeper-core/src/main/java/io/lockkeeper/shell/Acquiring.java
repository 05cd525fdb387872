package io.lockkeeper.shell;

import io.lockkeeper.Acquirable;
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

    @SuppressWarnings("unchecked") // Each subclass makes its own kind of hold.
    final H admit(Order asked, Holding holding) {
        LiveHold hold = LiveHold.admit(hold(holding), asked);
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

    final H acquire(Order asked) throws InterruptedException {
        Holding holding = new SyncWait(station, asked, Long.MAX_VALUE, true, null).run();
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
        try {
            Holding holding = new SyncWait(station, asked, 0, false, null).run();
            return holding == null ? null : admit(asked, holding);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public final @Nullable H tryAcquire(Duration wait) throws InterruptedException {
        return tryAcquire(order(), wait);
    }

    final @Nullable H tryAcquire(Order asked, Duration wait) throws InterruptedException {
        Holding holding = new SyncWait(station, asked, Waits.nanos(wait), true, null).run();
        return holding == null ? null : admit(asked, holding);
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
        try {
        } catch (IllegalStateException selfDeadlock) {
            return CompletableFuture.failedFuture(selfDeadlock);
        }
        return new AsyncWait<H>(station, asked, limit, holding -> admit(asked, holding)).start();
    }

    @Override
    public final <T extends @Nullable Object> CompletableFuture<T> callAsync(
            Function<? super H, ? extends CompletionStage<T>> body) {
        return AsyncBody.call(acquireAsync(), body);
    }
}
