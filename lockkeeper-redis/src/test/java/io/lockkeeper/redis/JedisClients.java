package io.lockkeeper.redis;

import io.lockkeeper.redis.client.Redis;
import io.lockkeeper.testkit.redis.RedisSentinels;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.JedisSentinelPool;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.util.Pool;

/**
 * The clients that the Jedis on the class path has. Those that not every version has are made by name, and left out where
 * they are missing.
 */
final class JedisClients {

    /** How often those clients that repeat do so. */
    private static final int ATTEMPTS = 5;

    private JedisClients() {}

    /** A client of the application, with the adapter for it. */
    record Theirs(String name, AutoCloseable client, RedisClientAdapter adapter) implements AutoCloseable {

        static Theirs of(UnifiedJedis client) {
            return new Theirs(client.getClass().getSimpleName(), client, JedisAdapter.of(client));
        }

        static Theirs of(Pool<Jedis> pool) {
            return new Theirs(pool.getClass().getSimpleName(), pool, JedisAdapter.of(pool));
        }

        Redis redis() {
            return adapter.redis();
        }

        @Override
        public void close() {
            try {
                client.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    /** How a client is made. */
    interface Recipe {
        Theirs make() throws Exception;
    }

    /** Makes one client after the other. */
    static List<Recipe> ofOneServer(int port) {
        List<Recipe> all = new ArrayList<>();
        all.add(() -> Theirs.of(new JedisPool("127.0.0.1", port)));
        all.add(() -> Theirs.of(repeating(port)));
        if (exists("JedisPooled")) {
            all.add(() -> Theirs.of((UnifiedJedis)
                    type("JedisPooled").getConstructor(String.class, int.class).newInstance("127.0.0.1", port)));
        }
        if (exists("RedisClient")) {
            all.add(() -> Theirs.of((UnifiedJedis) type("RedisClient")
                    .getMethod("create", String.class, int.class)
                    .invoke(null, "127.0.0.1", port)));
        }
        return all;
    }

    /** A client that sends again what broke, also when it was executed. */
    static UnifiedJedis repeating(int port) {
        return new UnifiedJedis(
                new PooledConnectionProvider(new HostAndPort("127.0.0.1", port), config()),
                ATTEMPTS,
                Duration.ofSeconds(10));
    }

    static List<Recipe> ofSentinels(RedisSentinels group) {
        Set<HostAndPort> sentinels = addresses(group.sentinels());
        List<Recipe> all = new ArrayList<>();
        all.add(() -> Theirs.of(new JedisSentinelPool(
                RedisSentinels.MASTER,
                sentinels.stream().map(HostAndPort::toString).collect(Collectors.toSet()))));
        if (exists("JedisSentineled")) {
            all.add(() -> Theirs.of((UnifiedJedis) type("JedisSentineled")
                    .getConstructor(String.class, JedisClientConfig.class, Set.class, JedisClientConfig.class)
                    .newInstance(RedisSentinels.MASTER, config(), sentinels, config())));
        }
        if (exists("RedisSentinelClient")) {
            all.add(() -> {
                Object builder =
                        type("RedisSentinelClient").getMethod("builder").invoke(null);
                builder.getClass().getMethod("masterName", String.class).invoke(builder, RedisSentinels.MASTER);
                builder.getClass().getMethod("sentinels", Set.class).invoke(builder, sentinels);
                return Theirs.of(built(builder));
            });
        }
        return all;
    }

    static List<Recipe> ofCluster(List<RedisServer> nodes) {
        List<Recipe> all = new ArrayList<>();
        all.add(() -> Theirs.of(new JedisCluster(addresses(nodes))));
        if (exists("RedisClusterClient")) {
            all.add(() -> {
                Object builder = type("RedisClusterClient").getMethod("builder").invoke(null);
                builder.getClass().getMethod("nodes", Set.class).invoke(builder, addresses(nodes));
                return Theirs.of(built(builder));
            });
        }
        all.add(() -> Theirs.of(clusterByProvider(nodes)));
        return all;
    }

    /** A client of one server whose pool has this many connections. */
    static UnifiedJedis ofSize(int size, int port) {
        GenericObjectPoolConfig<Connection> pool = new GenericObjectPoolConfig<>();
        pool.setMaxTotal(size);
        return new UnifiedJedis(
                new PooledConnectionProvider(new HostAndPort("127.0.0.1", port), config(), pool),
                1,
                Duration.ofSeconds(1));
    }

    static JedisPool poolOfSize(int size, int port) {
        GenericObjectPoolConfig<Jedis> pool = new GenericObjectPoolConfig<>();
        pool.setMaxTotal(size);
        pool.setMaxWait(Duration.ofMillis(100));
        return new JedisPool(pool, "127.0.0.1", port);
    }

    /** A cluster by its provider alone, as applications of older versions make it. */
    private static UnifiedJedis clusterByProvider(List<RedisServer> nodes) {
        // Not every version has a constructor for the narrower type.
        ConnectionProvider provider = new ClusterConnectionProvider(addresses(nodes), config());
        return new UnifiedJedis(provider, ATTEMPTS, Duration.ofSeconds(10));
    }

    private static UnifiedJedis built(Object builder) throws ReflectiveOperationException {
        return (UnifiedJedis) builder.getClass().getMethod("build").invoke(builder);
    }

    static JedisClientConfig config() {
        return DefaultJedisClientConfig.builder().build();
    }

    static Set<HostAndPort> addresses(List<RedisServer> servers) {
        return servers.stream()
                .map(server -> new HostAndPort("127.0.0.1", server.port()))
                .collect(Collectors.toSet());
    }

    static boolean exists(String name) {
        try {
            type(name);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName("redis.clients.jedis." + name);
    }
}
