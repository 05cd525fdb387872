package io.lockkeeper.redis;

import io.lockkeeper.StoreUnavailableException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The connections to one server: a few, shared by all threads, made when needed.
 *
 * <p>What it keeps: a wire is with one thread at a time, there are never more than the limit, and a request that fails
 * because its connection had died unnoticed is rare. One could die while it lay idle, and writing to it would still
 * succeed; nobody knows then whether the request was executed. So one that has been idle for a while, or from before
 * another one broke, answers a PING first; if it does not, it is replaced before anything of the caller's is sent.
 */
final class Pool {

    private static final long ASKED_AFTER = TimeUnit.SECONDS.toNanos(1);
    private static final long CLOSED_AFTER = TimeUnit.MINUTES.toNanos(1);

    private final HostAndPort server;
    private final Access access;
    private final int limit;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    /** The one used last is first, so that those too many grow old. */
    private final ArrayDeque<Wire> idle = new ArrayDeque<>();

    private int open;
    private int waiting;
    private volatile long brokenAt;
    private boolean closed;

    Pool(HostAndPort server, Access access, int limit) {
        this.server = server;
        this.access = access;
        this.limit = limit;
        this.brokenAt = Deadline.now() - CLOSED_AFTER;
    }

    HostAndPort server() {
        return server;
    }

    Access access() {
        return access;
    }

    /**
     * Takes a connection; it must be {@linkplain #give given back}.
     *
     * @throws io.lockkeeper.LockkeeperException if there is none in time; nothing of the caller's was sent then
     */
    Wire take(Deadline until) {
        // A request is not interruptible, but on a virtual thread an interrupt would close its socket.
        boolean interrupted = Thread.interrupted();
        Wire taken = null;
        try {
            taken = fit(until);
            taken.interrupted = interrupted;
            return taken;
        } finally {
            if (taken == null && interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Wire fit(Deadline until) {
        while (true) {
            Wire wire = idleOrPlace(until);
            if (wire == null) {
                return open(until);
            }
            wire.until(until);
            boolean fresh = Deadline.now() - wire.idleSince < ASKED_AFTER && wire.idleSince - brokenAt > 0;
            if (fresh || answers(wire, until)) {
                return wire;
            }
            wire.close();
            give(wire);
            // Those that have been idle for longer are dead too; asking each would take the time.
            forget();
        }
    }

    /** Closes what is idle. */
    void forget() {
        lock.lock();
        try {
            idle.forEach(Wire::close);
            open -= idle.size();
            idle.clear();
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** An idle connection, or null: the caller may open one. */
    private @Nullable Wire idleOrPlace(Deadline until) {
        boolean interrupted = false;
        lock.lock();
        try {
            while (true) {
                if (closed) {
                    throw new StoreUnavailableException("The connections to " + server + " are closed");
                }
                Wire wire = idle.pollFirst();
                if (wire != null) {
                    return wire;
                }
                if (open < limit) {
                    open++;
                    return null;
                }
                long left = until.left();
                if (left <= 0) {
                    throw new StoreUnavailableException("All " + limit + " connections to " + server
                            + " are in use and none was freed in time; the server is slow, or allow more with ?pool="
                            + 2 * limit + " in the URL");
                }
                waiting++;
                try {
                    freed.awaitNanos(left);
                } catch (InterruptedException e) {
                    // A request is short and not interruptible; whoever made it looks at the interrupt afterwards.
                    interrupted = true;
                } finally {
                    waiting--;
                }
            }
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Wire open(Deadline until) {
        Wire wire = null;
        try {
            wire = Wire.open(server, access, until);
            return wire;
        } finally {
            if (wire == null) {
                gone();
            }
        }
    }

    private boolean answers(Wire wire, Deadline until) {
        wire.until(until.within(until.left() / 4));
        try {
            wire.ask(Commands.ping());
            wire.until(until);
            return true;
        } catch (JedisException e) {
            // An error is no PONG either: LOADING, or no right any more.
            return false;
        }
    }

    /** Gives a connection back, broken or not. */
    void give(Wire wire) {
        if (wire.interrupted) {
            wire.interrupted = false;
            Thread.currentThread().interrupt();
        }
        if (wire.isBroken()) {
            wire.close();
            gone();
            return;
        }
        long now = Deadline.now();
        Wire old = null;
        lock.lock();
        try {
            wire.idleSince = now;
            idle.addFirst(wire);
            Wire oldest = idle.getLast();
            if (closed || now - oldest.idleSince > CLOSED_AFTER) {
                old = idle.removeLast();
                open--;
            }
            if (waiting > 0) {
                freed.signal();
            }
        } finally {
            lock.unlock();
        }
        if (old != null) {
            old.close();
        }
    }

    private void gone() {
        lock.lock();
        try {
            open--;
            brokenAt = Deadline.now();
            if (waiting > 0) {
                freed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes what is idle now, and what is in use when it comes back. */
    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        forget();
    }
}
