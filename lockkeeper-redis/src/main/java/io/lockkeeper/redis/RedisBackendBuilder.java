package io.lockkeeper.redis;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.redis.RedisUrl.Kind;
import io.lockkeeper.redis.client.Redis;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link RedisBackend}. */
public final class RedisBackendBuilder {

    private @Nullable RedisUrl place;
    private @Nullable RedisClientAdapter client;
    private @Nullable Supplier<RedisCredentials> credentials;
    private @Nullable SSLContext tls;
    private String prefix = "lockkeeper";
    private int minReplicas;

    RedisBackendBuilder() {}

    /**
     * Where it is:
     *
     * <pre>
     * redis://[user[:password]@]host[:port][/database]                   one server; rediss:// by TLS
     * redis-sentinel://[user:password@]host[:port],…/master[/database]   the primary that sentinels name
     * redis-cluster://[user:password@]host[:port],…                      a cluster, found by any of its nodes
     * </pre>
     *
     * with options like {@code ?prefix=shop&pool=16}: {@code prefix}, {@code minReplicas}, {@code pool} (the most connections to each server, 8), and for
     * Sentinel and Cluster {@code tls=true}, for Sentinel {@code sentinelUser} and {@code sentinelPassword}. What the URL says
     * goes before what is set here. User and password are percent-encoded.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public RedisBackendBuilder url(String url) {
        given(url, "url");
        RedisUrl parsed = RedisUrl.parse(url);
        if (parsed.kind() == Kind.REDLOCK) {
            throw new IllegalArgumentException("'redlock://' names several servers that vote; use"
                    + " Lockkeeper.connect with it, or Quorum.of with a RedisBackend for each");
        }
        return place(parsed);
    }

    RedisBackendBuilder place(RedisUrl parsed) {
        place = parsed;
        return this;
    }

    /**
     * The application's own client, instead of a {@link #url}, as an adapter such as {@link JedisAdapter} makes it fit. It stays the
     * application's to close, after the backend.
     */
    public RedisBackendBuilder client(RedisClientAdapter adapter) {
        given(adapter, "adapter");
        client = adapter;
        return this;
    }

    /**
     * User and password for each new connection to a server that keeps locks, instead of those of the {@link #url}: for tokens that
     * expire. It is asked on a thread of its own whenever a connection is opened, so it may take some time, but not longer than
     * a request may; connections that are open stay so. If it fails, no connection is opened and the request fails. Sentinels
     * are entered as the URL says.
     */
    public RedisBackendBuilder credentials(Supplier<RedisCredentials> supplier) {
        given(supplier, "supplier");
        credentials = supplier;
        return this;
    }

    /**
     * Whom to trust, and with which certificate to enter, where the URL asks for TLS: the system's own setting. That the
     * server's certificate is for its host is checked in any case.
     */
    public RedisBackendBuilder sslContext(SSLContext context) {
        given(context, "context");
        tls = context;
        return this;
    }

    /**
     * What all keys and channels begin with: {@code lockkeeper}. Backends with different prefixes on one server know nothing
     * of each other.
     */
    public RedisBackendBuilder prefix(String prefix) {
        given(prefix, "prefix");
        this.prefix = prefix;
        return this;
    }

    /**
     * How many replicas must have a grant before anybody gets it: 0. If fewer confirm it in time it is undone and refused. It
     * makes it less likely that a failover forgets a grant, not impossible.
     */
    public RedisBackendBuilder minReplicas(int replicas) {
        if (replicas < 0) {
            throw new IllegalArgumentException("minReplicas(" + replicas + ") makes no sense; use 0 or more");
        }
        minReplicas = replicas;
        return this;
    }

    /** Makes the backend. It connects when a keeper opens it. */
    public RedisBackend build() {
        RedisUrl from = place;
        if (client != null) {
            if (from != null) {
                throw new IllegalArgumentException("A client and a URL are given, and one of them is enough");
            }
            if (credentials != null) {
                throw new IllegalArgumentException(
                        "A client and credentials are given, but the client logs in by itself; leave the credentials out");
            }
            return new RedisBackend(client.redis(), new Keys(prefix), minReplicas);
        }
        if (from == null) {
            throw new IllegalArgumentException(
                    "No server is named; give a url, such as 'redis://localhost:6379', or a client");
        }
        if (credentials != null && (from.user() != null || from.password() != null)) {
            throw new IllegalArgumentException(
                    "The URL has a user or password and credentials are given too; leave one of them out");
        }
        Redis redis = Deployment.connect(from, tls == null ? null : tls.getSocketFactory(), credentials);
        Keys keys = new Keys(from.prefix() == null ? prefix : from.prefix());
        return new RedisBackend(redis, keys, Math.max(minReplicas, from.minReplicas()));
    }
}
