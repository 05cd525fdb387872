package io.lockkeeper.shell;

import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.Permit;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.engine.Holding;
import io.lockkeeper.spi.Mode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A semaphore: every acquisition claims some of its permits. Views share the size. */
final class LiveSemaphore extends Acquiring<Permit> implements DistributedSemaphore {

    private final AtomicInteger size;

    LiveSemaphore(Station station, Resource resource, int permits) {
        this(
                station,
                Order.of(resource, Mode.permits(1, permits), station.settings().lease(), false),
                new AtomicInteger(permits));
    }

    private LiveSemaphore(Station station, Order order, AtomicInteger size) {
        super(station, order);
        this.size = size;
    }

    static int check(int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("A semaphore of " + permits + " permits makes no sense; use 1 or more");
        }
        return permits;
    }

    private Order some(int permits) {
        if (permits < 1 || permits > size.get()) {
            throw new IllegalArgumentException("Can not acquire " + permits + " permits of " + order.resource()
                    + ", which has " + size.get() + "; ask for 1 to " + size.get());
        }
        return order.withMode(Mode.permits(permits, size.get()));
    }

    @Override
    Order order() {
        return some(1);
    }

    @Override
    LiveHold hold(Holding holding) {
        return new LivePermit(station, holding);
    }

    @Override
    public String name() {
        return order.resource().name();
    }

    @Override
    public int permits() {
        return size.get();
    }

    @Override
    public Permit acquire(int permits) throws InterruptedException {
        return acquire(some(permits));
    }

    @Override
    public @Nullable Permit tryAcquire(int permits) {
        return tryAcquire(some(permits));
    }

    @Override
    public @Nullable Permit tryAcquire(int permits, Duration wait) throws InterruptedException {
        return tryAcquire(some(permits), wait);
    }

    @Override
    public CompletableFuture<Permit> acquireAsync(int permits) {
        return acquireAsync(some(permits));
    }

    @Override
    public CompletableFuture<@Nullable Permit> tryAcquireAsync(int permits) {
        return async(some(permits), 0);
    }

    @Override
    public CompletableFuture<@Nullable Permit> tryAcquireAsync(int permits, Duration wait) {
        return async(some(permits), Waits.nanos(wait));
    }

    @Override
    public DistributedSemaphore withLease(Duration lease) {
        return new LiveSemaphore(station, order.withLease(Leases.check(lease, station.backend()), false), size);
    }

    @Override
    public DistributedSemaphore withFixedLease(Duration lease) {
        return new LiveSemaphore(station, order.withLease(Leases.check(lease, station.backend()), true), size);
    }

    @Override
    public DistributedSemaphore giveUpAfter(Duration silence) {
        Duration checked = Leases.positive(silence, "A silence to give up after");
        return new LiveSemaphore(station, order.giveUpAfter(checked), size);
    }

    @Override
    public int availablePermits() {
        ResourceState state =
                station.ask(() -> station.store().inspect(order.resource())).orElse(null);
        if (state == null) {
            return size.get();
        }
        int taken = 0;
        for (ResourceState.Grant grant : state.grants()) {
            taken += grant.permits();
        }
        return Math.max(0, (state.permits() == 0 ? size.get() : state.permits()) - taken);
    }

    @Override
    public CompletableFuture<Integer> availablePermitsAsync() {
        return Background.call(station, this::availablePermits);
    }

    @Override
    public void resize(int permits) {
        int checked = check(permits);
        station.ask(() -> {
            station.store().resize(order.resource(), checked);
            return checked;
        });
        size.set(checked);
    }

    @Override
    public CompletableFuture<@Nullable Void> resizeAsync(int permits) {
        check(permits);
        return Background.run(station, () -> resize(permits));
    }

    @Override
    public String toString() {
        return order.resource() + " of " + size.get();
    }
}
