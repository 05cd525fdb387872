package io.lockkeeper.shell;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.engine.StoreReply;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.WaiterTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The waiters for one latch in this process. One request is made for all of them: at once after a signal, and every second in
 * case a signal was lost.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>A waiter goes on when the generation that it first saw is not the current one any more, or is at zero. Looking at the
 *       count alone would miss a latch that was counted down and set again between two looks.
 *   <li>The slot is RESTING or DUE after each request, also one that an {@link Error} cut short; otherwise no request would be
 *       made for this latch again. {@link StoreCalls} throws nothing for that reason.
 * </ul>
 *
 * <p><b>States.</b> {@link #become} is the only place where the state changes; any change that is not in this table throws.
 *
 * <table>
 *   <caption>Transitions</caption>
 *   <tr><th>from</th><th>to</th><th>when</th></tr>
 *   <tr><td>RESTING</td><td>DUE</td><td>a waiter came, a signal came, or a second has passed</td></tr>
 *   <tr><td>DUE</td><td>REQUESTED</td><td>a thread sends the request</td></tr>
 *   <tr><td>REQUESTED</td><td>DUE</td><td>a waiter or a signal came, which may be newer than the answer</td></tr>
 *   <tr><td>REQUESTED, DUE</td><td>RESTING</td><td>the request has ended, and no other one is needed</td></tr>
 *   <tr><td>RESTING</td><td>REMOVED</td><td>nobody waits any more; another slot is made for the next waiter</td></tr>
 * </table>
 */
final class LatchSlot {

    private final KeeperCore core;
    private final Resource resource;
    private final LatchStore store;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Waiting> waiting = new ArrayList<>();
    private State state = State.RESTING;
    private @Nullable RuntimeException failure;
    private KeeperTimer.@Nullable Alarm alarm;

    /** Whether a request is needed or under way; see the table in {@link LatchSlot}. */
    private enum State {
        /** No request is under way. */
        RESTING,
        /** A request is to be sent: a thread is on its way to do so, or has one under way that may be too old. */
        DUE,
        /** A request is under way that is newer than every signal. */
        REQUESTED,
        /** Not used any more. */
        REMOVED;

        boolean mayBecome(State next) {
            return switch (this) {
                case RESTING -> next == DUE || next == REMOVED;
                case DUE -> next == REQUESTED || next == RESTING;
                case REQUESTED -> next == DUE || next == RESTING;
                case REMOVED -> false;
            };
        }
    }

    private void become(State next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("The slot of " + resource + " cannot change from " + state + " to " + next);
        }
        state = next;
    }

    LatchSlot(KeeperCore core, Resource resource, LatchStore store) {
        this.core = core;
        this.resource = resource;
        this.store = store;
    }

    /** Waits without a thread; null if this slot was removed, so that another one is to be used. */
    @Nullable
    CompletableFuture<Boolean> await(long timeout) {
        Waiting mine = new Waiting();
        lock.lock();
        try {
            if (state == State.REMOVED) {
                return null;
            }
            waiting.add(mine);
        } finally {
            lock.unlock();
        }
        if (core.isClosed()) {
            // It may have been closed after the caller looked and before this waiter was added.
            mine.future.completeExceptionally(core.closedException());
        }
        if (timeout != Long.MAX_VALUE) {
            mine.alarm = core.alarms()
                    .at(
                            Timeouts.deadline(core.now(), timeout),
                            () -> core.workers().request(() -> timeOut(mine)));
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
            if (state == State.RESTING) {
                core.alarms().cancel(alarm);
                core.workers().request(this::poll);
                become(State.DUE);
            } else if (state == State.REQUESTED) {
                become(State.DUE);
            }
        } finally {
            lock.unlock();
        }
    }

    private void poll() {
        boolean more = true;
        while (more) {
            lock.lock();
            try {
                become(State.REQUESTED);
            } finally {
                lock.unlock();
            }
            StoreReply<LatchStore.State> reply = core.calls().call(resource, () -> store.state(resource, true));
            more = answered(reply.answer(), reply.failure());
        }
    }

    private boolean answered(LatchStore.@Nullable State seen, @Nullable RuntimeException thrown) {
        List<Waiting> free = new ArrayList<>();
        List<Waiting> late = new ArrayList<>();
        lock.lock();
        try {
            failure = thrown;
            for (Waiting one : waiting) {
                if (seen != null && one.goesOn(seen)) {
                    free.add(one);
                } else if (one.late) {
                    late.add(one);
                }
            }
            waiting.removeAll(free);
            waiting.removeAll(late);
            if (state == State.DUE && !waiting.isEmpty()) {
                return true;
            }
            become(State.RESTING);
            if (!waiting.isEmpty()) {
                alarm = core.alarms().in(WaiterTimes.LONGEST_POLL, this::signal);
            }
            removeIfIdle();
        } finally {
            lock.unlock();
            for (Waiting one : free) {
                core.workers().callback(() -> one.future.complete(true));
            }
            for (Waiting one : late) {
                endWithoutOpening(one, thrown);
            }
        }
        return false;
    }

    /** The timeout has passed; but no waiter is told that the latch is closed before the store has answered once. */
    private void timeOut(Waiting mine) {
        RuntimeException silent = null;
        lock.lock();
        try {
            if (!waiting.contains(mine)) {
                // Its result is on its way already.
                return;
            }
            if (mine.generation == Waiting.NOT_SEEN) {
                silent = failure;
                mine.late = silent == null;
                if (mine.late) {
                    return;
                }
            }
            waiting.remove(mine);
        } finally {
            lock.unlock();
        }
        endWithoutOpening(mine, silent);
    }

    private void endWithoutOpening(Waiting mine, @Nullable RuntimeException silent) {
        core.workers().callback(() -> {
            if (silent == null) {
                mine.future.complete(false);
            } else {
                mine.future.completeExceptionally(new StoreUnavailableException(
                        "The store did not answer for " + resource + " (" + silent.getMessage() + ")", silent));
            }
        });
    }

    private void leave(Waiting mine) {
        core.alarms().cancel(mine.alarm);
        lock.lock();
        try {
            waiting.remove(mine);
            removeIfIdle();
        } finally {
            lock.unlock();
        }
    }

    private void removeIfIdle() {
        if (waiting.isEmpty() && state == State.RESTING) {
            become(State.REMOVED);
            core.alarms().cancel(alarm);
            core.latches().remove(resource, this);
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
            core.workers().callback(() -> one.future.completeExceptionally(core.closedException()));
        }
    }

    private static final class Waiting {
        private static final long NOT_SEEN = -1;

        private final CompletableFuture<Boolean> future = new CompletableFuture<>();
        private long generation = NOT_SEEN;
        /** Whether its timeout passed before the store had answered. */
        private boolean late;

        private KeeperTimer.@Nullable Alarm alarm;

        boolean goesOn(LatchStore.State seen) {
            if (generation == NOT_SEEN) {
                generation = seen.generation();
            }
            return seen.count() == 0 || seen.generation() != generation;
        }
    }
}
