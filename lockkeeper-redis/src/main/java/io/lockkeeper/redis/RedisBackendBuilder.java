package io.lockkeeper.redis;

import io.lockkeeper.redis.RedisUrl.Kind;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;

/** Settings of a {@link RedisBackend}. */
public final class RedisBackendBuilder {

    private @Nullable RedisUrl place;
    private @Nullable UnifiedJedis client;
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
    public RedisBackendBuilder url(String address) {
        RedisUrl parsed = RedisUrl.parse(address);
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
     * The application's own client, instead of a {@link #url}: a {@code RedisClient}, {@code RedisSentinelClient} or {@code RedisClusterClient}. It stays
     * the application's to close, after the backend. Each keeper takes one of its connections to listen on.
     *
     * <p>A request then takes as long as the client lets it: its own time limits for connecting, answering and waiting for a
     * free connection are to be set well below the lease. Whatever the client would send again by itself is sent once.
     */
    public RedisBackendBuilder client(UnifiedJedis jedis) {
        client = jedis;
        return this;
    }

    /**
     * Whom to trust, and with which certificate to enter, where the URL asks for TLS: the system's own setting. That the
     * server's certificate is for its host is checked in any case.
     */
    public RedisBackendBuilder sslContext(SSLContext context) {
        tls = context;
        return this;
    }

    /**
     * What all keys and channels begin with: {@code lockkeeper}. Backends with different prefixes on one server know nothing
     * of each other.
     */
    public RedisBackendBuilder prefix(String begin) {
        prefix = begin;
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
            return new RedisBackend(Deployment.through(client), new Keys(prefix), minReplicas);
        }
        if (from == null) {
            throw new IllegalArgumentException(
                    "No server is named; give a url, such as 'redis://localhost:6379', or a client");
        }
        Redis redis = Deployment.connect(from, tls == null ? null : tls.getSocketFactory());
        Keys keys = new Keys(from.prefix() == null ? prefix : from.prefix());
        return new RedisBackend(redis, keys, Math.max(minReplicas, from.minReplicas()));
    }
}
