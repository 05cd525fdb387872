package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.Loss;
import io.lockkeeper.Overdue;
import io.lockkeeper.Registration;
import io.lockkeeper.ResourceState;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.engine.KeeperPolicy;
import io.lockkeeper.spi.Capability;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A candidate: it queues for the lock of the election, leads while it holds it, and queues again when it lost it.
 *
 * <p><b>Invariant.</b> It stands only if it neither leads nor runs a task: were it to stand while the task of a leadership that is
 * over still runs, it could be elected again and run the task twice at once.
 *
 * <p>While it stands or leads it also shares the resource of its {@link CandidateMark}, by which others see it.
 */
final class LiveElection implements LeaderElection {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    /** What fits into {@link io.lockkeeper.HolderInfo#thread}. */
    private static final int LONGEST_ID = 64;

    private final KeeperCore core;
    private final WriteLock lock;
    /** The id that the application chose. */
    private final @Nullable String chosenId;

    private final String id;
    private final CandidateMark mark;
    private final ReentrantLock guard = new ReentrantLock();
    private final LeaderListeners listeners;
    private final LeaderWaiters waiters;
    private boolean joined;
    private @Nullable CompletableFuture<ExclusiveHold> standing;
    private @Nullable ExclusiveHold leading;
    /** What to run while leading. */
    private @Nullable Task task;
    /** The run of the task that has not ended yet. */
    private @Nullable LeaderRun run;

    LiveElection(KeeperCore core, WriteLock lock) {
        this(core, lock, null);
    }

    private LiveElection(KeeperCore core, WriteLock lock, @Nullable String chosenId) {
        this.core = core;
        this.chosenId = chosenId;
        this.id = chosenId == null ? core.terms().ids().get() : chosenId;
        // Every leadership is a grant of its own, never one that was handed on: so its token is the term that the store
        // shows.
        this.lock = new WriteLock(core, lock.order.portable().withShownAs(id), null);
        this.mark = new CandidateMark(core, this.lock.order);
        this.listeners = new LeaderListeners(core.workers());
        this.waiters = new LeaderWaiters(core, guard);
    }

    @Override
    public String name() {
        return lock.name();
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public LeaderElection as(String changed) {
        given(changed, "id");
        if (changed.isEmpty() || changed.length() > LONGEST_ID) {
            throw new IllegalArgumentException("The id of a candidate has 1 to " + LONGEST_ID + " characters, not "
                    + changed.length() + ": '" + changed + "'");
        }
        return new LiveElection(core, lock, changed);
    }

    private LeaderElection view(DistributedLock changed) {
        return new LiveElection(core, (WriteLock) changed, chosenId);
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
    public LeaderElection giveUpAfter(Duration silence) {
        return view(lock.giveUpAfter(silence));
    }

    @Override
    public void join() {
        join(null, false);
    }

    @Override
    public void join(Task whileLeading) {
        given(whileLeading, "task");
        join(whileLeading, true);
    }

    private void join(@Nullable Task whileLeading, boolean first) {
        if (core.refusesNew()) {
            throw core.refusal();
        }
        guard.lock();
        try {
            if (joined && first) {
                throw new IllegalStateException("The candidate " + id + " has joined " + lock
                        + " already; leave it before you join with another task");
            }
            if (joined) {
                return;
            }
            joined = true;
            task = whileLeading;
            core.candidates().add(this);
        } finally {
            guard.unlock();
        }
        mark.set();
        stand();
    }

    private void stand() {
        CompletableFuture<ExclusiveHold> candidacy;
        guard.lock();
        try {
            if (!joined || standing != null || leading != null || run != null) {
                return;
            }
            if (core.isClosed()) {
                waiters.fail(core.closedException());
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
        LeaderRun begun = null;
        guard.lock();
        try {
            wanted = joined && standing == candidacy;
            if (wanted) {
                standing = null;
                leading = hold;
                listeners.tell(listener -> listener.elected(hold));
                if (task != null) {
                    begun = new LeaderRun(task, hold, this::ended);
                    run = begun;
                }
                waiters.complete(hold);
            }
        } finally {
            guard.unlock();
        }
        if (!wanted) {
            hold.releaseAsync();
            return;
        }
        hold.onLost(loss -> lost(hold, loss));
        if (begun != null) {
            begun.start(core.workers());
        }
    }

    /** The task ended: of itself, so that it resigns; or because the leadership is over, so that it may stand again now. */
    private void ended(LeaderRun over, @Nullable Throwable thrown) {
        ExclusiveHold hold = over.leadership();
        boolean resigns;
        guard.lock();
        try {
            if (run != over) {
                return;
            }
            run = null;
            resigns = leading == hold;
            if (resigns) {
                leading = null;
                listeners.tell(listener -> listener.deposed(new Deposition(hold.token(), Optional.empty())));
            }
        } finally {
            guard.unlock();
        }
        if (resigns) {
            hold.releaseAsync().whenComplete((outcome, failure) -> standAgain(thrown != null));
        } else {
            stand();
        }
    }

    private void standAgain(boolean later) {
        if (later) {
            core.alarms().in(KeeperPolicy.ELECTION_RETRY, () -> core.workers().request(this::stand));
        } else {
            stand();
        }
    }

    private void failed(CompletableFuture<ExclusiveHold> candidacy, Throwable failure) {
        guard.lock();
        try {
            if (standing != candidacy) {
                return;
            }
            standing = null;
            if (core.isClosed()) {
                waiters.fail(core.closedException());
                return;
            }
            if (failure instanceof StoreUnavailableException silent) {
                waiters.fail(silent);
            }
        } finally {
            guard.unlock();
        }
        LOG.log(System.Logger.Level.WARNING, "Standing for " + lock + " failed; it stands again", failure);
        standAgain(true);
    }

    private void lost(ExclusiveHold hold, Loss loss) {
        guard.lock();
        try {
            if (leading != hold) {
                return;
            }
            leading = null;
            listeners.tell(listener -> listener.deposed(new Deposition(hold.token(), Optional.of(loss))));
            if (run != null) {
                run.stop();
            }
        } finally {
            guard.unlock();
        }
        stand();
    }

    @Override
    public void leave() {
        Resignation resigned = resign();
        CompletableFuture<@Nullable Void> told = listeners.allTold();
        if (resigned.run != null && !resigned.run.runsHere()) {
            await(resigned.run.ended(), "The task");
        }
        if (resigned.leadership != null) {
            resigned.leadership.release();
        }
        // A listener that leaves would wait for itself.
        if (!listeners.runHere()) {
            await(told, "A listener");
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> leaveAsync() {
        Resignation resigned = resign();
        CompletableFuture<@Nullable Void> told = listeners.allTold();
        ExclusiveHold hold = resigned.leadership;
        if (hold == null) {
            return told;
        }
        CompletableFuture<@Nullable Void> stopped = new CompletableFuture<>();
        if (resigned.run == null || resigned.run.runsHere()) {
            stopped.complete(null);
        } else {
            KeeperTimer.Alarm alarm = core.alarms()
                    .in(KeeperPolicy.ELECTION_NOTICE, () -> core.workers().request(() -> stopped.complete(null)));
            resigned.run.ended().thenRun(() -> {
                core.alarms().cancel(alarm);
                stopped.complete(null);
            });
        }
        return stopped.thenCompose(end -> hold.releaseAsync()).thenCompose(outcome -> told);
    }

    /** What is left to do for a candidate that resigned: a leadership to release, after that run has ended. */
    private record Resignation(
            @Nullable ExclusiveHold leadership, @Nullable LeaderRun run) {}

    private record Deposition(long term, Optional<Loss> loss) implements Deposed {}

    private void await(CompletableFuture<@Nullable Void> end, String who) {
        try {
            end.get(KeeperPolicy.ELECTION_NOTICE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException later) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException blocked) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} of {1} has not returned for {2} s; the leadership is given back all the same",
                    who,
                    lock,
                    KeeperPolicy.ELECTION_NOTICE.toSeconds());
        }
    }

    /** Stops standing and leading. */
    private Resignation resign() {
        CompletableFuture<ExclusiveHold> candidacy;
        ExclusiveHold hold;
        LeaderRun stopped;
        guard.lock();
        try {
            joined = false;
            core.candidates().remove(this);
            candidacy = standing;
            standing = null;
            hold = leading;
            leading = null;
            stopped = run;
            if (stopped != null) {
                stopped.stop();
            }
            if (hold != null) {
                long term = hold.token();
                listeners.tell(listener -> listener.deposed(new Deposition(term, Optional.empty())));
            }
            waiters.fail(new IllegalStateException("The candidate " + id + " has left " + lock));
        } finally {
            guard.unlock();
        }
        mark.clear();
        if (candidacy != null) {
            candidacy.cancel(false);
        }
        return new Resignation(hold, stopped);
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
    @SuppressWarnings("NullAway") // An endless wait never ends with null.
    public ExclusiveHold await() throws InterruptedException {
        return await(Long.MAX_VALUE);
    }

    @Override
    public @Nullable ExclusiveHold await(Duration wait) throws InterruptedException {
        return await(Timeouts.nanos(wait));
    }

    private @Nullable ExclusiveHold await(long timeout) throws InterruptedException {
        long deadline = Timeouts.deadline(core.now(), timeout);
        return waiters.await(awaitAsync(), deadline, this);
    }

    @Override
    public CompletableFuture<ExclusiveHold> awaitAsync() {
        CompletableFuture<ExclusiveHold> future = new CompletableFuture<>();
        guard.lock();
        try {
            Optional<ExclusiveHold> now = leadership();
            if (now.isPresent()) {
                return CompletableFuture.completedFuture(now.get());
            }
            if (core.isClosed()) {
                return CompletableFuture.failedFuture(core.closedException());
            }
            if (!joined) {
                return CompletableFuture.failedFuture(new IllegalStateException(
                        "The candidate " + id + " has not joined " + lock + "; join it first"));
            }
            waiters.add(future);
        } finally {
            guard.unlock();
        }
        future.whenComplete((hold, failure) -> {
            if (future.isCancelled()) {
                waiters.forget(future);
            }
        });
        return future;
    }

    @Override
    public List<Candidate> candidates() {
        return mark.all();
    }

    @Override
    public CompletableFuture<List<Candidate>> candidatesAsync() {
        return AsyncRequests.call(core, this::candidates);
    }

    @Override
    public Optional<Leader> current() {
        FeatureCheck.require(core.backend(), Capability.HOLDERS);
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
        return listeners.add(listener);
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
