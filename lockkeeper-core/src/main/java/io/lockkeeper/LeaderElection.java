package io.lockkeeper;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A candidate in an election among processes. A candidate that joined keeps standing: it is elected, may lose the leadership,
 * and stands again by itself, until it leaves. There is at most one leader per term; the term is the fencing token of the
 * leader's hold. A leader that was paused may still believe in an old term, so fence what it writes.
 *
 * <p>Each object is one candidate, and so is each view of it. A candidate learns that it leads by a {@linkplain #join(Task)
 * task} that runs while it does, by a {@linkplain #addListener listener}, by {@link #await()} or by {@link #isLeader()}.
 */
public interface LeaderElection extends AutoCloseable, Leased<LeaderElection> {

    /** The name of the election. */
    String name();

    /**
     * The id of this candidate, which distinguishes it from others, also of the same keeper: the one that was passed to {@link
     * #as}, or a random one.
     */
    String id();

    /**
     * Another candidate of the same election, with an id that people recognize, such as the name of a server. Ids of candidates
     * should differ; the election does not depend on it.
     *
     * @param id 1 to 64 characters
     */
    LeaderElection as(String id);

    /**
     * Another candidate, whose {@link #await()} fails with {@link StoreUnavailableException} once the store has not answered for
     * this time, instead of waiting until it is back; see {@link OwnedLock#giveUpAfter}. The candidate itself keeps standing and
     * may lead when the store is back.
     */
    LeaderElection giveUpAfter(Duration silence);

    /** Stands for election in the background; does nothing if it already does. */
    void join();

    /**
     * Stands for election, and runs the task each time this candidate is elected, on a thread of its own.
     *
     * <p>When the candidate is deposed, the task is interrupted. It should end soon then: until it has ended, the candidate
     * does not stand again, but another one may lead already. When the task returns by itself or throws, the candidate resigns
     * and stands again, after half a second if the task threw. So at most one run of the task is active here at any time.
     *
     * <p>{@link #leave()} interrupts the task too, and releases the leadership when the task has ended, or after 30 seconds.
     *
     * @throws IllegalStateException if this candidate has joined already
     */
    void join(Task task);

    /**
     * Resigns, or stops standing; does nothing if it never joined. Returns when the leadership is released and the listeners
     * have received all their events, {@link Listener#deposed} last. It waits for a listener that does not return for at most
     * 30 seconds; an interrupt ends that wait too, and the interrupt flag is preserved. The leadership is released before the
     * listeners have returned, but not before a {@linkplain #join(Task) task} has ended, for which it waits for at most 30
     * seconds too.
     *
     * <p>Called by a listener of this election on the thread that notifies it, it does not wait for the listeners: {@code
     * deposed} is delivered after that listener has returned. Called by the task, it neither interrupts the task nor waits for
     * it.
     */
    void leave();

    /**
     * Like {@link #leave()} without blocking the caller: completes when the leadership is released and the listeners were
     * notified.
     */
    CompletableFuture<@Nullable Void> leaveAsync();

    /** Whether this candidate leads now; a local check without I/O. */
    boolean isLeader();

    /** The hold of the leadership while this candidate leads; its token is the term. */
    Optional<ExclusiveHold> leadership();

    /**
     * Waits until this candidate leads.
     *
     * @return the leadership; it may be over when the caller looks at it
     * @throws IllegalStateException if the candidate has not joined, or leaves in the meantime
     * @throws KeeperClosedException if the keeper is closed in the meantime
     * @throws StoreUnavailableException if the store does not answer and this is a view by {@link #giveUpAfter}
     */
    ExclusiveHold await() throws InterruptedException;

    /**
     * Like {@link #await()}, for at most this time.
     *
     * @return null if it does not lead by then; it keeps standing
     */
    @Nullable
    ExclusiveHold await(Duration wait) throws InterruptedException;

    /** Like {@link #await()} without blocking the caller. Cancelling the future affects the future only. */
    CompletableFuture<ExclusiveHold> awaitAsync();

    /**
     * The current leader; asks the store.
     *
     * @throws UnsupportedFeatureException if the store does not know who holds what
     */
    Optional<Leader> current();

    /** Like {@link #current()} without blocking the caller. */
    CompletableFuture<Optional<Leader>> currentAsync();

    /**
     * The candidates that stand or lead now, of all processes, approximately in the order in which they joined; asks the store.
     * Which of them is the next leader is not known. A candidate that joined a moment ago may be missing; one whose process
     * died is listed until its lease ends.
     *
     * <p>Each candidate shares the resource of the family {@link Family#CANDIDATE} with the election's name; {@link
     * Lockkeeper#list} includes it.
     */
    List<Candidate> candidates();

    /** Like {@link #candidates()} without blocking the caller. */
    CompletableFuture<List<Candidate>> candidatesAsync();

    /** Notifies the listener when this candidate gains or loses the leadership, on the keeper's callback executor, in order. */
    Registration addListener(Listener listener);

    /** Leaves. */
    @Override
    void close();

    /**
     * The candidate that leads.
     *
     * @param holder its process
     * @param term the term, which is the fencing token of its hold
     */
    record Leader(HolderInfo holder, long term) {

        /** The {@linkplain LeaderElection#id() id} of the candidate. */
        public String id() {
            return holder.thread();
        }
    }

    /**
     * A candidate.
     *
     * @param id its {@linkplain LeaderElection#id() id}
     * @param holder its process
     */
    record Candidate(String id, HolderInfo holder) {}

    /** Work to do while leading. */
    @FunctionalInterface
    interface Task {
        /**
         * Runs while this candidate leads; the thread is interrupted when it no longer does.
         *
         * @param leadership the hold; its token is the term
         */
        void run(ExclusiveHold leadership) throws Exception;
    }

    /** Is notified when this candidate gains and loses the leadership. */
    interface Listener {
        /** This candidate leads from now on, until {@link #deposed} or until the hold is lost. */
        default void elected(ExclusiveHold leadership) {}

        /** This candidate no longer leads. It stands again unless it left. */
        default void deposed(Deposed event) {}
    }

    /** How a leadership ended. Later versions may add accessors, so applications implement this in tests at most. */
    interface Deposed {
        /** The term that is over. */
        long term();

        /** Why the leadership was lost; empty if the candidate resigned. */
        Optional<Loss> loss();

        /** Whether the candidate gave the leadership up by itself: it left, or its task ended. */
        default boolean resigned() {
            return loss().isEmpty();
        }
    }
}
