package io.lockkeeper.redis;

import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.UnifiedJedis;

/** Makes locks go through a Jedis client that the application made and will close. */
public final class JedisAdapter {

    private JedisAdapter() {}

    /**
     * Adapts a {@code RedisClient}, {@code RedisSentinelClient} or {@code RedisClusterClient}. It stays the application's to close, after the
     * backend. Each keeper takes one of its connections to listen on.
     *
     * <p>A request then takes as long as the client lets it: its own timeouts for connecting, answering and waiting for a
     * free connection are to be set well below the lease. Whatever the client would send again by itself is sent once.
     */
    public static RedisClientAdapter of(UnifiedJedis client) {
        return new RedisClientAdapter(through(client));
    }

    static Redis through(UnifiedJedis client) {
        if (client instanceof RedisClusterClient cluster) {
            return new ClusterClientRedis(cluster, cluster::getConnectionFromSlot, cluster::getClusterNodes);
        }
        return new ClientRedis(client);
    }
}
