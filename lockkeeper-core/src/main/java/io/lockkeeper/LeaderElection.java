package io.lockkeeper;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An election among processes. A candidate that joined stays in it, wins, loses and stands again by itself, until it
 * leaves. At most one leader per term; the term is the fencing token of the leader's hold, and a leader that was paused
 * may still believe in an old term: fence what it writes.
 */
public interface LeaderElection extends AutoCloseable, Leased<LeaderElection> {

    String name();

    /** Stands for election in the background; does nothing if it already does. */
    void join();

    /**
     * Resigns, or stops standing; does nothing if it never joined. Returns when the leadership is given back and the listeners
     * were told all that they are to be told, {@link Listener#deposed} last. A listener that does not return is waited for at
     * most 30 seconds; so does an interrupt end that wait, and the flag is kept. The leadership is given back at once, before
     * the listeners have returned.
     *
     * <p>Called by a listener of this election on the thread that tells it, it does not wait for the listeners: {@code deposed}
     * is delivered after that listener has returned.
     */
    void leave();

    /** Like {@link #leave()}, without blocking: complete when the leadership is given back and the listeners were told. */
    CompletableFuture<@Nullable Void> leaveAsync();

    /** Whether this candidate leads now; a local check. */
    boolean isLeader();

    /** The hold of the leadership while this candidate leads; its token is the term. */
    Optional<ExclusiveHold> leadership();

    /** Who leads now; asks the store. */
    Optional<Leader> current();

    CompletableFuture<Optional<Leader>> currentAsync();

    /** Tells the listener of this candidate's own fortune, on the keeper's callback executor, in order. */
    Registration addListener(Listener listener);

    /** Leaves. */
    @Override
    void close();

    /** Who leads. */
    record Leader(HolderInfo holder, long term) {}

    /** Told when this candidate begins and ceases to lead. */
    interface Listener {
        /** It leads from now on, until {@link #deposed} or the hold says so. */
        void elected(ExclusiveHold leadership);

        /** It leads no more: lost, or resigned if {@code loss} is null. It stands again unless it left. */
        void deposed(@Nullable Loss loss);
    }
}
