package io.lockkeeper.shell;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.LatchStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait for one latch in this process. One of them asks for all: at once when signalled, and every second in
 * case a signal was lost.
 *
 * <p><b>Invariant.</b> Whoever waits goes on when the generation that stood when he came is not the standing one any
 * more, or stands at zero. Looking at the count alone would miss a latch that was counted down and set anew between two
 * looks.
 */
final class LatchPost {

    private static final Duration LONGEST_POLL = Duration.ofSeconds(1);

    private final Station station;
    private final Resource resource;
    private final LatchStore store;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Waiting> waiting = new ArrayList<>();
    private boolean asking;
    private boolean askAgain;
    private boolean removed;
    private @Nullable RuntimeException failure;
    private Alarms.@Nullable Alarm alarm;

    LatchPost(Station station, Resource resource, LatchStore store) {
        this.station = station;
        this.resource = resource;
        this.store = store;
    }

    /** Waits without a thread; null if this post was taken down and another one is to be found. */
    @Nullable
    CompletableFuture<Boolean> await(long limit) {
        Waiting mine = new Waiting();
        lock.lock();
        try {
            if (removed) {
                return null;
            }
            waiting.add(mine);
        } finally {
            lock.unlock();
        }
        if (limit != Long.MAX_VALUE) {
            mine.alarm = station.alarms()
                    .at(
                            SyncWait.deadline(station.now(), limit),
                            () -> station.workers().request(() -> timeOut(mine)));
        }
        mine.future.whenComplete((opened, thrown) -> leave(mine));
        signal();
        return mine.future;
    }

    void signal() {
        lock.lock();
        try {
            if (waiting.isEmpty()) {
                return;
            }
            askAgain = true;
            if (!asking) {
                asking = true;
                station.alarms().cancel(alarm);
                station.workers().request(this::ask);
            }
        } finally {
            lock.unlock();
        }
    }

    private void ask() {
        boolean more = true;
        while (more) {
            lock.lock();
            try {
                askAgain = false;
            } finally {
                lock.unlock();
            }
            LatchStore.State state = null;
            RuntimeException thrown = null;
            try {
                state = store.state(resource, true);
            } catch (RuntimeException unanswered) {
                thrown = unanswered;
                station.storeFailed(resource, unanswered);
            }
            more = answered(state, thrown);
        }
    }

    private boolean answered(LatchStore.@Nullable State state, @Nullable RuntimeException thrown) {
        List<Waiting> free = new ArrayList<>();
        lock.lock();
        try {
            failure = thrown;
            if (state != null) {
                for (Waiting one : waiting) {
                    if (one.goesOn(state)) {
                        free.add(one);
                    }
                }
                waiting.removeAll(free);
            }
            if (askAgain && !waiting.isEmpty()) {
                return true;
            }
            asking = false;
            if (!waiting.isEmpty()) {
                alarm = station.alarms().in(LONGEST_POLL, this::signal);
            }
            removeIfIdle();
        } finally {
            lock.unlock();
            for (Waiting one : free) {
                station.workers().callback(() -> one.future.complete(true));
            }
        }
        return false;
    }

    private void timeOut(Waiting mine) {
        RuntimeException silent;
        lock.lock();
        try {
            silent = mine.generation == Waiting.NOT_SEEN ? failure : null;
        } finally {
            lock.unlock();
        }
        station.workers().callback(() -> {
            if (silent == null) {
                mine.future.complete(false);
            } else {
                mine.future.completeExceptionally(new StoreUnavailableException(
                        "The store did not answer for " + resource + " (" + silent.getMessage() + ")", silent));
            }
        });
    }

    private void leave(Waiting mine) {
        station.alarms().cancel(mine.alarm);
        lock.lock();
        try {
            waiting.remove(mine);
            removeIfIdle();
        } finally {
            lock.unlock();
        }
    }

    private void removeIfIdle() {
        if (waiting.isEmpty() && !asking && !removed) {
            removed = true;
            station.alarms().cancel(alarm);
            station.latches().remove(resource, this);
        }
    }

    void close() {
        List<Waiting> all;
        lock.lock();
        try {
            all = List.copyOf(waiting);
        } finally {
            lock.unlock();
        }
        for (Waiting one : all) {
            station.workers().callback(() -> one.future.completeExceptionally(station.closedException()));
        }
    }

    private static final class Waiting {
        private static final long NOT_SEEN = -1;

        private final CompletableFuture<Boolean> future = new CompletableFuture<>();
        private long generation = NOT_SEEN;
        private Alarms.@Nullable Alarm alarm;

        boolean goesOn(LatchStore.State state) {
            if (generation == NOT_SEEN) {
                generation = state.generation();
            }
            return state.count() == 0 || state.generation() != generation;
        }
    }
}
