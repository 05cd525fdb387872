package io.lockkeeper.redis.client;

import io.lockkeeper.redis.client.ConnectionRequest.Kind;
import io.lockkeeper.redis.client.ConnectionRequest.State;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Decides which request uses a connection and which one waits for it. Does no I/O.
 *
 * <p>Invariants:
 * <ul>
 *   <li>There are never more connections than the maximum.
 *   <li>One connection is kept free for urgent requests, however many callers there are. Without it a crowd of callers would
 *       delay them past their deadlines.
 *   <li>At most half of the connections carry scripts, many on each. So a request that needs a connection alone finds one,
 *       and a request that takes long there (it waits for replicas, or reads all keys) holds up no script.
 *   <li>Requests are served in the order of their arrival. One that needs a connection alone is handed the connection that
 *       becomes free. Of scripts, the first thread that comes after a connection became free sends its own and the oldest
 *       that wait. So a thread that is slow to wake delays no other, and none starves: if a thread took the connection for
 *       its own script only, one of many could wait past its deadline while the others take turns.
 * </ul>
 */
final class ConnectionQueue {

    private final int maxConnections;
    private final int maxForCallers;
    private final int maxForScripts;

    private final ReentrantLock lock = new ReentrantLock();
    /** The connection that was used last is first, so that surplus ones grow old. */
    private final ArrayDeque<SocketConnection> idle = new ArrayDeque<>();

    private final ArrayDeque<ConnectionRequest> urgent = new ArrayDeque<>();
    private final ArrayDeque<ConnectionRequest> alone = new ArrayDeque<>();
    private final ArrayDeque<ConnectionRequest> scripts = new ArrayDeque<>();

    private int open;
    private int withScripts;
    private long turns;
    private boolean closed;

    /** Whether a request may be waiting; read without the lock. */
    private volatile boolean crowded;

    ConnectionQueue(int maxConnections) {
        this.maxConnections = maxConnections;
        this.maxForCallers = Math.max(1, maxConnections - 1);
        this.maxForScripts = Math.max(1, maxConnections / 2);
    }

    int maxConnections() {
        return maxConnections;
    }

    /** Serves a request at once if possible, else queues it; returns false if the queue is closed. */
    boolean enter(ConnectionRequest request) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            if (admits(request.kind) && passesNobody(request.kind)) {
                admit(request);
                request.move(State.QUEUED, State.SERVED);
            } else {
                request.turn = turns++;
                queue(request.kind).add(request);
                crowded = true;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Serves a queued script if there is a connection for it now. */
    void enterFromQueue(ConnectionRequest request) {
        lock.lock();
        try {
            if (request.kind == Kind.SCRIPT && admits(Kind.SCRIPT) && request.move(State.QUEUED, State.SERVED)) {
                scripts.remove(request);
                admit(request);
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean admits(Kind kind) {
        int used = open - idle.size();
        return !closed
                && used < maxConnections
                && switch (kind) {
                    case URGENT -> true;
                    case ALONE -> used < maxForCallers;
                    case SCRIPT -> used < maxForCallers && withScripts < maxForScripts;
                };
    }

    /** Scripts may pass each other, since the one that passes takes the others along. */
    private boolean passesNobody(Kind kind) {
        return kind == Kind.SCRIPT
                || (urgent.isEmpty()
                        && (kind == Kind.URGENT
                                || (alone.isEmpty() && (scripts.isEmpty() || withScripts == maxForScripts))));
    }

    private void admit(ConnectionRequest request) {
        request.connection = idle.pollFirst();
        if (request.connection == null) {
            open++;
        }
        if (request.kind == Kind.SCRIPT) {
            withScripts++;
        }
    }

    private ArrayDeque<ConnectionRequest> queue(Kind kind) {
        return switch (kind) {
            case URGENT -> urgent;
            case ALONE -> alone;
            case SCRIPT -> scripts;
        };
    }

    /**
     * Adds the scripts that wait to a convoy, in their order.
     *
     * @return whether other requests wait, perhaps for another connection
     */
    boolean takeAlong(Convoy convoy) {
        if (!crowded) {
            return false;
        }
        lock.lock();
        try {
            ConnectionRequest next = first(scripts);
            while (next != null && convoy.hasRoom()) {
                scripts.poll();
                next.convoy = convoy;
                if (next.move(State.QUEUED, State.SENT)) {
                    convoy.add(next);
                }
                next = first(scripts);
            }
            crowded = next != null || first(alone) != null || first(urgent) != null;
            return crowded;
        } finally {
            lock.unlock();
        }
    }

    /** The first in a line that has not left it. */
    private static @Nullable ConnectionRequest first(ArrayDeque<ConnectionRequest> queue) {
        ConnectionRequest first = queue.peek();
        while (first != null && first.state() == State.LEFT) {
            queue.poll();
            first = queue.peek();
        }
        return first;
    }

    /**
     * Takes a connection back that can be used again.
     *
     * @return one to be closed, that has been idle since before a moment
     */
    @Nullable
    SocketConnection give(Kind kind, SocketConnection connection, long moment) {
        lock.lock();
        try {
            withScripts -= kind == Kind.SCRIPT ? 1 : 0;
            idle.addFirst(connection);
            SocketConnection oldest = idle.getLast();
            if (!closed && oldest.idleSince - moment >= 0) {
                return null;
            }
            open--;
            return idle.pollLast();
        } finally {
            lock.unlock();
        }
    }

    /** One that was in use is no more, or was not opened. */
    void gone(Kind kind) {
        lock.lock();
        try {
            withScripts -= kind == Kind.SCRIPT ? 1 : 0;
            open--;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Serves the next in line that can be; to be called again as long as it does. A script that could be sent is only named: its thread
     * is to come and look.
     *
     * @return whom to wake
     */
    @Nullable
    ConnectionRequest next() {
        if (!crowded) {
            return null;
        }
        lock.lock();
        try {
            ConnectionRequest next = first(urgent);
            if (next == null || !admits(Kind.URGENT)) {
                ConnectionRequest one = first(alone);
                ConnectionRequest script = first(scripts);
                one = one != null && admits(Kind.ALONE) ? one : null;
                script = script != null && admits(Kind.SCRIPT) ? script : null;
                next = one == null || (script != null && script.turn < one.turn) ? script : one;
            }
            if (next != null && next.kind != Kind.SCRIPT) {
                queue(next.kind).poll();
                admit(next);
                if (!next.move(State.QUEUED, State.SERVED)) {
                    // It left this moment; what it was given is the next one's.
                    takeBack(next);
                }
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void takeBack(ConnectionRequest request) {
        SocketConnection connection = request.connection;
        if (connection == null) {
            open--;
        } else {
            idle.addFirst(connection);
        }
    }

    /** Takes all idle connections out, to be closed. */
    List<SocketConnection> takeIdle() {
        lock.lock();
        try {
            List<SocketConnection> all = List.copyOf(idle);
            open -= all.size();
            idle.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Nobody is served from now on. Returns those in line. */
    List<ConnectionRequest> close() {
        lock.lock();
        try {
            closed = true;
            ArrayDeque<ConnectionRequest> all = new ArrayDeque<>(urgent);
            all.addAll(alone);
            all.addAll(scripts);
            return List.copyOf(all);
        } finally {
            lock.unlock();
        }
    }
}
