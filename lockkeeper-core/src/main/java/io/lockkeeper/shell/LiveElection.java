package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.Loss;
import io.lockkeeper.Overdue;
import io.lockkeeper.Registration;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.ResourceState;
import io.lockkeeper.engine.Pacing;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A candidate: it queues for the lock of the election, leads while it holds it, and queues again when it lost it. */
final class LiveElection implements LeaderElection {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    private final KeeperCore core;
    private final WriteLock lock;
    private final ReentrantLock guard = new ReentrantLock();
    private final CopyOnWriteArrayList<Listener> listeners = new CopyOnWriteArrayList<>();
    private final SerialTasks inOrder;
    private boolean joined;
    private @Nullable CompletableFuture<ExclusiveHold> standing;
    private @Nullable ExclusiveHold leading;

    LiveElection(KeeperCore core, WriteLock lock) {
        this.core = core;
        // Every leadership is a grant of its own, never one that was handed on: so its token is the term that the store
        // shows.
        this.lock = new WriteLock(core, lock.order.portable(), null);
        this.inOrder = new SerialTasks(core.workers()::callback);
    }

    @Override
    public String name() {
        return lock.name();
    }

    private LeaderElection view(DistributedLock changed) {
        return new LiveElection(core, (WriteLock) changed);
    }

    @Override
    public LeaderElection withLease(Duration lease) {
        return view(lock.withLease(lease));
    }

    @Override
    public LeaderElection withFixedLease(Duration lease) {
        return view(lock.withFixedLease(lease));
    }

    @Override
    public LeaderElection withMaxHold(Duration longest, Overdue whenOverdue) {
        return view(lock.withMaxHold(longest, whenOverdue));
    }

    @Override
    public void join() {
        if (core.isClosed()) {
            throw core.closedException();
        }
        guard.lock();
        try {
            if (joined) {
                return;
            }
            joined = true;
            core.candidates().add(this);
        } finally {
            guard.unlock();
        }
        stand();
    }

    private void stand() {
        CompletableFuture<ExclusiveHold> candidacy;
        guard.lock();
        try {
            if (!joined || standing != null || leading != null || core.isClosed()) {
                return;
            }
            candidacy = lock.acquireAsync();
            standing = candidacy;
        } finally {
            guard.unlock();
        }
        candidacy.whenComplete((hold, failure) -> {
            if (failure == null) {
                won(candidacy, hold);
            } else {
                failed(candidacy, failure);
            }
        });
    }

    private void won(CompletableFuture<ExclusiveHold> candidacy, ExclusiveHold hold) {
        boolean wanted;
        guard.lock();
        try {
            wanted = joined && standing == candidacy;
            if (wanted) {
                standing = null;
                leading = hold;
                tell(listener -> listener.elected(hold));
            }
        } finally {
            guard.unlock();
        }
        if (wanted) {
            hold.onLost(loss -> lost(hold, loss));
        } else {
            hold.releaseAsync();
        }
    }

    private void failed(CompletableFuture<ExclusiveHold> candidacy, Throwable failure) {
        guard.lock();
        try {
            if (standing != candidacy) {
                return;
            }
            standing = null;
        } finally {
            guard.unlock();
        }
        if (!core.isClosed()) {
            LOG.log(System.Logger.Level.WARNING, "Standing for " + lock + " failed; it stands again", failure);
            core.alarms().in(Pacing.ELECTION_RETRY, () -> core.workers().request(this::stand));
        }
    }

    private void lost(ExclusiveHold hold, Loss loss) {
        guard.lock();
        try {
            if (leading != hold) {
                return;
            }
            leading = null;
            tell(listener -> listener.deposed(loss));
        } finally {
            guard.unlock();
        }
        stand();
    }

    @Override
    public void leave() {
        ExclusiveHold resigned = resign();
        CompletableFuture<@Nullable Void> told = allTold();
        if (resigned != null) {
            resigned.release();
        }
        // A listener that leaves would wait for itself.
        if (!inOrder.runsHere()) {
            awaitTold(told);
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> leaveAsync() {
        ExclusiveHold resigned = resign();
        CompletableFuture<@Nullable Void> told = allTold();
        CompletableFuture<ReleaseOutcome> released =
                resigned == null ? CompletableFuture.completedFuture(ReleaseOutcome.NOT_HELD) : resigned.releaseAsync();
        return released.thenCompose(outcome -> told);
    }

    /** Complete when the listeners have been told all that there is to tell now. */
    private CompletableFuture<@Nullable Void> allTold() {
        CompletableFuture<@Nullable Void> told = new CompletableFuture<>();
        if (listeners.isEmpty()) {
            told.complete(null);
        } else {
            inOrder.add(() -> told.complete(null));
        }
        return told;
    }

    private void awaitTold(CompletableFuture<@Nullable Void> told) {
        try {
            told.get(Pacing.ELECTION_NOTICE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException later) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException blocked) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A listener of {0} has not returned for {1} s; the leadership was given back all the same",
                    lock,
                    Pacing.ELECTION_NOTICE.toSeconds());
        }
    }

    /** Stops standing and leading. @return the leadership, to be released */
    private @Nullable ExclusiveHold resign() {
        CompletableFuture<ExclusiveHold> candidacy;
        ExclusiveHold hold;
        guard.lock();
        try {
            joined = false;
            core.candidates().remove(this);
            candidacy = standing;
            standing = null;
            hold = leading;
            leading = null;
            if (hold != null) {
                tell(listener -> listener.deposed(null));
            }
        } finally {
            guard.unlock();
        }
        if (candidacy != null) {
            candidacy.cancel(false);
        }
        return hold;
    }

    private void tell(Consumer<Listener> event) {
        for (Listener listener : listeners) {
            inOrder.add(() -> event.accept(listener));
        }
    }

    @Override
    public boolean isLeader() {
        return leadership().isPresent();
    }

    @Override
    public Optional<ExclusiveHold> leadership() {
        guard.lock();
        try {
            ExclusiveHold hold = leading;
            return hold == null || hold.remaining().isZero() ? Optional.empty() : Optional.of(hold);
        } finally {
            guard.unlock();
        }
    }

    @Override
    public Optional<Leader> current() {
        Optional<ResourceState> state = core.ask(() -> core.store().inspect(lock.order.resource()));
        return state.flatMap(found -> found.grants().stream().findFirst())
                .map(grant -> new Leader(grant.holder(), grant.token()));
    }

    @Override
    public CompletableFuture<Optional<Leader>> currentAsync() {
        return AsyncRequests.call(core, this::current);
    }

    @Override
    public Registration addListener(Listener listener) {
        given(listener, "listener");
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    @Override
    public void close() {
        leave();
    }

    @Override
    public String toString() {
        return lock.toString();
    }
}
