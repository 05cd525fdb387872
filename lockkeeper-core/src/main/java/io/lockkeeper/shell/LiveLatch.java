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

    private final KeeperCore core;
    private final Resource resource;
    private final LatchStore store;
    /** The generation that stood when last seen; the store refuses an old one. */
    private volatile long generation;

    LiveLatch(KeeperCore core, Resource resource, LatchStore store) {
        this.core = core;
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
        String operation = core.terms().ids().get();
        return RequestRetry.ask(core, () -> store.set(resource, operation, count));
    }

    private void check(int count) {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "A count of " + count + " for " + resource + " is not possible; set 1 or more");
        }
    }

    @Override
    public CompletableFuture<Boolean> trySetCountAsync(int count) {
        check(count);
        return AsyncRequests.call(core, () -> trySetCount(count));
    }

    @Override
    public int count() {
        return look().count();
    }

    private LatchStore.State look() {
        LatchStore.State state = RequestRetry.ask(core, () -> store.state(resource, false));
        generation = state.generation();
        return state;
    }

    @Override
    public CompletableFuture<Integer> countAsync() {
        return AsyncRequests.call(core, this::count);
    }

    @Override
    public void countDown() {
        String operation = core.terms().ids().get();
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
            boolean stood = RequestRetry.ask(core, () -> {
                tries.incrementAndGet();
                return store.countDown(resource, counted, operation);
            });
            return stood || tries.get() > 1;
        } catch (StoreUnavailableException | Error unanswered) {
            core.chores().untilAnswered(resource, () -> store.countDown(resource, counted, operation));
            throw new CountPendingException(
                    "The store did not answer countDown of " + resource
                            + "; it is counted as soon as the store is back, so do not repeat it",
                    unanswered);
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> countDownAsync() {
        return AsyncRequests.run(core, this::countDown);
    }

    @Override
    public void await() throws InterruptedException {
        Futures.get(await(Long.MAX_VALUE));
    }

    @Override
    public boolean await(Duration wait) throws InterruptedException {
        return Futures.get(await(Timeouts.nanos(wait)));
    }

    @Override
    public CompletableFuture<@Nullable Void> awaitAsync() {
        CompletableFuture<Boolean> opened = await(Long.MAX_VALUE);
        return Futures.linked(opened, done -> null);
    }

    @Override
    public CompletableFuture<Boolean> awaitAsync(Duration wait) {
        return await(Timeouts.nanos(wait));
    }

    private CompletableFuture<Boolean> await(long timeout) {
        if (core.isClosed()) {
            return CompletableFuture.failedFuture(core.closedException());
        }
        return LatchSlot.await(core, resource, store, timeout);
    }

    @Override
    public void delete() {
        long standing = look().generation();
        if (standing != 0) {
            RequestRetry.ask(core, () -> {
                store.delete(resource, standing);
                return true;
            });
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> deleteAsync() {
        return AsyncRequests.run(core, this::delete);
    }

    @Override
    public String toString() {
        return resource.toString();
    }
}
