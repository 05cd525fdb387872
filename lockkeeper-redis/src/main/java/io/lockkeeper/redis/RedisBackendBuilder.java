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
    private String prefix = Keys.DEFAULT_PREFIX;
    private int minReplicas;

    RedisBackendBuilder() {}

    /**
     * Sets where Redis is:
     *
     * <pre>
     * redis://[user[:password]@]host[:port][/database]                   one server; rediss:// by TLS
     * redis-sentinel://[user:password@]host[:port],…/master[/database]   the primary that sentinels name
     * redis-cluster://[user:password@]host[:port],…                      a cluster, found by any of its nodes
     * </pre>
     *
     * with options like {@code ?prefix=shop&pool=16}: {@code prefix}, {@code minReplicas}, {@code pool} (the most connections to each server, 8), and for
     * Sentinel and Cluster {@code tls=true}, for Sentinel {@code sentinelUser} and {@code sentinelPassword}. Options of the URL
     * override the settings of this builder. User and password are percent-encoded.
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
     * Sets the application's own client, instead of a {@link #url}, through an adapter such as {@link JedisAdapter}. The
     * application closes the client, after the backend.
     */
    public RedisBackendBuilder client(RedisClientAdapter adapter) {
        given(adapter, "adapter");
        client = adapter;
        return this;
    }

    /**
     * Sets a supplier of user and password for each new connection to a server that keeps locks, instead of those of the {@link
     * #url}: for tokens that expire. It is called on a thread of its own whenever a connection is opened, so it may block, but
     * not longer than the timeout of a request; open connections stay open. If it fails, no connection is opened and the
     * request fails. The credentials for the Sentinel servers are those of the URL.
     */
    public RedisBackendBuilder credentials(Supplier<RedisCredentials> supplier) {
        given(supplier, "supplier");
        credentials = supplier;
        return this;
    }

    /**
     * Sets the trusted authorities and the client certificate for TLS, if the URL asks for TLS. Default: those of the JVM. The
     * host name in the server's certificate is always checked.
     */
    public RedisBackendBuilder sslContext(SSLContext context) {
        given(context, "context");
        tls = context;
        return this;
    }

    /**
     * Sets the prefix of all keys and channels. Default: {@code lockkeeper}. Backends with different prefixes on one server
     * know nothing of each other.
     */
    public RedisBackendBuilder prefix(String prefix) {
        given(prefix, "prefix");
        this.prefix = prefix;
        return this;
    }

    /**
     * Sets how many replicas must confirm a grant before it counts. Default: 0. If fewer confirm it in time, the grant is undone
     * and the claim refused. This makes it less likely that a failover forgets a grant, not impossible.
     */
    public RedisBackendBuilder minReplicas(int replicas) {
        if (replicas < 0) {
            throw new IllegalArgumentException("minReplicas must not be negative but was " + replicas);
        }
        minReplicas = replicas;
        return this;
    }

    /** Makes the backend. It connects when a keeper opens it. */
    public RedisBackend build() {
        RedisUrl from = place;
        if (client != null) {
            if (from != null) {
                throw new IllegalArgumentException("A client and a URL are given; leave one of them out");
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
