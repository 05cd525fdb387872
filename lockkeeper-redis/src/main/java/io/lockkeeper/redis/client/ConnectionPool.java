package io.lockkeeper.redis.client;

import static java.util.Objects.requireNonNull;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.redis.client.ConnectionRequest.Kind;
import io.lockkeeper.redis.client.ConnectionRequest.State;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one server: a few, shared by all threads, made when needed. Who may use one and who waits is for
 * {@link ConnectionQueue}; how scripts share one, for {@link Convoy}.
 *
 * <p>What it keeps: a wire is with one thread at a time, one that owes a reply is never given out again, and a request that fails because its connection had died unnoticed
 * is rare. One could die while it lay idle, and writing to it would still succeed; nobody knows then whether the request was
 * executed. So one that has been idle for a while, or from before another one broke, answers a PING first; if it does not,
 * it is replaced before anything of the caller's is sent. That while is shorter than any router forgets a connection in, and
 * long enough that who locks now and then does not pay for it each time.
 */
final class ConnectionPool {

    static final long ASKED_AFTER = TimeUnit.SECONDS.toNanos(10);
    private static final long CLOSED_AFTER = TimeUnit.MINUTES.toNanos(1);

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
     * Runs a script, together with those of others if there are many. The first try is by digest; a server that does not know
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

    /** The same for what holds depend on: it waits for no caller. */
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

    /** Waits until it is served, done, or to read for others; says whether it was interrupted meanwhile. */
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
            // A request is short and not interruptible; whoever made it looks at the interrupt afterwards.
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
        // It may have been called to come, and the next has to be called instead.
        serve();
        return closed ? closed() : crowded();
    }

    private StoreUnavailableException crowded() {
        return new StoreUnavailableException("All " + queue.maxConnections() + " connections to " + server
                + " are in use and none was freed in time; the server is slow, or allow more with ?pool="
                + 2 * queue.maxConnections() + " in the URL");
    }

    /** A connection that works, for one who is served. */
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
        // Those that have been idle for longer are dead too; asking each would take the time.
        forget();
        return false;
    }

    private static boolean answers(SocketConnection connection, Deadline until) {
        connection.until(until.within(until.left() / 4));
        try {
            connection.ask(Commands.ping());
            return true;
        } catch (RequestException e) {
            // An error is no PONG either: LOADING, or no right any more.
            return false;
        }
    }

    /** Closes what is idle. */
    void forget() {
        queue.takeIdle().forEach(SocketConnection::close);
        serve();
    }

    /** Gives a connection back, whatever became of it: one that is broken or owes a reply is closed. */
    void give(SocketConnection connection) {
        if (connection.interrupted) {
            connection.interrupted = false;
            Thread.currentThread().interrupt();
        }
        giveBack(Kind.ALONE, connection);
    }

    /** The same, after scripts that went together. */
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

    /** Scripts that wait are to be sent by this convoy too. */
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

    /** Closes what is idle now, and what is in use when it comes back. */
    void close() {
        closed = true;
        for (ConnectionRequest one : queue.close()) {
            LockSupport.unpark(one.thread);
        }
        forget();
    }
}
