package io.lockkeeper.redis.client;

import io.lockkeeper.redis.client.Request.Kind;
import io.lockkeeper.redis.client.Request.State;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who may use a connection, and who waits for one. Without I/O.
 *
 * <p>What it keeps:
 * <ul>
 *   <li>There are never more connections than the limit.
 *   <li>One is left for renewals, however many callers there are: else a crowd of callers would lose the locks of all.
 *   <li>At most half of them have scripts of callers, many on each; so whoever needs a connection alone finds one, and a request that
 *       waits there (for replicas, or for all keys) holds up no script.
 *   <li>In line, the first is served first. Who needs a connection alone is handed the one that gets free. Of scripts, whoever comes
 *       first after one got free sends its own and the oldest that wait. So a thread that is slow to wake keeps nobody
 *       waiting, and none is left out: were the connection taken for one's own script only, a thread among many could wait
 *       past its limit while others go round.
 * </ul>
 */
final class Places {

    private final int limit;
    private final int forCallers;
    private final int forScripts;

    private final ReentrantLock lock = new ReentrantLock();
    /** The one used last is first, so that those too many grow old. */
    private final ArrayDeque<Wire> idle = new ArrayDeque<>();

    private final ArrayDeque<Request> urgent = new ArrayDeque<>();
    private final ArrayDeque<Request> alone = new ArrayDeque<>();
    private final ArrayDeque<Request> scripts = new ArrayDeque<>();

    private int open;
    private int withScripts;
    private long turns;
    private boolean closed;

    /** Whether anybody may be in line; read without the lock. */
    private volatile boolean crowded;

    Places(int limit) {
        this.limit = limit;
        this.forCallers = Math.max(1, limit - 1);
        this.forScripts = Math.max(1, limit / 2);
    }

    int limit() {
        return limit;
    }

    /** Serves a request at once if it can be, else puts it in line; false if all is closed. */
    boolean enter(Request request) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            if (admits(request.kind) && passesNobody(request.kind)) {
                admit(request);
                request.move(State.IN_LINE, State.SERVED);
            } else {
                request.turn = turns++;
                line(request.kind).add(request);
                crowded = true;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Serves a script that is in line, if there is a place for it now. */
    void enterFromLine(Request request) {
        lock.lock();
        try {
            if (request.kind == Kind.SCRIPT && admits(Kind.SCRIPT) && request.move(State.IN_LINE, State.SERVED)) {
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
                && used < limit
                && switch (kind) {
                    case URGENT -> true;
                    case ALONE -> used < forCallers;
                    case SCRIPT -> used < forCallers && withScripts < forScripts;
                };
    }

    /** Scripts may pass each other, for they take along whom they pass. */
    private boolean passesNobody(Kind kind) {
        return kind == Kind.SCRIPT
                || (urgent.isEmpty()
                        && (kind == Kind.URGENT
                                || (alone.isEmpty() && (scripts.isEmpty() || withScripts == forScripts))));
    }

    private void admit(Request request) {
        request.wire = idle.pollFirst();
        if (request.wire == null) {
            open++;
        }
        if (request.kind == Kind.SCRIPT) {
            withScripts++;
        }
    }

    private ArrayDeque<Request> line(Kind kind) {
        return switch (kind) {
            case URGENT -> urgent;
            case ALONE -> alone;
            case SCRIPT -> scripts;
        };
    }

    /**
     * Adds the scripts that wait to a convoy, in their order.
     *
     * @return whether others wait, perhaps for another place
     */
    boolean takeAlong(Convoy convoy) {
        if (!crowded) {
            return false;
        }
        lock.lock();
        try {
            Request next = first(scripts);
            while (next != null && convoy.hasRoom()) {
                scripts.poll();
                next.convoy = convoy;
                if (next.move(State.IN_LINE, State.SENT)) {
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
    private static @Nullable Request first(ArrayDeque<Request> line) {
        Request first = line.peek();
        while (first != null && first.state() == State.LEFT) {
            line.poll();
            first = line.peek();
        }
        return first;
    }

    /**
     * Takes a connection back that can be used again.
     *
     * @return one to be closed, that has been idle since before a moment
     */
    @Nullable
    Wire give(Kind kind, Wire wire, long moment) {
        lock.lock();
        try {
            withScripts -= kind == Kind.SCRIPT ? 1 : 0;
            idle.addFirst(wire);
            Wire oldest = idle.getLast();
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
    Request next() {
        if (!crowded) {
            return null;
        }
        lock.lock();
        try {
            Request next = first(urgent);
            if (next == null || !admits(Kind.URGENT)) {
                Request one = first(alone);
                Request script = first(scripts);
                one = one != null && admits(Kind.ALONE) ? one : null;
                script = script != null && admits(Kind.SCRIPT) ? script : null;
                next = one == null || (script != null && script.turn < one.turn) ? script : one;
            }
            if (next != null && next.kind != Kind.SCRIPT) {
                line(next.kind).poll();
                admit(next);
                if (!next.move(State.IN_LINE, State.SERVED)) {
                    // It left this moment; what it was given is the next one's.
                    takeBack(next);
                }
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void takeBack(Request request) {
        Wire wire = request.wire;
        if (wire == null) {
            open--;
        } else {
            idle.addFirst(wire);
        }
    }

    /** Takes all idle connections out, to be closed. */
    List<Wire> takeIdle() {
        lock.lock();
        try {
            List<Wire> all = List.copyOf(idle);
            open -= all.size();
            idle.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Nobody is served from now on. Returns those in line. */
    List<Request> close() {
        lock.lock();
        try {
            closed = true;
            ArrayDeque<Request> all = new ArrayDeque<>(urgent);
            all.addAll(alone);
            all.addAll(scripts);
            return List.copyOf(all);
        } finally {
            lock.unlock();
        }
    }
}
