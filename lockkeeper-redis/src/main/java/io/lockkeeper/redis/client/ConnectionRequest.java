package io.lockkeeper.redis.client;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A thread's request for a connection, or for running a script over any connection.
 *
 * <p>Invariant: each change of state is made by one thread, with compare-and-set. If the state were read first and written
 * afterwards, a thread whose deadline has passed could leave just when it is told to read for the others, and no thread would
 * read.
 */
final class ConnectionRequest {

    /** What a request is for. */
    enum Kind {
        /** Running a script over a connection that others use at the same time. */
        SCRIPT,
        /** A connection of its own. */
        ALONE,
        /** A connection of its own, before all other requests. */
        URGENT
    }

    enum State {
        QUEUED,
        /** It may use a connection: the one it was given, or one that it opens. */
        SERVED,
        /** Its script was sent by another thread. */
        SENT,
        /** It was told to read the replies, its own and those of others. */
        READING,
        DONE,
        /** It gave up. */
        LEFT
    }

    private static final AtomicReferenceFieldUpdater<ConnectionRequest, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(ConnectionRequest.class, State.class, "state");

    final Kind kind;
    final Redis.@Nullable Call call;
    /** Whether the script is sent with its text, or else by its digest. */
    final boolean whole;

    final Deadline until;
    final Thread thread = Thread.currentThread();

    private volatile State state = State.QUEUED;

    /** The connection it was given. Written before it is served. */
    @Nullable
    SocketConnection connection;

    /** The convoy that it was sent with. Written before that. */
    @Nullable
    Convoy convoy;

    /** When it came, compared with others that wait; guarded by the lock of the queue. */
    long turn;

    private @Nullable Object outcome;

    private ConnectionRequest(Kind kind, Redis.@Nullable Call call, boolean whole, Deadline until) {
        this.kind = kind;
        this.call = call;
        this.whole = whole;
        this.until = until;
    }

    static ConnectionRequest script(Redis.Call call, boolean whole, Deadline until) {
        return new ConnectionRequest(Kind.SCRIPT, call, whole, until);
    }

    static ConnectionRequest connection(Kind kind, Deadline until) {
        return new ConnectionRequest(kind, null, false, until);
    }

    State state() {
        return state;
    }

    boolean move(State from, State to) {
        return STATE.compareAndSet(this, from, to);
    }

    /** Ends it, by the thread that reads for it. Nothing happens if it does not wait any more. */
    void finish(@Nullable Object what) {
        if (state == State.SENT) {
            outcome = what;
            move(State.SENT, State.DONE);
        }
    }

    /** Ends it, by its own thread. */
    void finishOwn(@Nullable Object what) {
        outcome = what;
        state = State.DONE;
    }

    boolean isDone() {
        return state == State.DONE;
    }

    /** What came of it, once it is done. */
    @Nullable
    Object reply() {
        if (outcome instanceof RequestException failed) {
            throw failed;
        }
        return outcome;
    }
}
