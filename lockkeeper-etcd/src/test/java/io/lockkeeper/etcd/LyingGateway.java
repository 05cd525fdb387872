package io.lockkeeper.etcd;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Stands before a server and passes everything on, but for keep-alives: while it lies it answers them itself, as some versions of etcd do
 * for a lease that is revoked; and but for what its rule answers. It has no watch.
 */
final class LyingGateway implements AutoCloseable {

    /** An answer of its own. */
    record Said(int status, String text) {

        static final Said DENIED = new Said(403, "{\"error\":\"etcdserver: permission denied\",\"code\":7}");
    }

    /** What it answers by itself. */
    interface Rule {
        /** The answer to a request; null to pass it on, at once or later. */
        @Nullable
        Said answer(String path, String body);
    }

    private final HttpServer door;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final String server;
    private volatile boolean lying;
    volatile Rule rule = (path, body) -> null;
    final AtomicInteger lies = new AtomicInteger();

    private LyingGateway(String server) throws IOException {
        this.server = server;
        this.door = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        door.setExecutor(threads);
        door.createContext("/", this::answer);
        door.start();
    }

    static LyingGateway before(String server) throws IOException {
        return new LyingGateway(server);
    }

    int port() {
        return door.getAddress().getPort();
    }

    void lie() {
        lying = true;
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String path = exchange.getRequestURI().getPath();
        try (exchange) {
            Said said = rule.answer(path, new String(body, StandardCharsets.UTF_8));
            if (path.equals("/v3/watch")) {
                exchange.sendResponseHeaders(404, -1);
            } else if (said != null) {
                send(exchange, said.status(), said.text().getBytes(StandardCharsets.UTF_8));
            } else if (lying && path.equals("/v3/lease/keepalive")) {
                lies.incrementAndGet();
                String id = new String(body, StandardCharsets.UTF_8).replaceAll("[^0-9]", "");
                send(
                        exchange,
                        200,
                        ("{\"result\":{\"ID\":\"" + id + "\",\"TTL\":\"3600\"}}").getBytes(StandardCharsets.UTF_8));
            } else {
                passOn(exchange, path, body);
            }
        }
    }

    private void passOn(HttpExchange exchange, String path, byte[] body) throws IOException {
        HttpURLConnection to = (HttpURLConnection)
                URI.create("http://" + server + path).toURL().openConnection();
        to.setRequestMethod("POST");
        to.setDoOutput(true);
        to.setFixedLengthStreamingMode(body.length);
        to.getOutputStream().write(body);
        int status = to.getResponseCode();
        try (InputStream in = status == 200 ? to.getInputStream() : to.getErrorStream()) {
            send(exchange, status, in.readAllBytes());
        }
    }

    private static void send(HttpExchange exchange, int status, byte[] answer) throws IOException {
        exchange.sendResponseHeaders(status, answer.length);
        exchange.getResponseBody().write(answer);
    }

    @Override
    public void close() {
        door.stop(0);
        threads.shutdownNow();
    }
}
