package io.lockkeeper.redis;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.Resource;
import io.lockkeeper.redis.client.Redis;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * Locks in Redis or Valkey: a single server, a primary that Sentinel looks after, or a cluster.
 *
 * <p><b>What it promises.</b> Leases end by the server's clock. Fencing tokens of a resource grow strictly, also through
 * failover, flush and eviction, since they are at least the microseconds of the server's clock. Only the holder's claim can
 * release or renew. A crash frees a lock within its lease and a place in a queue within 3 s. A release wakes one waiter, by
 * a message to its process; a message that gets lost costs a poll of at most a second.
 *
 * <p><b>What it does not promise.</b> Redis replicates asynchronously: a failover can forget a grant, and two holders believe
 * for a while that they hold, with different tokens. {@link RedisBackendBuilder#minReplicas} makes that rarer; a guard that
 * checks the token makes it harmless; {@link io.lockkeeper.quorum.Quorum} over several servers avoids it. A server whose clock
 * is set back <em>and</em> that lost its memory may repeat tokens.
 */
public final class RedisBackend implements Backend {

    private final Redis redis;
    private final Keys keys;
    private final int minReplicas;

    RedisBackend(Redis redis, Keys keys, int minReplicas) {
        this.redis = redis;
        this.keys = keys;
        this.minReplicas = minReplicas;
    }

    /**
     * A backend with the settings that the URL has.
     *
     * @param url such as {@code redis://user:password@host:6379/0?prefix=shop}; see {@link RedisBackendBuilder#url}
     * @throws IllegalArgumentException if the URL is malformed
     */
    public static RedisBackend at(String url) {
        given(url, "url");
        return builder().url(url).build();
    }

    public static RedisBackendBuilder builder() {
        return new RedisBackendBuilder();
    }

    /**
     * The key with which another client, by {@code SET key value NX PX} and compare-and-delete, excludes the keepers of this
     * backend and is excluded by them.
     */
    public String key(Resource resource) {
        given(resource, "resource");
        return keys.key(resource);
    }

    /** A guard for data in the same Redis. */
    public RedisFencing fencing() {
        return new RedisFencing(redis, keys);
    }

    @Override
    public String describe() {
        return redis.describe();
    }

    @Override
    public Set<Capability> capabilities() {
        return capabilities(redis, minReplicas);
    }

    static Set<Capability> capabilities(Redis redis, int minReplicas) {
        EnumSet<Capability> all = EnumSet.allOf(Capability.class);
        if (!redis.countsListeners()) {
            // A cluster is many servers: it has no one uptime.
            all.remove(Capability.VOTES);
        }
        if (minReplicas > 0) {
            // Each grant waits for its replicas: a release would have to wait along.
            all.remove(Capability.EXCHANGE);
        }
        return all;
    }

    @Override
    public Store open(Keeper keeper) {
        Duration timeout = keeper.commandTimeout().compareTo(RedisPolicy.OPENING) > 0
                ? keeper.commandTimeout()
                : RedisPolicy.OPENING;
        redis.nameConnections(keeper.id());
        redis.check(timeout).forEach(EvictionWarning::check);
        RedisStore store = new RedisStore(redis, keys, keeper, minReplicas);
        try {
            store.checkFormat(timeout);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
        return store;
    }

    @Override
    public void close() {
        redis.close();
    }
}
