package io.lockkeeper.spring.boot;

import io.lockkeeper.DistributedLatch;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MultiLock;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.RequestLocks;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.SegmentedLock;
import io.lockkeeper.StoreState;
import io.lockkeeper.spi.Backend;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A keeper as a bean: the names of its resources begin with the application's prefix, and it closes the backend that was made
 * for it. What it returns shows names with the prefix, as the store and other processes see them.
 */
final class ManagedKeeper implements Lockkeeper {

    private final Lockkeeper keeper;
    private final String prefix;
    private final @Nullable Backend backend;

    /** @param backend to be closed after the keeper; null for none */
    ManagedKeeper(Lockkeeper keeper, String prefix, @Nullable Backend backend) {
        this.keeper = keeper;
        this.prefix = prefix;
        this.backend = backend;
    }

    private Resource full(Resource resource) {
        return new Resource(resource.family(), prefix + resource.name());
    }

    @Override
    public DistributedLock lock(String name) {
        return keeper.lock(prefix + name);
    }

    @Override
    public DistributedLock fairLock(String name) {
        return keeper.fairLock(prefix + name);
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String name) {
        return keeper.readWriteLock(prefix + name);
    }

    @Override
    public DistributedSemaphore semaphore(String name, int permits) {
        return keeper.semaphore(prefix + name, permits);
    }

    @Override
    public DistributedSemaphore semaphore(String name) {
        return keeper.semaphore(prefix + name);
    }

    @Override
    public DistributedLatch latch(String name) {
        return keeper.latch(prefix + name);
    }

    @Override
    public MultiLock multiLock(String... names) {
        return keeper.multiLock(Arrays.stream(names).map(prefix::concat).toArray(String[]::new));
    }

    @Override
    public SegmentedLock segmentedLock(String name, int segments) {
        return keeper.segmentedLock(prefix + name, segments);
    }

    @Override
    public LeaderElection leaderElection(String name) {
        return keeper.leaderElection(prefix + name);
    }

    @Override
    public RequestLocks requests() {
        return prefix.isEmpty() ? keeper.requests() : new PrefixedRequests(keeper.requests(), prefix);
    }

    @Override
    public ReleaseOutcome release(String name, String holdId) {
        return keeper.release(prefix + name, holdId);
    }

    @Override
    public ReleaseOutcome release(Resource resource, String holdId) {
        return keeper.release(full(resource), holdId);
    }

    @Override
    public Optional<ResourceState> inspect(Resource resource) {
        return keeper.inspect(full(resource));
    }

    @Override
    public List<ResourceState> list(String start) {
        return keeper.list(prefix + start);
    }

    @Override
    public boolean forceRelease(Resource resource) {
        return keeper.forceRelease(full(resource));
    }

    @Override
    public StoreState storeState() {
        return keeper.storeState();
    }

    @Override
    public String id() {
        return keeper.id();
    }

    @Override
    public boolean drain(Duration wait) throws InterruptedException {
        return keeper.drain(wait);
    }

    @Override
    public void close() {
        try {
            keeper.close();
        } finally {
            if (backend != null) {
                backend.close();
            }
        }
    }

    @Override
    public String toString() {
        return keeper.toString();
    }
}
