package io.lockkeeper.etcd.client;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one server: a few, shared by all threads, opened when needed.
 *
 * <p><b>Invariants.</b> A connection is with one thread at a time. One with an unread reply is never lent again. No lock is held
 * during I/O.
 *
 * <p>A connection may die unnoticed while it is idle, and writing to it still succeeds: nobody knows then whether the request was
 * executed. To make that rare, the idle ones are closed when any connection breaks, that of the watch too, and one that was idle for
 * long is not used.
 */
final class ConnectionPool {

    private static final long CLOSED_AFTER = ClientPolicy.IDLE.toNanos();

    private final Address server;
    private final @Nullable SSLSocketFactory tls;
    private final int most;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final Deque<HttpConnection> idle = new ArrayDeque<>();
    private int lent;
    private boolean closed;

    ConnectionPool(Address server, @Nullable SSLSocketFactory tls, int most) {
        this.server = server;
        this.tls = tls;
        this.most = most;
    }

    Address server() {
        return server;
    }

    /** A connection that was idle, or a new one. Nothing was sent if this fails. */
    HttpConnection take(Deadline until) throws IOException {
        HttpConnection connection = takeIdle(until);
        if (connection != null) {
            return connection;
        }
        boolean opened = false;
        try {
            HttpConnection fresh = HttpConnection.open(server, tls, until);
            opened = true;
            return fresh;
        } finally {
            if (!opened) {
                gone();
            }
        }
    }

    private @Nullable HttpConnection takeIdle(Deadline until) throws IOException {
        boolean interrupted = false;
        lock.lock();
        try {
            while (true) {
                if (closed) {
                    throw new IOException("The connections are closed");
                }
                if (lent < most) {
                    lent++;
                    return fresh();
                }
                if (until.hasPassed()) {
                    throw new SocketTimeoutException("All " + most + " connections are in use");
                }
                try {
                    freed.awaitNanos(until.left());
                } catch (InterruptedException e) {
                    // A request is short and not interruptible; its caller sees the interrupt afterwards.
                    interrupted = true;
                }
            }
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private @Nullable HttpConnection fresh() {
        HttpConnection last = idle.pollFirst();
        if (last != null && Deadline.now() - last.idleSince > CLOSED_AFTER) {
            // It was the one that was used last, so the others are older.
            last.close();
            idle.forEach(HttpConnection::close);
            idle.clear();
            return null;
        }
        return last;
    }

    /** Gives a connection back. One that is not free is closed, and the idle ones with it. */
    void give(HttpConnection connection) {
        if (!connection.isFree()) {
            connection.close();
            gone();
            return;
        }
        List<HttpConnection> old = new ArrayList<>();
        lock.lock();
        try {
            lent--;
            freed.signal();
            connection.idleSince = Deadline.now();
            if (closed) {
                old.add(connection);
            } else {
                idle.addFirst(connection);
            }
            while (!idle.isEmpty() && connection.idleSince - idle.getLast().idleSince > CLOSED_AFTER) {
                old.add(idle.removeLast());
            }
        } finally {
            lock.unlock();
        }
        old.forEach(HttpConnection::close);
    }

    private void gone() {
        lock.lock();
        try {
            lent--;
            freed.signal();
        } finally {
            lock.unlock();
        }
        forget();
    }

    /** Closes the idle connections. */
    void forget() {
        List<HttpConnection> old;
        lock.lock();
        try {
            old = List.copyOf(idle);
            idle.clear();
        } finally {
            lock.unlock();
        }
        old.forEach(HttpConnection::close);
    }

    /** How many connections there are. */
    int size() {
        lock.lock();
        try {
            return lent + idle.size();
        } finally {
            lock.unlock();
        }
    }

    /** Closes the idle connections now, and each other one when it is given back. */
    void close() {
        lock.lock();
        try {
            closed = true;
            freed.signalAll();
        } finally {
            lock.unlock();
        }
        forget();
    }
}
