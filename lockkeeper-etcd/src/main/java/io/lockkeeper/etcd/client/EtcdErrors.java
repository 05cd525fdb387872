package io.lockkeeper.etcd.client;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.etcd.client.EtcdErrorException.Kind;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import javax.net.ssl.SSLException;

/**
 * What went wrong, in one sentence that says what to do.
 *
 * <p>{@link StoreUnavailableException}: it may be better later, and the request may have been executed. {@link EtcdErrorException}: it
 * was not executed.
 */
final class EtcdErrors {

    private static final int LONGEST_QUOTE = 200;
    private static final int UNAUTHORIZED = 401;

    /** What proxies answer by themselves while a server is slow, busy or away; it may have executed the request. */
    private static final Set<Integer> PASSING = Set.of(408, 429, 499, 502, 503, 504);

    private EtcdErrors() {}

    /** No connection could be opened. */
    static StoreUnavailableException opening(Address server, boolean tls, IOException cause) {
        String why = cause instanceof SSLException
                ? "; check its certificate, the host name in it, and that the server speaks TLS"
                : cause instanceof SocketTimeoutException ? " in time" : "";
        return new StoreUnavailableException(
                "etcd at " + server + (tls ? " (TLS)" : "") + " could not be reached" + why + ": "
                        + quoted(String.valueOf(cause.getMessage())),
                cause);
    }

    /** A request was sent and has no reply. */
    static StoreUnavailableException noReply(Address server, IOException cause) {
        if (cause instanceof NotHttpException) {
            return new StoreUnavailableException(
                    cause.getMessage() + ": " + server + " does not answer as the JSON gateway of etcd; name the client"
                            + " URL of a server whose gateway is enabled, and use etcds:// if it speaks TLS",
                    cause);
        }
        return new StoreUnavailableException(
                "etcd at " + server
                        + (cause instanceof SocketTimeoutException ? " did not answer in time" : " did not answer")
                        + ": " + quoted(String.valueOf(cause.getMessage())),
                cause);
    }

    static StoreUnavailableException malformed(Address server, Json.MalformedException cause) {
        return new StoreUnavailableException(
                server + " did not answer as the JSON gateway of etcd does: " + cause.getMessage(), cause);
    }

    /** An answer that is an error. */
    static LockkeeperException of(Address server, int status, byte[] body) {
        String message = "";
        try {
            Json json = Json.read(body);
            // A stream says it inside of an object.
            message = json.at("error").text().isEmpty()
                    ? json.at("error").at("message").text()
                    : json.at("error").text();
            message = message.isEmpty() ? json.at("message").text() : message;
        } catch (Json.MalformedException notOurs) {
            // The status has to do.
        }
        if (!message.isEmpty()) {
            return of(server, status, message);
        }
        String text = new String(body, 0, Math.min(body.length, LONGEST_QUOTE), StandardCharsets.UTF_8).strip();
        return PASSING.contains(status)
                ? new StoreUnavailableException("A proxy before etcd at " + server + " answered " + status + " '"
                        + quoted(text) + "'; it could not reach etcd, or had no answer of it in time")
                : notTheGateway(server, status, text);
    }

    private static EtcdErrorException notTheGateway(Address server, int status, String text) {
        return new EtcdErrorException(
                Kind.REFUSED,
                server + " answered " + status + " '" + quoted(text)
                        + "' instead of etcd's JSON gateway; start etcd with"
                        + " --enable-grpc-gateway, and name the port of its client URLs, or of"
                        + " --listen-client-http-urls if it has them; a grpc-proxy has no gateway");
    }

    static LockkeeperException of(Address server, int status, String message) {
        String said = quoted(message);
        if (message.contains("requested lease not found")) {
            return new EtcdErrorException(Kind.LEASE_NOT_FOUND, "etcd at " + server + " has no such lease");
        }
        if (message.endsWith("key not found")) {
            return new EtcdErrorException(Kind.KEY_NOT_FOUND, "etcd at " + server + " has no such key");
        }
        if (message.contains("database space exceeded")) {
            return new EtcdErrorException(
                    Kind.NO_SPACE,
                    "etcd at " + server + " has used up its space quota (alarm NOSPACE) and takes no locks; compact and"
                            + " defragment it, then call 'etcdctl alarm disarm'");
        }
        if (status == UNAUTHORIZED
                || message.contains("invalid auth token")
                || message.contains("user name is empty")
                || message.contains("revision of auth store is old")) {
            return new EtcdErrorException(
                    Kind.LOGIN_NEEDED,
                    "etcd at " + server + " asks for a user: " + said + "; name one in the URL, as in"
                            + " etcd://user:password@host:2379, or by the builder's credentials");
        }
        if (message.contains("permission denied")) {
            return new EtcdErrorException(
                    Kind.REFUSED,
                    "The user may not do this in etcd at " + server + ": " + said
                            + "; grant its role readwrite on all keys with the prefix of the locks");
        }
        if (message.contains("authentication failed") || message.contains("authentication is not enabled")) {
            return new EtcdErrorException(
                    Kind.REFUSED,
                    "etcd at " + server + " did not accept the user and password: " + said
                            + "; check them, and whether authentication is enabled");
        }
        if (message.contains("no leader")) {
            return new StoreUnavailableException(
                    "etcd at " + server + " has no leader, so a majority of its servers cannot be reached just now");
        }
        if (status >= 500 || status == 408 || status == 429 || message.contains("too many requests")) {
            return new StoreUnavailableException("etcd at " + server + " could not answer just now: " + said);
        }
        return new EtcdErrorException(Kind.REFUSED, "etcd at " + server + " refused a request: " + said);
    }

    /** What a server said: shortened, and without line breaks, since it goes into logs. */
    private static String quoted(String text) {
        String line = text.replaceAll("\\p{Cntrl}+", " ");
        return line.length() > LONGEST_QUOTE ? line.substring(0, LONGEST_QUOTE) + "…" : line;
    }
}
