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
 * A connection over a socket, used by one thread at a time. Every read and write ends at the deadline that was set last.
 *
 * <p>Invariant: a reply is read by the thread whose request it answers. A connection that was given back with an unread reply
 * would hand that reply to the next request, and so on without end: a caller would read the reply of another request as its
 * own. Whatever was thrown in the middle of a request (a stack overflow, an exhausted heap), such a connection {@linkplain
 * #isFree is not free}, and the pool closes it.
 *
 * <p>A connection is never repaired: one that reconnected by itself could send a request twice.
 */
final class SocketConnection implements ServerConnection {

    /** Above this many bytes commands are sent without waiting for more. */
    private static final int FLUSH_ABOVE = 48 * 1024;

    private final Address server;
    private final TimedSocket timed;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final CommandBuffer buffer = new CommandBuffer();
    private final ReplyReader reader = new ReplyReader();

    private boolean broken;

    /** Requests that were begun less replies that were taken whole. Counted up before a byte of a request is written. */
    private int owed;

    /** When it was last given back, on the monotonic clock; for the pool. */
    long idleSince;

    /** Whether the thread that has it was interrupted before; for the pool. */
    boolean interrupted;

    private SocketConnection(Address server, TimedSocket timed, Socket socket) throws IOException {
        this.server = server;
        this.timed = timed;
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    /**
     * Connects and logs in.
     *
     * @throws io.lockkeeper.LockkeeperException if that fails; nothing of the caller's was sent then
     */
    static SocketConnection open(Address server, ConnectionSettings access, Deadline until) {
        try {
            return PlatformThreads.isNeeded()
                    ? PlatformThreads.run(() -> openHere(server, access, until))
                    : openHere(server, access, until);
        } catch (IOException e) {
            throw RedisErrors.opening(server, access.tls() != null, e);
        }
    }

    private static SocketConnection openHere(Address server, ConnectionSettings access, Deadline until) {
        TimedSocket timed = null;
        try {
            timed = connect(server, until);
            timed.until(until);
            SSLSocketFactory tls = access.tls();
            Socket socket = tls == null ? timed : secure(server, tls, timed);
            SocketConnection connection = new SocketConnection(server, timed, socket);
            access.logIn(connection, until);
            return connection;
        } catch (IOException | RuntimeException e) {
            if (timed != null) {
                timed.closeQuietly();
            }
            throw RedisErrors.opening(server, access.tls() != null, e);
        } catch (Error e) {
            if (timed != null) {
                timed.closeQuietly();
            }
            throw e;
        }
    }

    private static TimedSocket connect(Address server, Deadline until) throws IOException {
        InetAddress[] addresses = HostLookup.of(server.host(), until);
        IOException last = null;
        for (int i = 0; i < addresses.length; i++) {
            TimedSocket timed = new TimedSocket();
            try {
                // An address that swallows packets leaves their share of the time to those after it.
                int share = Math.max(1, until.millis() / (addresses.length - i));
                timed.connect(new InetSocketAddress(addresses[i], server.port()), share);
                return timed;
            } catch (IOException e) {
                timed.closeQuietly();
                last = e;
            }
        }
        throw last == null ? new IOException("It has no address") : last;
    }

    private static Socket secure(Address server, SSLSocketFactory tls, TimedSocket timed) throws IOException {
        SSLSocket socket = (SSLSocket) tls.createSocket(timed, server.host(), server.port(), true);
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
        timed.until(deadline);
    }

    @Override
    public void send(Command command) {
        owed++;
        buffer.add(command);
        if (buffer.size() > FLUSH_ABOVE) {
            flush();
        }
    }

    /** Without a copy of each argument: many renewals are one script with thousands of them. */
    @Override
    public void send(Redis.Call call, boolean whole) {
        owed++;
        try {
            buffer.add(call, whole, FLUSH_ABOVE, out);
        } catch (IOException e) {
            broken = true;
            throw new NoReplyException(e);
        }
    }

    @Override
    public @Nullable Object receive() {
        flush();
        Object reply = next();
        while (reply == ReplyReader.NOT_YET) {
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
        buffer.add(call, whole);
    }

    /** How many bytes wait to be sent. */
    int unsent() {
        return buffer.size();
    }

    void flush() {
        if (buffer.size() > 0) {
            try {
                buffer.flush(out);
            } catch (IOException e) {
                broken = true;
                throw new NoReplyException(e);
            }
        }
    }

    /** The next reply out of what has come, an error as the exception that it is; {@link ReplyReader#NOT_YET} if there is none. */
    @Nullable
    Object next() {
        try {
            Object reply = reader.next();
            if (reply != ReplyReader.NOT_YET) {
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
        reader.listen();
    }

    /**
     * Waits for more. If the time is up before, another thread may go on waiting, unless the connection is secured and a part of
     * a TLS record was taken: nobody can go on in the middle of one.
     */
    void fill() {
        long taken = timed.taken();
        try {
            if (PlatformThreads.isNeeded()) {
                PlatformThreads.run(() -> {
                    reader.fill(in);
                    return true;
                });
            } else {
                reader.fill(in);
            }
        } catch (SocketTimeoutException e) {
            broken |= socket != timed && timed.taken() != taken;
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
        return owed == 0 && reader.isEmpty() && !isBroken();
    }

    /** Whether nothing more can be read or written. One that is not broken may still owe replies. */
    boolean isBroken() {
        return broken || timed.isClosed();
    }

    void close() {
        broken = true;
        timed.closeQuietly();
    }
}
