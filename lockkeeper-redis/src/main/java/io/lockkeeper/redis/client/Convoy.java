package io.lockkeeper.redis.client;

import static java.util.Objects.requireNonNull;

import io.lockkeeper.redis.client.ConnectionRequest.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Scripts of several threads that go over one connection together: written in one piece, answered in the same order. There is
 * no thread for that. The one that got the connection sends all and reads the replies; once it has its own and would have to
 * wait for the next, the thread that waits for that one reads on.
 *
 * <p>What it keeps:
 * <ul>
 *   <li>Each has its own limit. Whose time is up leaves alone; its reply is still read, by somebody who waits for a later one, and
 *       thrown away. Were it left on the connection, the next request would take it for its own. If nobody is left who waits, the
 *       connection is closed.
 *   <li>The connection is free for the next only when all replies are read.
 *   <li>When it breaks, all who have no reply are told that their script may have been executed.
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

    /** Sends a script with all that wait, and reads as long as its thread has to. */
    void lead(ConnectionRequest first) {
        go(first, () -> {
            add(first);
            pool.takeAlong(this);
            connection.flush();
            readOn(first);
        });
    }

    /** Reads replies until all are read, or until somebody else goes on. */
    void read(ConnectionRequest me) {
        go(me, () -> readOn(me));
    }

    /** Whatever happens to the thread that goes before, those behind it are told. */
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
        // A server that became a replica will not serve this connection again; the next one may reach another.
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

    /** Lets another one go on, of those who still wait. From then on everything here is that thread's. */
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

    /** The connection first: whoever uses it next can begin while the others wake. */
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
