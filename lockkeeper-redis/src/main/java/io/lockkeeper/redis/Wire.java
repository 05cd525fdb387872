package io.lockkeeper.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * A connection to one server, used by one thread at a time. Everything on it ends at the deadline it was last given.
 *
 * <p>What it keeps: a wire is one connection and is never mended. Jedis would connect again by itself when it finds its
 * socket closed, without logging in, and a request could go out twice; so it gets its socket once.
 */
final class Wire implements Line {

    private final HostAndPort server;
    private final TimedSocket line;
    private final Socket socket;
    private final Connection connection;

    /** When it was last given back, on the monotonic clock; for the pool. */
    long idleSince;

    /** Whether the thread that has it was interrupted before; for the pool. */
    boolean interrupted;

    private Wire(HostAndPort server, TimedSocket line, Socket socket, Connection connection) {
        this.server = server;
        this.line = line;
        this.socket = socket;
        this.connection = connection;
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
            Connection connection = new Connection(new Once(socket), access.handshake());
            Wire wire = new Wire(server, line, socket, connection);
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
        connection.sendCommand(command);
    }

    @Override
    public @Nullable Object receive() {
        return connection.getOne();
    }

    boolean isBroken() {
        return connection.isBroken() || line.isClosed();
    }

    void close() {
        connection.setBroken();
        line.closeQuietly();
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
