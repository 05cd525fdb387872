package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.LockLostException;
import io.lockkeeper.Overdue;
import io.lockkeeper.OwnedLock;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.ResourceState;
import io.lockkeeper.SingleHold;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Owners;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A lock by name: an order, and who owns it by {@code lock()}. */
abstract class LiveLock<H extends SingleHold, L extends OwnedLock<H, L>> extends LiveAcquirable<H>
        implements OwnedLock<H, L> {

    /** Stands for the thread of levels that were locked without one; no thread has this id. */
    private static final long ASYNC = -1;

    private final @Nullable NamedOwner owner;

    LiveLock(KeeperCore core, AcquireOptions order, @Nullable NamedOwner owner) {
        super(core, order);
        this.owner = owner;
    }

    /** The same lock with another order or owner. */
    abstract L view(AcquireOptions changed, @Nullable NamedOwner changedOwner);

    /** An owner by name. Threads own under themselves, so the two never meet. */
    record NamedOwner(String name) {}

    /** The owner by {@code lock()} if it is not the thread. */
    @Nullable
    NamedOwner named() {
        return owner;
    }

    private Object owner() {
        return owner == null ? Thread.currentThread() : owner;
    }

    /** The thread that locks or unlocks under an owner's name; 0 if the owner is the thread. */
    static long threadOf(Object owner) {
        return owner instanceof Thread ? 0 : Thread.currentThread().getId();
    }

    private Mode mode() {
        return order.request().mode();
    }

    @Override
    public String name() {
        return order.resource().name();
    }

    @Override
    public L withLease(Duration lease) {
        return view(order.withLease(lease, core.backend()), owner);
    }

    @Override
    public L withFixedLease(Duration lease) {
        return view(order.withFixedLease(lease, core.backend()), owner);
    }

    @Override
    public L withMaxHold(Duration longest, Overdue whenOverdue) {
        return view(order.withMaxHold(longest, whenOverdue), owner);
    }

    @Override
    public L giveUpAfter(Duration silence) {
        return view(order.giveUpAfter(silence), owner);
    }

    @Override
    public L ownedBy(String owner) {
        given(owner, "owner");
        if (owner.isEmpty()) {
            throw new IllegalArgumentException("The name of an owner is empty; use something like a request id");
        }
        return view(order, new NamedOwner(owner));
    }

    @Override
    public L portable() {
        FeatureCheck.require(core.backend(), Capability.PORTABLE);
        return view(order.portable(), owner);
    }

    @Override
    public boolean isLocked() {
        return inspect().map(this::isLocked).orElse(false);
    }

    private boolean isLocked(ResourceState state) {
        boolean shared = mode() instanceof Mode.Shared;
        return state.grants().stream().anyMatch(grant -> grant.shared() == shared);
    }

    @Override
    public CompletableFuture<Boolean> isLockedAsync() {
        return AsyncRequests.call(core, this::isLocked);
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
    public boolean forceRelease() {
        FeatureCheck.require(core.backend(), Capability.FORCE_RELEASE);
        return isLocked() && core.ask(() -> core.store().forceRelease(order.resource()));
    }

    @Override
    public CompletableFuture<Boolean> forceReleaseAsync() {
        FeatureCheck.require(core.backend(), Capability.FORCE_RELEASE);
        return AsyncRequests.call(core, this::forceRelease);
    }

    @Override
    @SuppressWarnings("unchecked") // This lock's owners have this lock's kind of hold.
    public H currentHold() {
        EngineHold holding;
        ResourceSlot slot = core.enter(order.resource());
        try {
            holding = slot.owners.current(core.now(), owner(), mode());
        } finally {
            core.leave(slot, null);
        }
        HoldRecord record = HoldRecord.of(holding);
        LiveHold hold = record == null ? null : record.owned();
        if (hold == null) {
            throw new IllegalStateException("an owner's hold is unknown");
        }
        return (H) hold;
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return holdCount() > 0;
    }

    @Override
    public boolean isHeldByThread(Thread thread) {
        return levelsOf(given(thread, "thread")) > 0;
    }

    @Override
    public int holdCount() {
        return levelsOf(owner());
    }

    private int levelsOf(Object who) {
        ResourceSlot slot = core.enter(order.resource());
        try {
            return slot.owners.count(core.now(), who, mode());
        } finally {
            core.leave(slot, null);
        }
    }

    @Override
    public void lock() {
        try {
            own(Long.MAX_VALUE, false);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        own(Long.MAX_VALUE, true);
    }

    @Override
    public boolean tryLock() {
        try {
            return own(0, false);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        given(unit, "unit");
        long timeout = Math.max(unit.toNanos(time), 0);
        boolean owned = own(timeout, true);
        if (!owned) {
            TimeoutReport.log(core, order.resource(), Duration.ofNanos(timeout));
        }
        return owned;
    }

    private boolean own(long timeout, boolean interruptible) throws InterruptedException {
        return own(timeout, interruptible, null);
    }

    /** @param watch looks now and then while this waits; null for nothing to look at */
    final boolean own(long timeout, boolean interruptible, BlockingAcquisition.@Nullable Watch watch)
            throws InterruptedException {
        BlockingAcquisition wait = new BlockingAcquisition(core, order, timeout, interruptible, owner(), watch);
        EngineHold holding = wait.run();
        if (holding == null) {
            return wait.nested();
        }
        admit(order, holding);
        boolean needed = false;
        try {
            needed = own(holding);
        } finally {
            if (!needed) {
                LiveHold.drop(core, holding);
            }
        }
        return true;
    }

    @Override
    public CompletableFuture<@Nullable Void> lockAsync() {
        CompletableFuture<@Nullable Boolean> owned = ownAsync(Long.MAX_VALUE);
        CompletableFuture<@Nullable Void> result = new CompletableFuture<>();
        result.whenComplete((done, failure) -> owned.cancel(false));
        owned.whenComplete((has, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else if (!result.complete(null)) {
                core.workers().request(() -> undo(namedOwner()));
            }
        });
        return result;
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync() {
        return tryLockAsync(0);
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync(Duration wait) {
        CompletableFuture<Boolean> result = tryLockAsync(Timeouts.nanos(wait));
        result.thenAccept(owned -> {
            if (!owned) {
                TimeoutReport.logAsync(core, order.resource(), wait);
            }
        });
        return result;
    }

    private CompletableFuture<Boolean> tryLockAsync(long timeout) {
        CompletableFuture<@Nullable Boolean> owned = ownAsync(timeout);
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        result.whenComplete((done, failure) -> owned.cancel(false));
        owned.whenComplete((has, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else if (!result.complete(has != null) && has != null) {
                core.workers().request(() -> undo(namedOwner()));
            }
        });
        return result;
    }

    @Override
    public CompletableFuture<@Nullable Void> unlockAsync() {
        NamedOwner me = namedOwner();
        return AsyncRequests.run(core, () -> unlock(me, ASYNC));
    }

    private NamedOwner namedOwner() {
        if (owner == null) {
            throw new IllegalStateException("A thread cannot own " + order.resource()
                    + " asynchronously; name an owner by ownedBy(name), or use acquireAsync()");
        }
        return owner;
    }

    /** @return a future of true, or of null if the owner did not get it in time */
    private CompletableFuture<@Nullable Boolean> ownAsync(long timeout) {
        NamedOwner me = namedOwner();
        AcquisitionSite place = new AcquisitionSite();
        return new AsyncAcquisition<Boolean>(
                        core, order, timeout, holding -> ownedAsync(me, holding, place), new AsyncOwner(me))
                .start();
    }

    private Boolean ownedAsync(NamedOwner me, EngineHold holding, AcquisitionSite place) {
        admit(order, holding, place);
        if (!own(holding, me, ASYNC)) {
            core.workers().request(() -> LiveHold.drop(core, holding));
        }
        return true;
    }

    private void undo(NamedOwner me) {
        try {
            unlock(me, ASYNC);
        } catch (IllegalMonitorStateException lost) {
            // It is gone: nobody waits for it any more.
        }
    }

    /** How the owner of this view nests without a thread. */
    private final class AsyncOwner implements AsyncAcquisition.Owned<Boolean> {

        private final NamedOwner me;

        AsyncOwner(NamedOwner me) {
            this.me = me;
        }

        @Override
        public Object owner() {
            return me;
        }

        @Override
        public Owners.Nesting nest(ResourceSlot slot, Moment now) {
            slot.settle(now, me);
            return slot.owners.nest(now, me, mode(), ASYNC);
        }

        @Override
        public Boolean nested() {
            return true;
        }

        @Override
        public void undo() {
            LiveLock.this.undo(me);
        }
    }

    private boolean own(EngineHold holding) {
        Object me = owner();
        return own(holding, me, threadOf(me));
    }

    /** @return false if another thread of the same owner has got it meanwhile, as readers do: then this one nests */
    private boolean own(EngineHold holding, Object me, long thread) {
        ResourceSlot slot = core.enter(order.resource());
        try {
            if (owner != null) {
                switch (slot.owners.nest(core.now(), owner, mode(), thread)) {
                    case NESTED -> {
                        return false;
                    }
                    case NEVER -> throw slot.owners.readsAlready();
                    case ACQUIRE -> {}
                }
            }
            slot.owners.own(core.now(), me, holding, mode(), thread);
            // Lost already: the notification came before there was an owner that it could be taken from.
            slot.settle(core.now(), me);
            if (owner != null) {
                slot.engine.wakeOwner(owner);
            }
            return true;
        } finally {
            core.leave(slot, null);
        }
    }

    @Override
    public void unlock() {
        Object me = owner();
        unlock(me, threadOf(me));
    }

    private void unlock(Object me, long thread) {
        Owners.Unlocked unlocked;
        boolean held;
        Downgrade.Rest rest = null;
        ResourceSlot slot = core.enter(order.resource());
        try {
            Moment now = core.now();
            slot.settle(now, me);
            unlocked = slot.owners.unlock(now, me, mode(), thread);
            // Looked at here: once this slot is left, another thread of the same owner may release it.
            held = unlocked.holding().remaining(now) > 0;
            if (held && unlocked.what() == Owners.Unlocking.DOWNGRADE) {
                rest = Downgrade.byOwner(core, slot, unlocked.holding(), me, order);
            }
        } finally {
            core.leave(slot, null);
        }
        if (unlocked.what() == Owners.Unlocking.RELEASE) {
            held = release(unlocked.holding()) != ReleaseOutcome.NOT_HELD;
        }
        if (!held) {
            throw lost(unlocked.holding());
        }
        if (rest != null) {
            rest.run();
        }
    }

    private ReleaseOutcome release(EngineHold holding) {
        HoldRecord record = HoldRecord.of(holding);
        LiveHold hold = record == null ? null : record.owned();
        return hold == null ? core.returns().release(holding) : hold.release();
    }

    private static LockLostException lost(EngineHold holding) {
        return Owners.lost(holding, "another owner may have held it since; check what you wrote under it");
    }

    @Override
    public String toString() {
        return order.resource().toString();
    }
}
