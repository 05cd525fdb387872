package io.lockkeeper.testkit.etcd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** What a server counts about itself. It answers also when users, TLS or a missing gateway keep clients away. */
public final class EtcdMetrics {

    private static final int ANSWER_MILLIS = 2_000;

    private final String root;

    EtcdMetrics(String root) {
        this.root = root;
    }

    /** How many requests it got since it started, those that its gateway passed on included, streams as one each. */
    public long requests() {
        return sum("grpc_server_started_total{");
    }

    /** The same for one kind, such as {@code Txn} or {@code LeaseKeepAlive}. */
    public long requests(String method) {
        return sum("grpc_server_started_total{grpc_method=\"" + method + "\"");
    }

    /** How many entries of the cluster's log it has applied: each write is one, reads are none. */
    public long entries() {
        return sum("etcd_server_proposals_applied_total ");
    }

    /** What follows on the line that begins so, up to a quotation mark. */
    String text(String start) {
        return get("/metrics")
                .lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length(), line.indexOf('"', start.length())))
                .findFirst()
                .orElse("of unknown version");
    }

    private long sum(String start) {
        return get("/metrics")
                .lines()
                .filter(line -> line.startsWith(start))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** A page of it; empty if it does not answer. */
    String get(String page) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(root + page).toURL().openConnection();
            connection.setConnectTimeout(ANSWER_MILLIS);
            connection.setReadTimeout(ANSWER_MILLIS);
            try (var in = connection.getResponseCode() == HttpURLConnection.HTTP_OK
                    ? connection.getInputStream()
                    : connection.getErrorStream()) {
                return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } finally {
                connection.disconnect();
            }
        } catch (IOException notNow) {
            return "";
        } catch (RuntimeException e) {
            throw new UncheckedIOException("Cannot ask " + root + page, new IOException(e));
        }
    }
}
