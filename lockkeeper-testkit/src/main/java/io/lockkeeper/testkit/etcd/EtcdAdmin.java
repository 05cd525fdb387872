package io.lockkeeper.testkit.etcd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An administrator of an etcd server, who looks into it and disturbs it over its JSON gateway. */
public final class EtcdAdmin {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    private final String root;
    private final @Nullable String token;

    EtcdAdmin(String root) {
        this(root, null);
    }

    private EtcdAdmin(String root, @Nullable String token) {
        this.root = root;
        this.token = token;
    }

    /** The same as a user with a password. */
    public EtcdAdmin as(String user, String password) {
        String reply = post("auth/authenticate", "{\"name\":\"" + user + "\",\"password\":\"" + password + "\"}");
        return new EtcdAdmin(root, one("token", reply));
    }

    /**
     * Sends a request of the gateway, such as {@code kv/range}, and returns the reply.
     *
     * @throws IllegalStateException with the reply if it is an error
     */
    public String post(String request, String json) {
        HttpRequest.Builder post = HttpRequest.newBuilder(URI.create(root + "/v3/" + request))
                .timeout(TIMEOUT)
                .POST(HttpRequest.BodyPublishers.ofString(json));
        if (token != null) {
            post.header("Authorization", token);
        }
        try {
            HttpResponse<String> reply = CLIENT.send(post.build(), HttpResponse.BodyHandlers.ofString());
            if (reply.statusCode() != 200) {
                throw new IllegalStateException(request + " was answered " + reply.statusCode() + ": " + reply.body());
            }
            return reply.body();
        } catch (IOException e) {
            throw new UncheckedIOException(request + " failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted during " + request, e);
        }
    }

    /** All keys that begin with this text, in order; with empty text all there are. */
    public List<String> keys(String prefix) {
        String reply = post("kv/range", "{" + range(prefix) + ",\"keys_only\":true}");
        return Pattern.compile("\"key\":\"([^\"]*)\"")
                .matcher(reply)
                .results()
                .map(found -> new String(Base64.getDecoder().decode(found.group(1)), StandardCharsets.UTF_8))
                .toList();
    }

    /** Writes a key. */
    public void put(String key, String value) {
        post("kv/put", "{\"key\":\"" + base64(key) + "\",\"value\":\"" + base64(value) + "\"}");
    }

    /** Deletes all keys that begin with this text. */
    public void delete(String prefix) {
        post("kv/deleterange", "{" + range(prefix) + "}");
    }

    /** The ids of all leases. */
    public List<String> leases() {
        return all("ID", post("lease/leases", "{}"));
    }

    /** The id of the lease that a key is attached to. */
    public String leaseOf(String key) {
        return one("lease", post("kv/range", "{\"key\":\"" + base64(key) + "\"}"));
    }

    /** Ends a lease, and with it all keys that are attached to it. */
    public void revoke(String lease) {
        post("lease/revoke", "{\"ID\":\"" + lease + "\"}");
    }

    /** The revision of the store: it grows with each write. */
    public long revision() {
        return Long.parseLong(one("revision", post("kv/range", "{\"key\":\"" + base64("none") + "\"}")));
    }

    /** Forgets all that is older than now, as administrators do from time to time. */
    public void compact() {
        post("kv/compaction", "{\"revision\":\"" + revision() + "\",\"physical\":true}");
    }

    private static String range(String prefix) {
        if (prefix.isEmpty()) {
            String nul = Base64.getEncoder().encodeToString(new byte[1]);
            return "\"key\":\"" + nul + "\",\"range_end\":\"" + nul + "\"";
        }
        byte[] end = prefix.getBytes(StandardCharsets.UTF_8);
        end[end.length - 1]++;
        return "\"key\":\"" + base64(prefix) + "\",\"range_end\":\""
                + Base64.getEncoder().encodeToString(end) + "\"";
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String one(String field, String reply) {
        return all(field, reply).stream()
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No " + field + " is in " + reply));
    }

    private static List<String> all(String field, String reply) {
        return Pattern.compile("\"" + field + "\":\"([^\"]*)\"")
                .matcher(reply)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }
}
