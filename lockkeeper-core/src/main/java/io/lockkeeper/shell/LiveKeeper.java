package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.DistributedLatch;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.Family;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MultiLock;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.RequestLocks;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.SegmentedLock;
import io.lockkeeper.StoreState;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.StoreReply;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The keeper that applications use, on a {@link KeeperCore}. */
public final class LiveKeeper implements Lockkeeper {

    private final KeeperCore core;
    private final boolean ownsBackend;
    private final AtomicBoolean closed = new AtomicBoolean();

    LiveKeeper(KeeperCore core, boolean ownsBackend) {
        this.core = core;
        this.ownsBackend = ownsBackend;
    }

    public static Lockkeeper connect(String url, Settings settings) {
        Backend backend = BackendFinder.create(url);
        try {
            return new LiveKeeper(new KeeperCore(backend, settings), true);
        } catch (RuntimeException | Error failed) {
            backend.close();
            throw failed;
        }
    }

    public static Lockkeeper open(Backend backend, Settings settings) {
        return new LiveKeeper(new KeeperCore(backend, settings), false);
    }

    private void require(Capability capability) {
        ensureOpen();
        FeatureCheck.require(core.backend(), capability);
    }

    private void ensureOpen() {
        if (closed.get()) {
            throw core.closedException();
        }
    }

    private WriteLock exclusive(Family family, String name, boolean fair) {
        ensureOpen();
        Resource resource = new Resource(family, name);
        AcquireOptions order =
                AcquireOptions.of(resource, Mode.EXCLUSIVE, core.settings().lease(), fair);
        return new WriteLock(core, order, null);
    }

    @Override
    public DistributedLock lock(String name) {
        return exclusive(Family.LOCK, name, false);
    }

    @Override
    public DistributedLock fairLock(String name) {
        require(Capability.FAIR);
        return exclusive(Family.LOCK, name, true);
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String name) {
        require(Capability.SHARED);
        return new LiveReadWriteLock(core, new Resource(Family.LOCK, name));
    }

    @Override
    public DistributedSemaphore semaphore(String name, int permits) {
        require(Capability.PERMITS);
        return new LiveSemaphore(core, new Resource(Family.SEMAPHORE, name), LiveSemaphore.check(permits));
    }

    @Override
    public DistributedSemaphore semaphore(String name) {
        require(Capability.PERMITS);
        require(Capability.SIZES);
        return new LiveSemaphore(core, new Resource(Family.SEMAPHORE, name), LiveSemaphore.UNKNOWN);
    }

    @Override
    public DistributedLatch latch(String name) {
        require(Capability.LATCH);
        return new LiveLatch(core, new Resource(Family.LATCH, name), core.store());
    }

    @Override
    public MultiLock multiLock(String... names) {
        given(names, "names");
        return MultiLocks.of(Arrays.stream(names).map(this::lock).toList());
    }

    @Override
    public SegmentedLock segmentedLock(String name, int segments) {
        ensureOpen();
        return new LiveSegmentedLock(core, name, segments, core.settings().lease());
    }

    @Override
    public LeaderElection leaderElection(String name) {
        return new LiveElection(core, exclusive(Family.ELECTION, name, false));
    }

    @Override
    public RequestLocks requests() {
        require(Capability.PORTABLE);
        return new LiveRequestLocks(core);
    }

    @Override
    public ReleaseOutcome release(String name, String holdId) {
        given(name, "name");
        given(holdId, "holdId");
        ensureOpen();
        Resource permits = Resource.semaphore(name);
        if (find(permits, holdId) != null) {
            throw permitsNotALock(permits, holdId);
        }
        ReleaseOutcome outcome = release(Resource.lock(name), holdId);
        if (outcome == ReleaseOutcome.NOT_HELD && arePortablePermits(permits, holdId)) {
            throw permitsNotALock(permits, holdId);
        }
        return outcome;
    }

    private static IllegalArgumentException permitsNotALock(Resource permits, String holdId) {
        return new IllegalArgumentException("The id " + holdId + " is that of permits of the " + permits
                + ", not of a lock; use release(Resource.semaphore(\"" + permits.name() + "\"), id)");
    }

    /** Asks the store, which changes nothing: a fixed claim is confirmed and not extended. */
    private boolean arePortablePermits(Resource semaphore, String holdId) {
        Set<Capability> offered = core.backend().capabilities();
        if (!offered.contains(Capability.PERMITS)
                || !offered.contains(Capability.PORTABLE)
                || !ClaimIds.isOne(holdId)) {
            return false;
        }
        Claim claim = Claim.of(
                        holdId,
                        semaphore,
                        Mode.permits(1, 0),
                        core.settings().lease(),
                        core.holder(),
                        core.commandTimeout())
                .withFixed(true);
        StoreReply<List<Renewal>> reply =
                core.calls().call(semaphore, () -> core.store().renew(List.of(claim), core.commandTimeout()));
        List<Renewal> answer = reply.answer();
        return answer != null && answer.get(0) instanceof Renewal.Kept;
    }

    @Override
    public ReleaseOutcome release(Resource resource, String holdId) {
        given(resource, "resource");
        given(holdId, "holdId");
        ensureOpen();
        EngineHold own = find(resource, holdId);
        if (own != null) {
            HoldRecord record = HoldRecord.of(own);
            LiveHold hold = record == null ? null : record.hold();
            return hold == null ? core.returns().release(own) : hold.release();
        }
        boolean portable = core.backend().capabilities().contains(Capability.PORTABLE) && ClaimIds.isOne(holdId);
        if (!portable) {
            return ReleaseOutcome.NOT_HELD;
        }
        // Its holder may have requests under way that nobody here knows of.
        Release release = new Release(resource, holdId, core.settings().lease(), true, core.commandTimeout());
        StoreReply<Release.Outcome> reply =
                core.calls().call(resource, () -> core.store().release(release));
        if (reply.failed()) {
            core.chores().untilAnswered(resource, () -> core.store().release(release));
            return ReleaseOutcome.UNKNOWN;
        }
        return reply.answer() == Release.Outcome.RELEASED ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HELD;
    }

    @SuppressWarnings("NullAway") // The result is null where there is none.
    private @Nullable EngineHold find(Resource resource, String holdId) {
        return core.at(resource, null, slot -> {
            for (Grant grant : slot.engine.grants()) {
                for (EngineHold holding : grant.holdings()) {
                    if (holding.id().equals(holdId)) {
                        return holding;
                    }
                }
            }
            return null;
        });
    }

    @Override
    public Optional<ResourceState> inspect(Resource resource) {
        given(resource, "resource");
        return core.ask(() -> core.store().inspect(resource));
    }

    @Override
    public List<ResourceState> list(String prefix) {
        given(prefix, "prefix");
        require(Capability.HOLDERS);
        return core.ask(() -> core.store().list(prefix));
    }

    @Override
    public boolean forceRelease(Resource resource) {
        given(resource, "resource");
        require(Capability.FORCE_RELEASE);
        return core.ask(() -> core.store().forceRelease(resource));
    }

    @Override
    public StoreState storeState() {
        return core.storeState();
    }

    @Override
    public String id() {
        return core.id();
    }

    @Override
    public boolean drain(Duration wait) throws InterruptedException {
        long timeout = Timeouts.nanos(wait);
        ensureOpen();
        return new Drain(core).run(Timeouts.deadline(core.now(), timeout));
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            core.close(ownsBackend);
        }
    }

    @Override
    public String toString() {
        return "keeper " + core.id().substring(0, 6) + " on " + core.backend().describe();
    }
}
