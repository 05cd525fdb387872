package io.lockkeeper.redis.client;

import static java.util.Objects.requireNonNull;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.redis.client.ConnectionRequest.Kind;
import io.lockkeeper.redis.client.ConnectionRequest.State;
import java.net.SocketTimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one server: a few, shared by all threads, opened when needed. {@link ConnectionQueue} decides who uses one;
 * {@link Convoy} lets scripts share one.
 *
 * <p>Invariants: a connection is with one thread at a time, and one with an unread reply is never lent again.
 *
 * <p>A connection may die unnoticed while it is idle, and writing to it still succeeds; nobody knows then whether the request
 * was executed. To make that rare, a connection that has been idle for a while, or since before another one broke, answers a
 * PING first; if it does not, it is replaced before a request is sent. The while is shorter than the time after which routers
 * forget a connection, and long enough that an application with few requests does not pay for it each time.
 */
final class ConnectionPool {

    static final long ASKED_AFTER = ClientPolicy.PING_WHEN_IDLE_FOR.toNanos();
    private static final long CLOSED_AFTER = ClientPolicy.CLOSE_WHEN_IDLE_FOR.toNanos();

    private final Address server;
    private final ConnectionSettings access;
    private final ConnectionQueue queue;
    private final long askedAfter;

    private volatile long brokenAt;
    private volatile boolean closed;

    ConnectionPool(Address server, ConnectionSettings access, int maxConnections) {
        this(server, access, maxConnections, ASKED_AFTER);
    }

    /** @param askedAfter how long, in nanoseconds, a connection may be idle and is trusted */
    ConnectionPool(Address server, ConnectionSettings access, int maxConnections, long askedAfter) {
        this.server = server;
        this.access = access;
        this.queue = new ConnectionQueue(maxConnections);
        this.askedAfter = askedAfter;
        this.brokenAt = Deadline.now() - CLOSED_AFTER;
    }

    Address server() {
        return server;
    }

    ConnectionSettings access() {
        return access;
    }

    /**
     * Runs a script, together with those of other threads if there are many. The first try is by digest; a server that does not know
     * it says so and has executed nothing, and gets the text.
     *
     * @throws io.lockkeeper.LockkeeperException if there is no connection in time; it was not sent then
     * @throws RequestException if it failed after it was sent
     */
    @Nullable
    Object run(Redis.Call call, Deadline until) {
        if (!call.script().isBrief()) {
            SocketConnection connection = take(until);
            try {
                return ScriptRunner.run(connection, call);
            } finally {
                give(connection);
            }
        }
        try {
            return ask(ConnectionRequest.script(call, false, until));
        } catch (ErrorReplyException e) {
            return ask(ConnectionRequest.script(call, ScriptRunner.unknown(e), until));
        }
    }

    private @Nullable Object ask(ConnectionRequest me) {
        // A request is not interruptible, but on a virtual thread an interrupt would close its socket.
        boolean interrupted = Thread.interrupted();
        try {
            State state = enter(me);
            if (state != State.SERVED) {
                interrupted |= await(me);
                state = me.state();
            }
            if (state == State.SERVED) {
                convoy(fit(me)).lead(me);
            } else if (state == State.READING) {
                requireNonNull(me.convoy).read(me);
            }
            return me.reply();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Convoy convoy(SocketConnection connection) {
        try {
            return new Convoy(this, connection);
        } catch (Error e) {
            giveScripts(connection);
            throw e;
        }
    }

    /**
     * Takes a connection; it must be {@linkplain #give given back}.
     *
     * @throws io.lockkeeper.LockkeeperException if there is none in time; nothing of the caller's was sent then
     */
    SocketConnection take(Deadline until) {
        return take(Kind.ALONE, until);
    }

    /** Takes a connection for an urgent request, which does not wait for others. */
    SocketConnection takeFirst(Deadline until) {
        return take(Kind.URGENT, until);
    }

    private SocketConnection take(Kind kind, Deadline until) {
        boolean interrupted = Thread.interrupted();
        SocketConnection taken = null;
        try {
            ConnectionRequest me = ConnectionRequest.connection(kind, until);
            if (enter(me) != State.SERVED) {
                interrupted |= await(me);
            }
            taken = fit(me);
            taken.interrupted = interrupted;
            return taken;
        } finally {
            if (taken == null && interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private State enter(ConnectionRequest me) {
        if (!queue.enter(me)) {
            throw closed();
        }
        return me.state();
    }

    private StoreUnavailableException closed() {
        return new StoreUnavailableException("The connections to " + server + " are closed");
    }

    /** Waits until the request is served, done, or has to read for others; returns whether the thread was interrupted. */
    private boolean await(ConnectionRequest me) {
        boolean interrupted = false;
        while (true) {
            State state = me.state();
            if (state != State.QUEUED && state != State.SENT) {
                return interrupted;
            }
            long left = me.until.left();
            if (left <= 0 || (closed && state == State.QUEUED)) {
                if (me.move(state, State.LEFT)) {
                    throw left(state, interrupted);
                }
                continue;
            }
            LockSupport.parkNanos(this, left);
            // A request is short and not interruptible; its caller sees the interrupt afterwards.
            interrupted |= Thread.interrupted();
            if (me.state() == State.QUEUED) {
                queue.enterFromQueue(me);
            }
        }
    }

    private RuntimeException left(State from, boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (from == State.SENT) {
            return new NoReplyException(new SocketTimeoutException("The time is up"));
        }
        // This thread may have been the one that was woken; the next has to be woken instead.
        serve();
        return closed ? closed() : crowded();
    }

    private StoreUnavailableException crowded() {
        return new StoreUnavailableException("All " + queue.maxConnections() + " connections to " + server
                + " are in use and none was freed in time; the server is slow, or allow more with ?pool="
                + 2 * queue.maxConnections() + " in the URL");
    }

    /** A working connection for a request that is served. */
    private SocketConnection fit(ConnectionRequest me) {
        SocketConnection given = me.connection;
        SocketConnection fit = null;
        try {
            if (given != null && trusts(given, me.until)) {
                fit = given;
            } else {
                fit = SocketConnection.open(server, access, me.until);
            }
            if (me.until.hasPassed()) {
                throw new StoreUnavailableException(
                        "A connection to " + server + " was freed too late; the server is slow, or this machine busy");
            }
            fit.until(me.until);
            return fit;
        } catch (RuntimeException | Error e) {
            if (fit == null) {
                if (given != null) {
                    given.close();
                }
                gone(me.kind);
            } else {
                giveBack(me.kind, fit);
            }
            throw e;
        }
    }

    private boolean trusts(SocketConnection connection, Deadline until) {
        boolean fresh = Deadline.now() - connection.idleSince < askedAfter && connection.idleSince - brokenAt > 0;
        if (fresh || answers(connection, until)) {
            return true;
        }
        connection.close();
        brokenAt = Deadline.now();
        // Those that have been idle for longer are dead too; a PING to each would take too long.
        forget();
        return false;
    }

    private static boolean answers(SocketConnection connection, Deadline until) {
        connection.until(until.within(until.left() / 4));
        try {
            connection.ask(Commands.ping());
            return true;
        } catch (RequestException e) {
            // An error is no PONG either: LOADING, or a permission that was revoked.
            return false;
        }
    }

    /** Closes the idle connections. */
    void forget() {
        queue.takeIdle().forEach(SocketConnection::close);
        serve();
    }

    /** Gives a connection back. One that is broken or has an unread reply is closed. */
    void give(SocketConnection connection) {
        if (connection.interrupted) {
            connection.interrupted = false;
            Thread.currentThread().interrupt();
        }
        giveBack(Kind.ALONE, connection);
    }

    /** Gives a connection back after scripts that shared it. */
    void giveScripts(SocketConnection connection) {
        giveBack(Kind.SCRIPT, connection);
    }

    private void giveBack(Kind kind, SocketConnection connection) {
        if (!connection.isFree()) {
            connection.close();
            gone(kind);
            return;
        }
        long now = Deadline.now();
        connection.idleSince = now;
        SocketConnection old = queue.give(kind, connection, now - CLOSED_AFTER);
        serve();
        if (old != null) {
            old.close();
        }
    }

    private void gone(Kind kind) {
        brokenAt = Deadline.now();
        queue.gone(kind);
        serve();
    }

    /** Adds the scripts that wait to a convoy. */
    void takeAlong(Convoy convoy) {
        if (queue.takeAlong(convoy)) {
            serve();
        }
    }

    private void serve() {
        ConnectionRequest next;
        do {
            next = queue.next();
            if (next != null) {
                LockSupport.unpark(next.thread);
            }
        } while (next != null && next.kind != Kind.SCRIPT);
    }

    /** Closes the idle connections now, and each other one when it is given back. */
    void close() {
        closed = true;
        for (ConnectionRequest one : queue.close()) {
            LockSupport.unpark(one.thread);
        }
        forget();
    }
}
