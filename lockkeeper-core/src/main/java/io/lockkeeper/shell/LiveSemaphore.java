package io.lockkeeper.shell;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.Overdue;
import io.lockkeeper.Permit;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.SizeStore;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A semaphore: every acquisition claims some of its permits. Views share the size that the object was made with, if any; where
 * the store keeps sizes, the store's own counts as soon as it was set.
 */
final class LiveSemaphore extends LiveAcquirable<Permit> implements DistributedSemaphore {

    /** The size of a semaphore that was made without one. */
    static final int UNKNOWN = 0;

    /** How often a drain looks again before it takes the others that are faster for waiters. */
    private static final int LOOKS = 16;

    private final Size size;

    LiveSemaphore(KeeperCore core, Resource resource, int permits) {
        this(
                core,
                AcquireOptions.of(
                        resource, Mode.permits(1, permits), core.settings().lease(), false),
                new Size(permits));
    }

    private LiveSemaphore(KeeperCore core, AcquireOptions order, Size size) {
        super(core, order);
        this.size = size;
    }

    static int check(int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("A semaphore of " + permits + " permits is not possible; use 1 or more");
        }
        return permits;
    }

    private AcquireOptions some(int permits) {
        int of = size.now;
        if (permits < 1 && of == UNKNOWN) {
            throw new IllegalArgumentException(
                    "Cannot acquire " + permits + " permits of " + order.resource() + "; ask for 1 or more");
        }
        if (permits < 1 || (permits > of && of != UNKNOWN)) {
            throw new IllegalArgumentException("Cannot acquire " + permits + " permits of " + order.resource()
                    + ", which has " + of + "; ask for 1 to " + of);
        }
        return order.withMode(Mode.permits(permits, of));
    }

    /**
     * On a store that keeps no sizes, those that wait while this very object is resized ask again with the new number. Where the
     * store keeps sizes, a new size refuses nobody.
     */
    @Override
    @Nullable
    AcquireOptions instead(AcquireOptions refused) {
        Mode.Permits wanted = (Mode.Permits) refused.request().mode();
        int of = size.next;
        return wanted.of() == of || wanted.count() > of ? null : refused.withMode(Mode.permits(wanted.count(), of));
    }

    @Override
    CompletableFuture<@Nullable Permit> async(AcquireOptions options, long timeout, AcquisitionSite place) {
        CompletableFuture<@Nullable Permit> result = new CompletableFuture<>();
        long deadline = Timeouts.deadline(core.now(), timeout);
        asyncInto(result, options, timeout, deadline, place);
        return result;
    }

    private void asyncInto(
            CompletableFuture<@Nullable Permit> result,
            AcquireOptions options,
            long timeout,
            long deadline,
            AcquisitionSite place) {
        CompletableFuture<@Nullable Permit> one = super.async(options, Timeouts.left(core, timeout, deadline), place);
        result.whenComplete((permit, thrown) -> one.cancel(false));
        one.whenComplete((permit, thrown) -> {
            AcquireOptions instead = thrown instanceof ClaimRefusedException ? instead(options) : null;
            if (instead != null && !result.isDone()) {
                asyncInto(result, instead, timeout, deadline, place);
            } else if (thrown != null) {
                result.completeExceptionally(thrown);
            } else if (!result.complete(permit) && permit != null) {
                permit.releaseAsync();
            }
        });
    }

    @Override
    AcquireOptions order() {
        return some(1);
    }

    @Override
    LiveHold hold(EngineHold holding) {
        return new LivePermit(core, holding);
    }

    @Override
    public String name() {
        return order.resource().name();
    }

    @Override
    public int permits() {
        return size.now;
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
        return async(some(permits), Timeouts.nanos(wait));
    }

    @Override
    public DistributedSemaphore withLease(Duration lease) {
        return new LiveSemaphore(core, order.withLease(lease, core.backend()), size);
    }

    @Override
    public DistributedSemaphore withFixedLease(Duration lease) {
        return new LiveSemaphore(core, order.withFixedLease(lease, core.backend()), size);
    }

    @Override
    public DistributedSemaphore giveUpAfter(Duration silence) {
        return new LiveSemaphore(core, order.giveUpAfter(silence), size);
    }

    @Override
    public DistributedSemaphore withMaxHold(Duration longest, Overdue whenOverdue) {
        return new LiveSemaphore(core, order.withMaxHold(longest, whenOverdue), size);
    }

    @Override
    public DistributedSemaphore portable() {
        FeatureCheck.require(core.backend(), Capability.PORTABLE);
        return new LiveSemaphore(core, order.portable(), size);
    }

    @Override
    public Optional<ResourceState> inspect() {
        return core.ask(() -> core.store().inspect(order.resource()));
    }

    @Override
    public CompletableFuture<Optional<ResourceState>> inspectAsync() {
        return AsyncRequests.call(core, this::inspect);
    }

    @Override
    public int availablePermits() {
        ResourceState state = inspect().orElse(null);
        return state == null ? sizeOfIdle() : free(state);
    }

    private int sizeOfIdle() {
        SizeStore sizes = core.store().ability(SizeStore.class);
        int stored = sizes == null ? 0 : core.ask(() -> sizes.size(order.resource()));
        return stored == 0 ? size.now : stored;
    }

    private int free(ResourceState state) {
        int taken = 0;
        for (ResourceState.Grant grant : state.grants()) {
            taken += grant.permits();
        }
        return Math.max(0, (state.permits() == 0 ? size.now : state.permits()) - taken);
    }

    /** @throws io.lockkeeper.UnsupportedFeatureException if the store keeps no sizes */
    private SizeStore sizes() {
        FeatureCheck.require(core.backend(), Capability.SIZES);
        return core.store();
    }

    @Override
    public OptionalInt storedPermits() {
        SizeStore sizes = sizes();
        int stored = core.ask(() -> sizes.size(order.resource()));
        return stored == 0 ? OptionalInt.empty() : OptionalInt.of(stored);
    }

    @Override
    public CompletableFuture<OptionalInt> storedPermitsAsync() {
        sizes();
        return AsyncRequests.call(core, this::storedPermits);
    }

    @Override
    public boolean trySetPermits(int permits) {
        SizeStore sizes = sizes();
        int checked = check(permits);
        String operation = core.terms().ids().get();
        return RequestRetry.ask(core, () -> sizes.trySet(order.resource(), operation, checked));
    }

    @Override
    public CompletableFuture<Boolean> trySetPermitsAsync(int permits) {
        sizes();
        check(permits);
        return AsyncRequests.call(core, () -> trySetPermits(permits));
    }

    @Override
    public int addPermits(int change) {
        SizeStore sizes = sizes();
        String operation = core.terms().ids().get();
        int before = size.now;
        int after = RequestRetry.ask(core, () -> sizes.add(order.resource(), operation, change, before));
        if (before != UNKNOWN) {
            size.next = after;
            size.now = after;
        }
        return after;
    }

    @Override
    public CompletableFuture<Integer> addPermitsAsync(int change) {
        sizes();
        return AsyncRequests.call(core, () -> addPermits(change));
    }

    @Override
    public @Nullable Permit drainPermits() {
        return drain(new AcquisitionSite());
    }

    @Override
    public CompletableFuture<@Nullable Permit> drainPermitsAsync() {
        AcquisitionSite place = new AcquisitionSite();
        CompletableFuture<@Nullable Permit> result = new CompletableFuture<>();
        AsyncRequests.call(core, () -> drain(place)).whenComplete((permit, thrown) -> {
            if (thrown != null) {
                result.completeExceptionally(thrown);
            } else if (!result.complete(permit) && permit != null) {
                permit.releaseAsync();
            }
        });
        return result;
    }

    /**
     * Looks how many are free and takes as many, or none if others were faster: then fewer are free now, and it looks again. A
     * claim is for a fixed number, so that one that is sent again is the same claim.
     */
    private @Nullable Permit drain(AcquisitionSite place) {
        for (int look = 0; look < LOOKS; look++) {
            ResourceState state = inspect().orElse(null);
            int free = state == null ? sizeOfIdle() : free(state);
            if (free == 0 || (state != null && state.waiting() > 0)) {
                return null;
            }
            int own = size.now;
            Mode all = core.store().ability(SizeStore.class) == null
                    ? Mode.permits(Math.min(free, own), own)
                    : Mode.permits(free, own < free ? UNKNOWN : own);
            Permit permit = tryAcquire(order.withMode(all), place);
            if (permit != null) {
                return permit;
            }
        }
        return null;
    }

    @Override
    public void clearPermits() {
        SizeStore sizes = sizes();
        core.ask(() -> {
            sizes.clear(order.resource());
            return true;
        });
    }

    @Override
    public CompletableFuture<@Nullable Void> clearPermitsAsync() {
        sizes();
        return AsyncRequests.run(core, this::clearPermits);
    }

    @Override
    public CompletableFuture<Integer> availablePermitsAsync() {
        return AsyncRequests.call(core, this::availablePermits);
    }

    @Override
    public void resize(int permits) {
        int checked = check(permits);
        int before = size.now;
        size.next = checked;
        try {
            core.ask(() -> {
                SizeStore sizes = core.store().ability(SizeStore.class);
                if (sizes == null) {
                    core.store().resize(order.resource(), checked);
                } else {
                    sizes.set(order.resource(), checked);
                }
                return checked;
            });
            size.next = before == UNKNOWN ? UNKNOWN : checked;
            size.now = size.next;
        } catch (RuntimeException failed) {
            size.next = before;
            throw failed;
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> resizeAsync(int permits) {
        check(permits);
        return AsyncRequests.run(core, () -> resize(permits));
    }

    @Override
    public String toString() {
        return size.now == UNKNOWN ? order.resource().toString() : order.resource() + " of " + size.now;
    }

    /** The number of permits; {@code next} is ahead while the store is being told of another one. */
    private static final class Size {
        private volatile int now;
        private volatile int next;

        Size(int permits) {
            now = permits;
            next = permits;
        }
    }
}
