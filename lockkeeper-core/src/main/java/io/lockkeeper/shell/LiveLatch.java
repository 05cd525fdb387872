package io.lockkeeper.shell;

import io.lockkeeper.CountPendingException;
import io.lockkeeper.DistributedLatch;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.LatchStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A count-down latch. Each operation has an id, so that it may be sent again until it is answered. */
final class LiveLatch implements DistributedLatch {

    private final Station station;
    private final Resource resource;
    private final LatchStore store;
    /** The generation that stood when last seen; the store refuses an old one. */
    private volatile long generation;

    LiveLatch(Station station, Resource resource, LatchStore store) {
        this.station = station;
        this.resource = resource;
        this.store = store;
    }

    @Override
    public String name() {
        return resource.name();
    }

    @Override
    public boolean trySetCount(int count) {
        check(count);
        String operation = station.terms().ids().get();
        return Patience.ask(station, () -> store.set(resource, operation, count));
    }

    private void check(int count) {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "A count of " + count + " for " + resource + " makes no sense; set 1 or more");
        }
    }

    @Override
    public CompletableFuture<Boolean> trySetCountAsync(int count) {
        check(count);
        return Background.call(station, () -> trySetCount(count));
    }

    @Override
    public int count() {
        return look().count();
    }

    private LatchStore.State look() {
        LatchStore.State state = Patience.ask(station, () -> store.state(resource, false));
        generation = state.generation();
        return state;
    }

    @Override
    public CompletableFuture<Integer> countAsync() {
        return Background.call(station, this::count);
    }

    @Override
    public void countDown() {
        String operation = station.terms().ids().get();
        long standing = generation == 0 ? lookFirst() : generation;
        while (standing != 0) {
            if (sent(standing, operation)) {
                return;
            }
            // Answered: another generation stands and nothing was counted.
            standing = lookFirst();
        }
    }

    /** The generation to count down in; 0 if the latch stands at zero. */
    private long lookFirst() {
        try {
            LatchStore.State state = look();
            return state.count() == 0 ? 0 : state.generation();
        } catch (StoreUnavailableException unanswered) {
            throw new StoreUnavailableException(
                    "The store did not answer for " + resource + "; nothing was counted, so try again", unanswered);
        }
    }

    /**
     * Counts down in one generation.
     *
     * @return false if it surely was not counted because another generation stands. If a reply was lost before, it may have
     *     been the very count that ended the old one; then it is done, and must not be counted for the new one too
     */
    private boolean sent(long counted, String operation) {
        AtomicInteger tries = new AtomicInteger();
        try {
            boolean stood = Patience.ask(station, () -> {
                tries.incrementAndGet();
                return store.countDown(resource, counted, operation);
            });
            return stood || tries.get() > 1;
        } catch (StoreUnavailableException | Error unanswered) {
            station.chores().untilAnswered(resource, () -> store.countDown(resource, counted, operation));
            throw new CountPendingException(
                    "The store did not answer countDown of " + resource
                            + "; it is counted as soon as the store is back, so do not repeat it",
                    unanswered);
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> countDownAsync() {
        return Background.run(station, this::countDown);
    }

    @Override
    public void await() throws InterruptedException {
        Futures.get(await(Long.MAX_VALUE));
    }

    @Override
    public boolean await(Duration wait) throws InterruptedException {
        return Futures.get(await(Waits.nanos(wait)));
    }

    @Override
    public CompletableFuture<@Nullable Void> awaitAsync() {
        CompletableFuture<Boolean> opened = await(Long.MAX_VALUE);
        return Futures.linked(opened, done -> null);
    }

    @Override
    public CompletableFuture<Boolean> awaitAsync(Duration wait) {
        return await(Waits.nanos(wait));
    }

    private CompletableFuture<Boolean> await(long limit) {
        if (station.isClosed()) {
            return CompletableFuture.failedFuture(station.closedException());
        }
        while (true) {
            CompletableFuture<Boolean> future = station.latches()
                    .computeIfAbsent(resource, missing -> new LatchPost(station, missing, store))
                    .await(limit);
            if (future != null) {
                return future;
            }
        }
    }

    @Override
    public void delete() {
        long standing = look().generation();
        if (standing != 0) {
            Patience.ask(station, () -> {
                store.delete(resource, standing);
                return true;
            });
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> deleteAsync() {
        return Background.run(station, this::delete);
    }

    @Override
    public String toString() {
        return resource.toString();
    }
}
