package io.lockkeeper.benchmarks.peer;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The floor on etcd: a transaction that puts a key if there is none, and a deletion, each a request of the JSON gateway on a socket of the
 * thread's own; polled every millisecond.
 */
final class RawEtcdPeer implements Peer {

    static final Library LIBRARY =
            new Library("raw-etcd", "raw HTTP", "etcd", "", Set.of(Feature.LOCK), RawEtcdPeer::new);

    private final URI server;
    private final long lease;
    private final Queue<Wire> wires = new ConcurrentLinkedQueue<>();

    private RawEtcdPeer(String url) throws IOException {
        server = URI.create(url);
        String reply = wire().post("/v3/lease/grant", "{\"TTL\":\"" + LEASE_MILLIS / 1000 + "\"}");
        lease = Long.parseLong(reply.replaceFirst("(?s).*\"ID\":\"(\\d+)\".*", "$1"));
    }

    private Wire wire() throws IOException {
        Wire wire = new Wire(new Socket(server.getHost(), server.getPort()));
        wires.add(wire);
        return wire;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Mutex lock(String name) {
        String key = base64("raw/" + name);
        String acquire = "{\"compare\":[{\"key\":\"" + key + "\",\"target\":\"CREATE\",\"create_revision\":\"0\"}],"
                + "\"success\":[{\"request_put\":{\"key\":\"" + key + "\",\"value\":\"" + base64("1")
                + "\",\"lease\":\"" + lease + "\"}}]}";
        String release = "{\"key\":\"" + key + "\"}";
        Wire wire;
        try {
            wire = wire();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return new Mutex() {
            @Override
            public long acquire() throws IOException {
                while (!wire.post("/v3/kv/txn", acquire).contains("\"succeeded\":true")) {
                    CompareAndDelete.pause();
                }
                return 0;
            }

            @Override
            public void release() throws IOException {
                CompareAndDelete.check(
                        wire.post("/v3/kv/deleterange", release).contains("\"deleted\":\"1\"") ? 1L : 0L);
            }
        };
    }

    @Override
    public void close() {
        wires.forEach(Wire::close);
    }

    /** One connection, one request after the other. */
    private static final class Wire {

        private final Socket socket;
        private final InputStream in;

        Wire(Socket socket) throws IOException {
            this.socket = socket;
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        }

        String post(String path, String json) throws IOException {
            socket.getOutputStream()
                    .write(("POST " + path + " HTTP/1.1\r\nHost: etcd\r\nContent-Length: " + json.length() + "\r\n\r\n"
                                    + json)
                            .getBytes(StandardCharsets.US_ASCII));
            int length = -1;
            for (String line = line(); !line.isEmpty(); line = line()) {
                if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                    length = Integer.parseInt(
                            line.substring(line.indexOf(':') + 1).strip());
                }
            }
            if (length < 0) {
                throw new IOException("The reply has no length");
            }
            return new String(in.readNBytes(length), StandardCharsets.UTF_8);
        }

        private String line() throws IOException {
            var line = new StringBuilder();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new IOException("The connection ended");
                }
                if (c != '\r') {
                    line.append((char) c);
                }
            }
            return line.toString();
        }

        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
