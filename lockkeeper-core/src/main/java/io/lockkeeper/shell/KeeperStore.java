package io.lockkeeper.shell;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.ExchangeStore;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.ExtendingStore;
import io.lockkeeper.spi.ForceReleaseStore;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.SemaphoreStore;
import io.lockkeeper.spi.SizeStore;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The store as its keeper uses it, with all abilities; what the store does not have is refused. It is opened with the keeper,
 * or, for a lazy keeper, in the background as often as it takes. Until then every call fails like one that the store did not
 * answer.
 *
 * <p><b>Invariant.</b> The store is opened by one thread of the keeper at a time, and once. Were each caller to open it, a keeper
 * would have several accesses to one store, and nobody would close them but one; and a caller's timeout would not hold, since
 * opening may take longer. A store that is opened after this was closed is closed at once.
 *
 * <p>What a person has to mend, such as a wrong password, is a refusal and not silence: a caller that waits forever would
 * never learn of it.
 */
final class KeeperStore
        implements Store,
                NarrowingStore,
                SemaphoreStore,
                SizeStore,
                LatchStore,
                ForceReleaseStore,
                ExtendingStore,
                ExchangeStore {

    private final Backend backend;
    private final Keeper keeper;
    private final Executor opener;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Store open;
    /** The open store's ability to exchange, which is used too often to look it up each time. */
    private volatile @Nullable ExchangeStore exchange;

    /** Guarded by the lock, like what follows. */
    private @Nullable CompletableFuture<Store> opening;

    private boolean closed;

    /** @param opener runs an opening in the background, never behind the callers that wait for it */
    KeeperStore(Backend backend, Keeper keeper, Executor opener) {
        this.backend = backend;
        this.keeper = keeper;
        this.opener = opener;
    }

    /**
     * Opens the store on the calling thread, before anything else uses it.
     *
     * @throws StoreUnavailableException if it cannot be reached
     */
    void openNow() {
        Store opened = StoreAbility.checked(backend, backend.open(keeper));
        exchange = opened.ability(ExchangeStore.class);
        open = opened;
    }

    /** Begins to open the store in the background, so that it may be there when it is needed. */
    void prepare() {
        opening();
    }

    private Store store() {
        return store(keeper.commandTimeout());
    }

    private Store store(Duration timeout) {
        Store known = open;
        return known == null ? await(opening(), timeout) : known;
    }

    private CompletableFuture<Store> opening() {
        CompletableFuture<Store> mine;
        lock.lock();
        try {
            Store known = open;
            if (known != null) {
                return CompletableFuture.completedFuture(known);
            }
            if (opening != null) {
                return opening;
            }
            mine = new CompletableFuture<>();
            opening = mine;
        } finally {
            lock.unlock();
        }
        try {
            opener.execute(() -> open(mine));
        } catch (RuntimeException | Error notStarted) {
            ended(mine, null, notStarted);
        }
        return mine;
    }

    private void open(CompletableFuture<Store> mine) {
        Store opened = null;
        Throwable failure = null;
        try {
            opened = StoreAbility.checked(backend, backend.open(keeper));
        } catch (RuntimeException | Error thrown) {
            failure = thrown;
        }
        ended(mine, opened, failure);
    }

    private void ended(CompletableFuture<Store> mine, @Nullable Store opened, @Nullable Throwable failure) {
        boolean unwanted;
        lock.lock();
        try {
            opening = null;
            unwanted = closed;
            if (!unwanted) {
                exchange = opened == null ? null : opened.ability(ExchangeStore.class);
                open = opened;
            }
        } finally {
            lock.unlock();
        }
        if (opened == null) {
            mine.completeExceptionally(failure == null ? notYet(null) : failure);
        } else if (unwanted) {
            opened.close();
            mine.completeExceptionally(notYet(null));
        } else {
            mine.complete(opened);
        }
    }

    /** Waits for the opening. Like any request this is not cut short by an interrupt, which is kept. */
    private Store await(CompletableFuture<Store> mine, Duration timeout) {
        long deadline = keeper.clocks().now().mono() + timeout.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    long left = deadline - keeper.clocks().now().mono();
                    return mine.get(Math.max(0, left), TimeUnit.NANOSECONDS);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException tooLate) {
            throw notYet(tooLate);
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            if (cause instanceof StoreUnavailableException absent) {
                throw new StoreUnavailableException(String.valueOf(absent.getMessage()), absent);
            }
            throw StoreCalls.asFailure(cause == null ? failed : cause);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private StoreUnavailableException notYet(@Nullable Throwable cause) {
        return new StoreUnavailableException(
                "The store " + backend.describe() + " could not be opened yet; check that it runs and can be reached",
                cause);
    }

    @Override
    public Answer attempt(Claim claim) {
        Store store;
        try {
            store = store(claim.timeout());
        } catch (StoreUnavailableException absent) {
            throw absent;
        } catch (RuntimeException refused) {
            return new Answer.Refused(Answer.Cause.FINAL, String.valueOf(refused.getMessage()));
        }
        return store.attempt(claim);
    }

    @Override
    public Release.Outcome release(Release release) {
        return store(release.timeout()).release(release);
    }

    @Override
    public Exchanged exchange(Release release, Claim next) {
        ExchangeStore known = exchange;
        return known == null
                ? StoreAbility.of(store(release.timeout()), ExchangeStore.class).exchange(release, next)
                : known.exchange(release, next);
    }

    @Override
    public List<Renewal> renew(List<Claim> held, Duration timeout) {
        return store(timeout).renew(held, timeout);
    }

    @Override
    public Renewal extend(Claim held, Duration timeout) {
        return StoreAbility.of(store(timeout), ExtendingStore.class).extend(held, timeout);
    }

    /** Nothing is held before it is open. */
    @Override
    public String node(Resource resource) {
        Store known = open;
        return known == null ? "" : known.node(resource);
    }

    @Override
    public boolean isReachable() {
        Store known = open;
        return known == null || known.isReachable();
    }

    @Override
    public boolean narrow(Claim held, Mode to) {
        return StoreAbility.of(store(held.timeout()), NarrowingStore.class).narrow(held, to);
    }

    @Override
    public Optional<ResourceState> inspect(Resource resource) {
        return store().inspect(resource);
    }

    @Override
    public List<ResourceState> list(String prefix) {
        return store().list(prefix);
    }

    @Override
    public boolean forceRelease(Resource resource) {
        return StoreAbility.of(store(), ForceReleaseStore.class).forceRelease(resource);
    }

    @Override
    public void resize(Resource semaphore, int permits) {
        StoreAbility.of(store(), SemaphoreStore.class).resize(semaphore, permits);
    }

    /** What the backend declares, also before it is open. */
    @Override
    public <A extends StoreAbility> @Nullable A ability(Class<A> type) {
        return StoreAbility.isDeclared(type, backend.capabilities()) ? Store.super.ability(type) : null;
    }

    private SizeStore sizes() {
        return StoreAbility.of(store(), SizeStore.class);
    }

    @Override
    public int size(Resource semaphore) {
        return sizes().size(semaphore);
    }

    @Override
    public boolean trySet(Resource semaphore, String operation, int permits) {
        return sizes().trySet(semaphore, operation, permits);
    }

    @Override
    public void set(Resource semaphore, int permits) {
        sizes().set(semaphore, permits);
    }

    @Override
    public int add(Resource semaphore, String operation, int change, int ifNone) {
        return sizes().add(semaphore, operation, change, ifNone);
    }

    @Override
    public void clear(Resource semaphore) {
        sizes().clear(semaphore);
    }

    private LatchStore latches() {
        return StoreAbility.of(store(), LatchStore.class);
    }

    @Override
    public State state(Resource latch, boolean wake) {
        return latches().state(latch, wake);
    }

    @Override
    public boolean set(Resource latch, String operation, int count) {
        return latches().set(latch, operation, count);
    }

    @Override
    public boolean countDown(Resource latch, long generation, String operation) {
        return latches().countDown(latch, generation, operation);
    }

    @Override
    public void delete(Resource latch, long generation) {
        latches().delete(latch, generation);
    }

    @Override
    public String storeId() {
        return store().storeId();
    }

    @Override
    public void close() {
        Store known;
        lock.lock();
        try {
            closed = true;
            known = open;
        } finally {
            lock.unlock();
        }
        if (known != null) {
            known.close();
        }
    }
}
