package io.lockkeeper;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An election among processes. A candidate that joined stays in it, wins, loses and stands again by itself, until it
 * leaves. At most one leader per term; the term is the fencing token of the leader's hold, and a leader that was paused
 * may still believe in an old term: fence what it writes.
 *
 * <p>Each object is one candidate. It learns that it leads by a {@linkplain #join(Task) task} that runs while it does, by a
 * {@linkplain #addListener listener}, by {@link #await()} or by {@link #isLeader()}.
 */
public interface LeaderElection extends AutoCloseable, Leased<LeaderElection> {

    String name();

    /**
     * The id of this candidate, by which it is told apart from the others, those of the same keeper included: what {@link #as}
     * was given, or a random one.
     */
    String id();

    /**
     * Another candidate of the same election, with an id that people know, such as the name of a server. Ids of candidates should
     * differ; the election does not depend on it.
     *
     * @param id 1 to 64 characters
     */
    LeaderElection as(String id);

    /** Stands for election in the background; does nothing if it already does. */
    void join();

    /**
     * Stands for election, and runs the task each time this candidate is elected, on a thread of its own.
     *
     * <p>When the candidate is deposed, the task is interrupted. It should end soon then: until it has ended, the candidate does
     * not stand again, but another one may lead already. When the task returns by itself or throws, the candidate resigns and
     * stands again, after half a second if the task threw. So at most one run of the task goes on here at any time.
     *
     * <p>{@link #leave()} interrupts the task too, and gives the leadership back when it has ended, or after 30 seconds.
     *
     * @throws IllegalStateException if this candidate has joined already
     */
    void join(Task task);

    /**
     * Resigns, or stops standing; does nothing if it never joined. Returns when the leadership is given back and the listeners
     * were told all that they are to be told, {@link Listener#deposed} last. A listener that does not return is waited for at
     * most 30 seconds; so does an interrupt end that wait, and the flag is kept. The leadership is given back before the listeners
     * have returned, but not before a {@linkplain #join(Task) task} has ended, for which it waits at most 30 seconds too.
     *
     * <p>Called by a listener of this election on the thread that tells it, it does not wait for the listeners: {@code deposed}
     * is delivered after that listener has returned. Called by the task, it neither interrupts the task nor waits for it.
     */
    void leave();

    /** Like {@link #leave()}, without blocking: complete when the leadership is given back and the listeners were told. */
    CompletableFuture<@Nullable Void> leaveAsync();

    /** Whether this candidate leads now; a local check. */
    boolean isLeader();

    /** The hold of the leadership while this candidate leads; its token is the term. */
    Optional<ExclusiveHold> leadership();

    /**
     * Waits until this candidate leads.
     *
     * @return the leadership; it may be over when the caller looks
     * @throws IllegalStateException if the candidate has not joined, or leaves meanwhile
     * @throws KeeperClosedException if the keeper is closed meanwhile
     */
    ExclusiveHold await() throws InterruptedException;

    /**
     * As {@link #await()}, for at most that long.
     *
     * @return null if it does not lead by then; it goes on standing
     */
    @Nullable
    ExclusiveHold await(Duration wait) throws InterruptedException;

    /** As {@link #await()}, without blocking. To cancel the future changes nothing else. */
    CompletableFuture<ExclusiveHold> awaitAsync();

    /** Who leads now; asks the store. */
    Optional<Leader> current();

    CompletableFuture<Optional<Leader>> currentAsync();

    /**
     * The candidates that stand or lead now, of all processes, about in the order in which they joined; asks the store. Which of
     * them will be the next leader is not said. One that joined a moment ago may be missing, one whose process died is shown until
     * its lease ends.
     */
    List<Candidate> candidates();

    CompletableFuture<List<Candidate>> candidatesAsync();

    /** Tells the listener of this candidate's own fortune, on the keeper's callback executor, in order. */
    Registration addListener(Listener listener);

    /** Leaves. */
    @Override
    void close();

    /** The candidate that leads. */
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

    /** What to do while leading. */
    @FunctionalInterface
    interface Task {
        /**
         * Runs while this candidate leads; the thread is interrupted when it does no more.
         *
         * @param leadership the hold; its token is the term
         */
        void run(ExclusiveHold leadership) throws Exception;
    }

    /** Told when this candidate begins and ceases to lead. */
    interface Listener {
        /** It leads from now on, until {@link #deposed} or the hold says so. */
        default void elected(ExclusiveHold leadership) {}

        /** It leads no more. It stands again unless it left. */
        default void deposed(Deposed event) {}
    }

    /** How a leadership ended. Later versions may add accessors, so applications implement this in tests at most. */
    interface Deposed {
        /** The term that is over. */
        long term();

        /** How the leadership was lost; empty if the candidate resigned. */
        Optional<Loss> loss();

        /** Whether the candidate gave the leadership up by itself: it left, or its task ended. */
        default boolean resigned() {
            return loss().isEmpty();
        }
    }
}
