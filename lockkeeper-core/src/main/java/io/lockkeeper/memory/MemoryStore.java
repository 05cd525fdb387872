package io.lockkeeper.memory;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.ExchangeStore;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.ExtendingStore;
import io.lockkeeper.spi.ForceReleaseStore;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.MemberStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.SemaphoreStore;
import io.lockkeeper.spi.SizeStore;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One keeper's access to a {@link MemoryBackend}. */
final class MemoryStore
        implements Store,
                NarrowingStore,
                SemaphoreStore,
                SizeStore,
                LatchStore,
                ForceReleaseStore,
                ExtendingStore,
                ExchangeStore,
                MemberStore {

    private final MemoryBackend backend;
    private final String keeperId;

    MemoryStore(MemoryBackend backend, String keeperId) {
        this.backend = backend;
        this.keeperId = keeperId;
    }

    @Override
    public Answer attempt(Claim claim) {
        return backend.request((store, now) -> store.attempt(keeperId, claim, now));
    }

    @Override
    public Release.Outcome release(Release release) {
        return backend.request((store, now) -> store.release(keeperId, release, now));
    }

    @Override
    public Exchanged exchange(Release release, Claim next) {
        return ExchangeStore.inTwoRequests(this, release, next);
    }

    @Override
    public List<Renewal> renew(List<Claim> held, Duration timeout) {
        return backend.request((store, now) -> store.renew(held, now));
    }

    @Override
    public Renewal raise(Claim held, long token, Duration timeout) {
        return backend.request((store, now) -> store.raise(held, token, now));
    }

    @Override
    public Renewal extend(Claim held, Duration timeout) {
        return backend.request((store, now) -> store.extend(held, now));
    }

    @Override
    public Duration uptime() {
        return backend.request((store, now) -> backend.uptime(now));
    }

    @Override
    public boolean narrow(Claim held, Mode to) {
        return backend.request((store, now) -> store.narrow(held, to, now));
    }

    @Override
    public Optional<ResourceState> inspect(Resource resource) {
        return backend.request((store, now) -> store.inspect(resource, now));
    }

    @Override
    public List<ResourceState> list(String prefix) {
        return backend.request((store, now) -> store.list(prefix, now));
    }

    @Override
    public boolean forceRelease(Resource resource) {
        return backend.request((store, now) -> store.forceRelease(resource, now));
    }

    @Override
    public void resize(Resource semaphore, int permits) {
        backend.request((store, now) -> {
            store.resize(semaphore, permits, now);
            return true;
        });
    }

    @Override
    public int size(Resource semaphore) {
        return backend.request((store, now) -> store.size(semaphore));
    }

    @Override
    public boolean trySet(Resource semaphore, String operation, int permits) {
        return backend.request((store, now) -> store.trySetSize(semaphore, operation, permits, now));
    }

    @Override
    public void set(Resource semaphore, int permits) {
        backend.request((store, now) -> {
            store.setSize(semaphore, permits, now);
            return true;
        });
    }

    @Override
    public int add(Resource semaphore, String operation, int change, int ifNone) {
        return backend.request((store, now) -> store.addSize(semaphore, operation, change, ifNone, now));
    }

    @Override
    public void clear(Resource semaphore) {
        backend.request((store, now) -> {
            store.clearSize(semaphore);
            return true;
        });
    }

    @Override
    public State state(Resource latch, boolean wake) {
        return backend.request((store, now) -> store.latchState(keeperId, latch, wake));
    }

    @Override
    public boolean set(Resource latch, String operation, int count) {
        return backend.request((store, now) -> store.latchSet(latch, operation, count, now));
    }

    @Override
    public boolean countDown(Resource latch, long generation, String operation) {
        return backend.request((store, now) -> store.latchCountDown(latch, generation, operation, now));
    }

    @Override
    public void delete(Resource latch, long generation) {
        backend.request((store, now) -> {
            store.latchDelete(latch, generation);
            return true;
        });
    }

    @Override
    public String storeId() {
        return backend.storeId();
    }

    @Override
    public void close() {
        backend.forget(keeperId);
    }
}
