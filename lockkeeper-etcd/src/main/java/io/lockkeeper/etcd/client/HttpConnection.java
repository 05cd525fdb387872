package io.lockkeeper.etcd.client;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is used by one thread at a time, for one request after the other.
 *
 * <p><b>Invariant.</b> A reply is read by the thread whose request it answers. Whatever is thrown in the middle of a request, the
 * connection {@linkplain #isFree is not free} afterwards and is closed: a reply that was not read would be taken for that of the next
 * request. A connection is never repaired: one that reconnected by itself could send a request twice.
 */
final class HttpConnection {

    /** Status and body of a reply. */
    static final class Reply {
        final int status;
        final byte[] body;

        Reply(int status, byte[] body) {
            this.status = status;
            this.body = body;
        }
    }

    private final Address server;
    private final TimedSocket timed;
    private final OutputStream out;
    private final HttpReader reader;

    private boolean busy;
    private boolean closing;
    /** When it was last given back, on the monotonic clock; for the pool. */
    long idleSince;

    private HttpConnection(Address server, TimedSocket timed, Socket socket) throws IOException {
        this.server = server;
        this.timed = timed;
        this.out = socket.getOutputStream();
        this.reader = new HttpReader(socket.getInputStream());
    }

    /** Connects. Nothing of the caller's was sent if this fails. */
    static HttpConnection open(Address server, @Nullable SSLSocketFactory tls, Deadline until) throws IOException {
        return PlatformThreads.isNeeded()
                ? PlatformThreads.run(() -> openHere(server, tls, until))
                : openHere(server, tls, until);
    }

    private static HttpConnection openHere(Address server, @Nullable SSLSocketFactory tls, Deadline until)
            throws IOException {
        TimedSocket timed = connect(server, until);
        boolean opened = false;
        try {
            timed.until(until);
            HttpConnection connection =
                    new HttpConnection(server, timed, tls == null ? timed : secure(server, tls, timed));
            opened = true;
            return connection;
        } finally {
            if (!opened) {
                timed.closeQuietly();
            }
        }
    }

    private static TimedSocket connect(Address server, Deadline until) throws IOException {
        InetAddress[] addresses = HostLookup.of(server.host(), until);
        IOException last = null;
        for (int i = 0; i < addresses.length; i++) {
            TimedSocket timed = new TimedSocket();
            try {
                // An address that swallows packets leaves their share of the time to those after it.
                int share = until.millis() / (addresses.length - i);
                if (share == 0) {
                    throw new SocketTimeoutException("The time is up");
                }
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

    /**
     * Sends a request and reads the reply. If it fails, the request may have been executed, and may be executed later.
     *
     * @param token what etcd gave for user and password; null for none
     */
    Reply post(String path, byte[] body, @Nullable String token, Deadline until) throws IOException {
        busy = true;
        timed.until(until);
        return PlatformThreads.isNeeded()
                ? PlatformThreads.run(() -> postHere(path, body, token))
                : postHere(path, body, token);
    }

    private Reply postHere(String path, byte[] body, @Nullable String token) throws IOException {
        send(path, body, token);
        reader.readHead();
        byte[] answer = reader.readBody();
        closing = reader.isClosing();
        // Last: whatever is thrown above, an Error too, leaves it busy.
        busy = false;
        return new Reply(reader.status(), answer);
    }

    /** Sends a request whose reply has no end, and returns what reads it in parts. The connection is not free again. */
    HttpReader stream(String path, byte[] body, @Nullable String token, Deadline until) throws IOException {
        busy = true;
        timed.until(until);
        send(path, body, token);
        reader.readHead();
        timed.until(null);
        return reader;
    }

    private void send(String path, byte[] body, @Nullable String token) throws IOException {
        String head = "POST " + path + " HTTP/1.1\r\nHost: " + server + "\r\nContent-Type: application/json\r\n"
                + (token == null ? "" : "Authorization: " + token + "\r\n") + "Content-Length: " + body.length
                + "\r\n\r\n";
        byte[] first = head.getBytes(StandardCharsets.ISO_8859_1);
        byte[] whole = new byte[first.length + body.length];
        System.arraycopy(first, 0, whole, 0, first.length);
        System.arraycopy(body, 0, whole, first.length, body.length);
        out.write(whole, 0, whole.length);
        out.flush();
    }

    Address server() {
        return server;
    }

    /** Whether another request may be sent: each one has its reply, and nothing else has come. */
    boolean isFree() {
        return !busy && !closing && reader.isEmpty() && !timed.isClosed();
    }

    void close() {
        timed.closeQuietly();
    }
}
