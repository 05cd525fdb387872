package io.lockkeeper.redis;

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
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * A connection to one server, used by one thread at a time. Everything on it ends at the deadline it was last given.
 *
 * <p>What it keeps: a reply is taken by the thread whose request it answers. A connection that was given back while it owes a reply would hand that
 * reply to the next request, and so on without end: a caller would read the grant of another lock as its own. Whatever was thrown in
 * the middle of an exchange (a stack that overflowed, a heap that ran out), such a connection {@linkplain #isFree is not free}, and
 * the pool closes it.
 *
 * <p>A wire is one connection and is never mended. Jedis, which logs in, would connect again by itself when it finds its
 * socket closed, and a request could go out twice; so it gets its socket once.
 */
final class Wire implements Line {

    /** So many bytes are sent without waiting for more. */
    private static final int MOST_AT_ONCE = 48 * 1024;

    private final HostAndPort server;
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

    private Wire(HostAndPort server, TimedSocket line, Socket socket) throws IOException {
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
    static Wire open(HostAndPort server, Access access, Deadline until) {
        TimedSocket line = null;
        try {
            line = connect(server, until);
            line.until(until);
            SSLSocketFactory tls = access.tls();
            Socket socket = tls == null ? line : secure(server, tls, line);
            logIn(socket, access);
            Wire wire = new Wire(server, line, socket);
            // Whatever is wrong with the server or with us comes to light here, before anything is asked of it.
            wire.ask(Commands.ping());
            return wire;
        } catch (IOException | RuntimeException e) {
            if (line != null) {
                line.closeQuietly();
            }
            throw Trouble.opening(server, access.tls() != null, e);
        }
    }

    private static TimedSocket connect(HostAndPort server, Deadline until) throws IOException {
        InetAddress[] addresses = Lookup.of(server.getHost(), until);
        IOException last = null;
        for (int i = 0; i < addresses.length; i++) {
            TimedSocket line = new TimedSocket();
            try {
                // An address that swallows packets leaves their share of the time to those after it.
                int share = Math.max(1, until.millis() / (addresses.length - i));
                line.connect(new InetSocketAddress(addresses[i], server.getPort()), share);
                return line;
            } catch (IOException e) {
                line.closeQuietly();
                last = e;
            }
        }
        throw last == null ? new IOException("It has no address") : last;
    }

    private static Socket secure(HostAndPort server, SSLSocketFactory tls, TimedSocket line) throws IOException {
        SSLSocket socket = (SSLSocket) tls.createSocket(line, server.getHost(), server.getPort(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    HostAndPort server() {
        return server;
    }

    /** The socket to read and write by other means than {@link #send} and {@link #receive}. */
    Socket socket() {
        return socket;
    }

    /** From now on everything on this wire ends at this moment. */
    void until(Deadline deadline) {
        line.until(deadline);
    }

    @Override
    public void send(CommandArguments command) {
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
            throw new JedisConnectionException(e);
        }
    }

    @Override
    public @Nullable Object receive() {
        flush();
        Object reply = next();
        while (reply == Reading.NOT_YET) {
            try {
                fill();
            } catch (JedisConnectionException e) {
                broken = true;
                throw e;
            }
            reply = next();
        }
        if (reply instanceof JedisDataException refused) {
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
                throw new JedisConnectionException(e);
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
        } catch (JedisConnectionException e) {
            broken = true;
            throw e;
        }
    }

    /** Waits for more. If the time is up before, another thread may go on waiting, unless the connection is secured. */
    void fill() {
        try {
            reading.fill(in);
        } catch (SocketTimeoutException e) {
            // Inside a TLS record nobody can go on.
            broken |= socket != line;
            throw new JedisConnectionException(e);
        } catch (IOException e) {
            broken = true;
            throw new JedisConnectionException(e);
        } catch (JedisConnectionException e) {
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

    private static void logIn(Socket socket, Access access) {
        // It is not closed: its socket goes on without it.
        Connection connection = new Connection(new Once(socket), access.handshake());
        if (connection.isBroken()) {
            throw new JedisConnectionException("The connection was closed");
        }
    }

    /** Gives out a socket that is connected already, and only once. */
    private static final class Once implements JedisSocketFactory {

        private @Nullable Socket socket;

        Once(Socket socket) {
            this.socket = socket;
        }

        @Override
        public Socket createSocket() {
            Socket given = socket;
            if (given == null) {
                throw new JedisConnectionException("The connection was closed");
            }
            socket = null;
            return given;
        }
    }
}
