package io.lockkeeper.redis.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one server, used by one thread at a time. Everything on it ends at the deadline it was last given.
 *
 * <p>What it keeps: a reply is taken by the thread whose request it answers. A connection that was given back while it owes a reply would hand that
 * reply to the next request, and so on without end: a caller would read the grant of another lock as its own. Whatever was thrown in
 * the middle of an exchange (a stack that overflowed, a heap that ran out), such a connection {@linkplain #isFree is not free}, and
 * the pool closes it.
 *
 * <p>A wire is one connection and is never mended: one that connected again by itself could send a request twice.
 */
final class Wire implements Line {

    /** So many bytes are sent without waiting for more. */
    private static final int MOST_AT_ONCE = 48 * 1024;

    private final Address server;
    private final TimedSocket line;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final Writing writing = new Writing();
    private final Reading reading = new Reading();

    private boolean broken;

    /** Requests that were begun less replies that were taken whole. Counted up before a byte of a request is written. */
    private int owed;

    /** When it was last given back, on the monotonic clock; for the pool. */
    long idleSince;

    /** Whether the thread that has it was interrupted before; for the pool. */
    boolean interrupted;

    private Wire(Address server, TimedSocket line, Socket socket) throws IOException {
        this.server = server;
        this.line = line;
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    /**
     * Connects and logs in.
     *
     * @throws io.lockkeeper.LockkeeperException if that fails; nothing of the caller's was sent then
     */
    static Wire open(Address server, Access access, Deadline until) {
        try {
            return Errands.isNeeded()
                    ? Errands.run(() -> openHere(server, access, until))
                    : openHere(server, access, until);
        } catch (IOException e) {
            throw Trouble.opening(server, access.tls() != null, e);
        }
    }

    private static Wire openHere(Address server, Access access, Deadline until) {
        TimedSocket line = null;
        try {
            line = connect(server, until);
            line.until(until);
            SSLSocketFactory tls = access.tls();
            Socket socket = tls == null ? line : secure(server, tls, line);
            Wire wire = new Wire(server, line, socket);
            access.logIn(wire, until);
            return wire;
        } catch (IOException | RuntimeException e) {
            if (line != null) {
                line.closeQuietly();
            }
            throw Trouble.opening(server, access.tls() != null, e);
        } catch (Error e) {
            if (line != null) {
                line.closeQuietly();
            }
            throw e;
        }
    }

    private static TimedSocket connect(Address server, Deadline until) throws IOException {
        InetAddress[] addresses = Lookup.of(server.host(), until);
        IOException last = null;
        for (int i = 0; i < addresses.length; i++) {
            TimedSocket line = new TimedSocket();
            try {
                // An address that swallows packets leaves their share of the time to those after it.
                int share = Math.max(1, until.millis() / (addresses.length - i));
                line.connect(new InetSocketAddress(addresses[i], server.port()), share);
                return line;
            } catch (IOException e) {
                line.closeQuietly();
                last = e;
            }
        }
        throw last == null ? new IOException("It has no address") : last;
    }

    private static Socket secure(Address server, SSLSocketFactory tls, TimedSocket line) throws IOException {
        SSLSocket socket = (SSLSocket) tls.createSocket(line, server.host(), server.port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    Address server() {
        return server;
    }

    /** From now on everything on this wire ends at this moment. */
    void until(Deadline deadline) {
        line.until(deadline);
    }

    @Override
    public void send(Command command) {
        owed++;
        writing.add(command);
        if (writing.size() > MOST_AT_ONCE) {
            flush();
        }
    }

    /** Without a copy of each argument: many renewals are one script with thousands of them. */
    @Override
    public void send(Redis.Call call, boolean whole) {
        owed++;
        try {
            writing.add(call, whole, MOST_AT_ONCE, out);
        } catch (IOException e) {
            broken = true;
            throw new NoReplyException(e);
        }
    }

    @Override
    public @Nullable Object receive() {
        flush();
        Object reply = next();
        while (reply == Reading.NOT_YET) {
            try {
                fill();
            } catch (NoReplyException e) {
                broken = true;
                throw e;
            }
            reply = next();
        }
        if (reply instanceof ErrorReplyException refused) {
            throw refused;
        }
        return reply;
    }

    /** Adds a script to what is sent with the next {@link #flush}. */
    void add(Redis.Call call, boolean whole) {
        owed++;
        writing.add(call, whole);
    }

    /** How many bytes wait to be sent. */
    int unsent() {
        return writing.size();
    }

    void flush() {
        if (writing.size() > 0) {
            try {
                writing.flush(out);
            } catch (IOException e) {
                broken = true;
                throw new NoReplyException(e);
            }
        }
    }

    /** The next reply out of what has come, an error as the exception that it is; {@link Reading#NOT_YET} if there is none. */
    @Nullable
    Object next() {
        try {
            Object reply = reading.next();
            if (reply != Reading.NOT_YET) {
                owed--;
            }
            return reply;
        } catch (NoReplyException e) {
            broken = true;
            throw e;
        }
    }

    /** From now on what the server pushes is {@linkplain #next taken} like a reply. */
    void listen() {
        reading.listen();
    }

    /**
     * Waits for more. If the time is up before, another thread may go on waiting, unless the connection is secured and a part of
     * a TLS record was taken: nobody can go on in the middle of one.
     */
    void fill() {
        long taken = line.taken();
        try {
            if (Errands.isNeeded()) {
                Errands.run(() -> {
                    reading.fill(in);
                    return true;
                });
            } else {
                reading.fill(in);
            }
        } catch (SocketTimeoutException e) {
            broken |= socket != line && line.taken() != taken;
            throw new NoReplyException(e);
        } catch (IOException e) {
            broken = true;
            throw new NoReplyException(e);
        } catch (NoReplyException e) {
            broken = true;
            throw e;
        }
    }

    /** Whether another thread may have it: it works, every request has its reply, and nothing else has come. */
    boolean isFree() {
        return owed == 0 && reading.isEmpty() && !isBroken();
    }

    /** Whether nothing more can be read or written. One that is not broken may still owe replies. */
    boolean isBroken() {
        return broken || line.isClosed();
    }

    void close() {
        broken = true;
        line.closeQuietly();
    }
}
