package io.lockkeeper.shell;

import io.lockkeeper.Resource;
import io.lockkeeper.engine.Chore;
import io.lockkeeper.engine.KeeperPolicy;
import io.lockkeeper.engine.StoreReply;
import io.lockkeeper.spi.Clocks;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends releases, and other requests that no caller waits for, in the background: each one until the store has answered it.
 *
 * <p><b>Invariant.</b> A request is on its way to a thread, under way, or in the set of those that pause, and is removed from
 * that set only once: the code that removes it starts it, be it the timer or the end of an outage. Were it started by both, two
 * requests of one claim would be under way at a time.
 */
final class BackgroundReleases {

    private final KeeperCore core;
    private final Set<Work> pausing = ConcurrentHashMap.newKeySet();
    /** Those that were not sent yet, or whose first request is under way. */
    private final Set<Work> untried = ConcurrentHashMap.newKeySet();
    /** Those that no engine waits for and that were not answered yet. */
    private final Set<Work> unanswered = ConcurrentHashMap.newKeySet();

    BackgroundReleases(KeeperCore core) {
        this.core = core;
    }

    /** Does what an engine asked for, and tells it when that is settled. */
    void take(Resource resource, Chore chore) {
        Work work = new Work(
                resource,
                () -> send(chore),
                () -> pointless(resource, chore),
                () -> core.at(resource, slot -> slot.engine.settled()));
        untried.add(work);
        start(work);
    }

    /** Waits until what is to be sent about a resource at this moment was sent once, whatever came of it; at most for this long. */
    void awaitFirstTries(Resource resource, Duration timeout) {
        List<CompletableFuture<@Nullable Void>> tries = untried.stream()
                .filter(work -> work.resource.equals(resource))
                .map(work -> work.tried)
                .toList();
        try {
            CompletableFuture.allOf(tries.toArray(CompletableFuture[]::new))
                    .get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException later) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException unknown) {
            // Then it is not known whether it was sent.
        }
    }

    /** Repeats a request that was not answered, until it is or the keeper is closed. */
    void untilAnswered(Resource resource, Supplier<?> request) {
        Work work = new Work(resource, request, () -> false, () -> {});
        unanswered.add(work);
        work.tries = 1;
        pause(work);
    }

    private @Nullable Object send(Chore chore) {
        if (chore instanceof Chore.End end) {
            return core.store().release(end.release());
        }
        Chore.Narrow narrow = (Chore.Narrow) chore;
        return core.store().narrow(narrow.held(), narrow.to());
    }

    private void start(Work work) {
        core.workers().request(() -> attempt(work));
    }

    @SuppressWarnings(
            "NonAtomicVolatileUpdate") // One attempt at a time, each on a thread that the one before it started.
    private void attempt(Work work) {
        StoreReply<?> reply = core.calls().call(work.resource, work.request);
        untried.remove(work);
        work.tried.complete(null);
        if (reply.failed() && !core.isClosed() && !work.pointless.getAsBoolean()) {
            work.tries++;
            pause(work);
        } else {
            unanswered.remove(work);
            work.settled.run();
        }
    }

    private void pause(Work work) {
        long now = core.now().mono();
        work.notBefore = now + KeeperPolicy.FIRST_RELEASE_RETRY.toNanos();
        pausing.add(work);
        Duration pause = KeeperPolicy.FIRST_RELEASE_RETRY.multipliedBy(
                1L << Math.min(work.tries - 1, KeeperPolicy.RELEASE_RETRY_DOUBLINGS));
        core.alarms().at(now + pause.toNanos(), () -> resume(work));
    }

    private void resume(Work work) {
        if (pausing.remove(work)) {
            start(work);
        }
    }

    /**
     * The store answers again, so what pauses is sent soon. But nothing is sent more often than at first, since the store may
     * answer other requests and never this one.
     */
    void storeIsBack() {
        for (Work work : pausing) {
            core.alarms().at(work.notBefore, () -> resume(work));
        }
    }

    private boolean pointless(Resource resource, Chore chore) {
        ResourceSlot slot = core.enter(resource);
        try {
            return slot.engine.pointless(core.now(), chore);
        } finally {
            core.leave(slot, null);
        }
    }

    /**
     * Waits until everything is answered, at most for this long. Callers' own requests count too: what one of them is granted
     * or gives back at this moment must reach the store before the store is closed.
     */
    void finish(Duration timeout) {
        // By both clocks: one that a test moves may stand still, or be moved far while nobody really waits.
        long end = core.now().mono() + timeout.toNanos();
        long realEnd = Clocks.system().now().mono() + timeout.toNanos();
        boolean interrupted = false;
        for (long nap = KeeperPolicy.FIRST_CLOSING_PAUSE.toNanos();
                !core.isSettled() || !unanswered.isEmpty();
                nap = Math.min(2 * nap, KeeperPolicy.LONGEST_CLOSING_PAUSE.toNanos())) {
            long now = core.now().mono();
            if (now >= end || Clocks.system().now().mono() >= realEnd) {
                break;
            }
            core.clocks().park(this, Math.min(now + nap, end));
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A request that is repeated until it is answered. */
    private static final class Work {
        private final Resource resource;
        private final Supplier<?> request;
        private final BooleanSupplier pointless;
        private final Runnable settled;
        private final CompletableFuture<@Nullable Void> tried = new CompletableFuture<>();
        private volatile int tries;
        /** The earliest time of the next try, on the monotonic clock, whatever happens. */
        private volatile long notBefore;

        Work(Resource resource, Supplier<?> request, BooleanSupplier pointless, Runnable settled) {
            this.resource = resource;
            this.request = request;
            this.pointless = pointless;
            this.settled = settled;
        }
    }
}
