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
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.Holding;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A keeper that is open. */
public final class LiveKeeper implements Lockkeeper {

    private final Station station;
    private final boolean ownsBackend;
    private final AtomicBoolean closed = new AtomicBoolean();

    LiveKeeper(Station station, boolean ownsBackend) {
        this.station = station;
        this.ownsBackend = ownsBackend;
    }

    public static Lockkeeper connect(String url, Settings settings) {
        Backend backend = Backends.create(url);
        try {
            return new LiveKeeper(new Station(backend, settings), true);
        } catch (RuntimeException | Error failed) {
            backend.close();
            throw failed;
        }
    }

    public static Lockkeeper open(Backend backend, Settings settings) {
        return new LiveKeeper(new Station(backend, settings), false);
    }

    private void require(Capability capability) {
        ensureOpen();
        Features.require(station.backend(), capability);
    }

    private void ensureOpen() {
        if (closed.get()) {
            throw station.closedException();
        }
    }

    private WriteLock exclusive(Family family, String name, boolean fair) {
        ensureOpen();
        Resource resource = new Resource(family, name);
        Order order = Order.of(resource, Mode.EXCLUSIVE, station.settings().lease(), fair);
        return new WriteLock(station, order, null);
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
        return new LiveReadWriteLock(station, new Resource(Family.LOCK, name));
    }

    @Override
    public DistributedSemaphore semaphore(String name, int permits) {
        require(Capability.PERMITS);
        return new LiveSemaphore(station, new Resource(Family.SEMAPHORE, name), LiveSemaphore.check(permits));
    }

    @Override
    public DistributedLatch latch(String name) {
        require(Capability.LATCH);
        LatchStore latches = station.store().latches();
        if (latches == null) {
            throw new IllegalStateException(station.backend().describe() + " promises latches but has none");
        }
        return new LiveLatch(station, new Resource(Family.LATCH, name), latches);
    }

    @Override
    public MultiLock multiLock(String... names) {
        given(names, "names");
        return MultiLocks.of(Arrays.stream(names).map(this::lock).toList());
    }

    @Override
    public SegmentedLock segmentedLock(String name, int segments) {
        ensureOpen();
        return new LiveSegmentedLock(station, name, segments, station.settings().lease());
    }

    @Override
    public LeaderElection leaderElection(String name) {
        return new LiveElection(station, exclusive(Family.ELECTION, name, false));
    }

    @Override
    public RequestLocks requests() {
        require(Capability.PORTABLE);
        return new LiveRequestLocks(station);
    }

    @Override
    public ReleaseOutcome release(String name, String holdId) {
        given(name, "name");
        given(holdId, "holdId");
        ensureOpen();
        Resource permits = new Resource(Family.SEMAPHORE, name);
        if (find(permits, holdId) != null) {
            throw new IllegalArgumentException("The id " + holdId + " is that of permits of the " + permits
                    + ", not of a lock; use release(new Resource(Family.SEMAPHORE, \"" + name + "\"), id)");
        }
        return release(new Resource(Family.LOCK, name), holdId);
    }

    @Override
    public ReleaseOutcome release(Resource resource, String holdId) {
        given(resource, "resource");
        given(holdId, "holdId");
        ensureOpen();
        Holding own = find(resource, holdId);
        if (own != null) {
            HoldRecord record = HoldRecord.of(own);
            LiveHold hold = record == null ? null : record.hold();
            return hold == null ? station.returns().release(own) : hold.release();
        }
        boolean portable = station.backend().capabilities().contains(Capability.PORTABLE) && ClaimIds.isOne(holdId);
        if (!portable) {
            return ReleaseOutcome.NOT_HELD;
        }
        // Its holder may have requests under way that nobody here knows of.
        Release release = new Release(resource, holdId, station.settings().lease(), true, station.commandLimit());
        Reply<Release.Outcome> reply =
                station.call(resource, () -> station.store().release(release));
        if (reply.failed()) {
            station.chores().untilAnswered(resource, () -> station.store().release(release));
            return ReleaseOutcome.UNKNOWN;
        }
        return reply.answer() == Release.Outcome.RELEASED ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HELD;
    }

    private @Nullable Holding find(Resource resource, String holdId) {
        Holding[] found = {null};
        station.at(resource, post -> {
            for (Grant grant : post.engine.grants()) {
                for (Holding holding : grant.holdings()) {
                    if (holding.id().equals(holdId)) {
                        found[0] = holding;
                    }
                }
            }
        });
        return found[0];
    }

    @Override
    public Optional<ResourceState> inspect(Resource resource) {
        given(resource, "resource");
        return station.ask(() -> station.store().inspect(resource));
    }

    @Override
    public List<ResourceState> list(String prefix) {
        given(prefix, "prefix");
        return station.ask(() -> station.store().list(prefix));
    }

    @Override
    public boolean forceRelease(Resource resource) {
        given(resource, "resource");
        require(Capability.FORCE_RELEASE);
        return station.ask(() -> station.store().forceRelease(resource));
    }

    @Override
    public String id() {
        return station.id();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            station.close(ownsBackend);
        }
    }

    @Override
    public String toString() {
        return "keeper " + station.id().substring(0, 6) + " on "
                + station.backend().describe();
    }
}
