package io.lockkeeper.redis.client;

import static java.util.Objects.requireNonNull;

import io.lockkeeper.redis.client.ConnectionRequest.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Scripts of several threads that share a connection: written in one piece, answered in the same order. No thread exists for
 * that. The thread that got the connection sends all scripts and reads the replies; once it has its own reply and would have to
 * wait for the next, the thread that waits for that one reads on.
 *
 * <p>Invariants:
 * <ul>
 *   <li>Each request has its own deadline. A thread whose deadline has passed leaves alone; its reply is still read, by a
 *       thread that waits for a later one, and dropped. If it were left on the connection, the next request would take it as
 *       its own. If no thread waits any more, the connection is closed.
 *   <li>The connection is free for the next request only when all replies have been read.
 *   <li>When the connection breaks, each thread without a reply is told that its script may have been executed.
 * </ul>
 */
final class Convoy {

    private static final int MOST = 64;
    private static final int MOST_BYTES = 48 * 1024;

    private final ConnectionPool pool;
    private final SocketConnection connection;
    private final List<ConnectionRequest> all = new ArrayList<>();

    // Written by the one thread that reads.
    private int answered;
    private int woken;
    private boolean isReplica;

    Convoy(ConnectionPool pool, SocketConnection connection) {
        this.pool = pool;
        this.connection = connection;
    }

    /** Adds a script that is in no other convoy. */
    void add(ConnectionRequest request) {
        all.add(request);
        connection.add(requireNonNull(request.call), request.whole);
    }

    boolean hasRoom() {
        return all.size() < MOST && connection.unsent() < MOST_BYTES;
    }

    /** Sends a script and those that wait, and reads replies as long as this thread has to. */
    void lead(ConnectionRequest first) {
        go(first, () -> {
            add(first);
            pool.takeAlong(this);
            connection.flush();
            readOn(first);
        });
    }

    /** Reads replies until all are read, or until another thread reads on. */
    void read(ConnectionRequest me) {
        go(me, () -> readOn(me));
    }

    /** Runs a step; if it fails, the threads that wait are told. */
    private void go(ConnectionRequest me, Runnable step) {
        try {
            step.run();
        } catch (NoReplyException lost) {
            fail(me, lost);
        } catch (RuntimeException | Error unthoughtOf) {
            fail(me, new NoReplyException("The thread that sent it failed", unthoughtOf));
            throw unthoughtOf;
        }
    }

    private void readOn(ConnectionRequest me) {
        while (answered < all.size()) {
            Object reply = connection.next();
            if (reply != ReplyReader.NOT_YET) {
                answer(me, reply);
            } else if (me.isDone()) {
                if (!handOn()) {
                    throw new NoReplyException("Nobody waits for the other replies");
                }
                return;
            } else {
                wakeAnswered();
                try {
                    connection.until(me.until);
                    connection.fill();
                } catch (NoReplyException e) {
                    if (connection.isBroken() || !handOn()) {
                        throw e;
                    }
                    me.finishOwn(e);
                    return;
                }
            }
        }
        end();
    }

    private void answer(ConnectionRequest me, @Nullable Object reply) {
        // A server that became a replica stays one; a new connection may reach another server.
        isReplica |= reply instanceof ErrorReplyException refused && RedisErrors.isReadOnly(refused);
        finishNext(me, reply);
    }

    private void finishNext(ConnectionRequest me, @Nullable Object outcome) {
        ConnectionRequest next = all.get(answered++);
        if (next == me) {
            me.finishOwn(outcome);
        } else {
            next.finish(outcome);
        }
    }

    /** Lets another waiting thread read on. From then on this object belongs to that thread. */
    private boolean handOn() {
        wakeAnswered();
        for (int i = answered; i < all.size(); i++) {
            ConnectionRequest next = all.get(i);
            if (next.move(State.SENT, State.READING)) {
                LockSupport.unpark(next.thread);
                return true;
            }
        }
        return false;
    }

    private void wakeAnswered() {
        for (; woken < answered; woken++) {
            ConnectionRequest one = all.get(woken);
            if (one.thread != Thread.currentThread() && one.isDone()) {
                LockSupport.unpark(one.thread);
            }
        }
    }

    /** Gives the connection back first, so that it is used again while the other threads wake. */
    private void end() {
        if (isReplica) {
            connection.close();
        }
        pool.giveScripts(connection);
        wakeAnswered();
    }

    private void fail(ConnectionRequest me, NoReplyException lost) {
        connection.close();
        while (answered < all.size()) {
            finishNext(me, lost);
        }
        if (!me.isDone()) {
            me.finishOwn(lost);
        }
        end();
    }
}
