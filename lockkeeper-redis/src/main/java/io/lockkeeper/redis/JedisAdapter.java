package io.lockkeeper.redis;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.redis.client.LentClusterRedis;
import io.lockkeeper.redis.client.LentRedis;
import io.lockkeeper.redis.jedis.JedisClusterLender;
import io.lockkeeper.redis.jedis.JedisLender;
import io.lockkeeper.redis.jedis.JedisRequirements;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.util.Pool;

/**
 * Adapts a Jedis client that the application made and will close, after the backend. Jedis 5.0 and newer can be used; 5.2, 6.0,
 * 7.0, 7.4 and 8.0 are tested.
 *
 * <p>Only the client's connections are used, and in a cluster its table of slots. So:
 *
 * <ul>
 *   <li>What the client would send again by itself ({@code maxAttempts}) is sent once.
 *   <li>A connection with an unread reply is closed and not given back to the application's pool.
 *   <li>Each keeper uses one connection for its subscription while it is open, so the pool must have at least two, and
 *       should have four or more.
 * </ul>
 *
 * <p><b>What it does not promise.</b> A request waits for its reply no longer than its timeout, but how long opening a connection
 * and waiting for a free one takes depends on the client's own settings: set {@code connectionTimeoutMillis}, and the pool's
 * {@code maxWait}, whose default is forever, well below the lease. A server that sends its reply byte by byte can delay a
 * request beyond its timeout. Renewals wait for a connection like every other request of the application: where its pool is
 * exhausted for longer than a lease, locks are lost, and their holders are told. A connection by URL has none of these limits.
 */
public final class JedisAdapter {

    private JedisAdapter() {}

    /**
     * Adapts a {@code UnifiedJedis}: {@code JedisPooled}, {@code JedisSentineled}, {@code JedisCluster}, {@code RedisClient},
     * {@code RedisSentinelClient} or {@code RedisClusterClient}.
     *
     * @throws IllegalArgumentException if the version of Jedis does not fit, if its pool has one connection only, or if it is
     *     a client of several servers that know nothing of each other ({@code JedisSharding}, {@code MultiDbClient}): a lock
     *     in one of them would be unknown to the next
     */
    public static RedisClientAdapter of(UnifiedJedis client) {
        given(client, "client");
        JedisRequirements.check();
        ConnectionProvider provider = JedisRequirements.provider(client);
        if (provider instanceof ClusterConnectionProvider cluster) {
            cluster.getNodes().values().forEach(JedisRequirements::checkSize);
            return new RedisClientAdapter(new LentClusterRedis(new JedisClusterLender(cluster)));
        }
        if (provider instanceof PooledConnectionProvider pooled) {
            JedisRequirements.checkSize(pooled.getPool());
        }
        return new RedisClientAdapter(new LentRedis(JedisLender.of(provider)));
    }

    /**
     * Adapts a pool of {@code Jedis}: {@code JedisPool} or {@code JedisSentinelPool}.
     *
     * @throws IllegalArgumentException if the version of Jedis does not fit, or if the pool has one connection only
     */
    public static RedisClientAdapter of(Pool<Jedis> pool) {
        given(pool, "pool");
        JedisRequirements.check();
        JedisRequirements.checkSize(pool);
        return new RedisClientAdapter(new LentRedis(JedisLender.of(pool)));
    }
}
