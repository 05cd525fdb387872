package io.lockkeeper.benchmarks.peer;

import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.SetParams;

/** The floor on Redis, with Jedis: a connection for each of 64 threads, taken from its pool for each command. */
final class JedisPeer implements Peer {

    static final Library LIBRARY =
            new Library("jedis", "raw Jedis", "redis", "redis.clients:jedis", Set.of(Feature.LOCK), JedisPeer::new);

    private static final int CONNECTIONS = 64;

    private final RedisClient client;
    private final String digest;

    private JedisPeer(String url) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(CONNECTIONS);
        pool.setMaxIdle(CONNECTIONS);
        URI uri = URI.create(url);
        client = RedisClient.builder()
                .hostAndPort(uri.getHost(), uri.getPort())
                .poolConfig(pool)
                .build();
        digest = client.scriptLoad(CompareAndDelete.SCRIPT);
    }

    @Override
    public Mutex lock(String name) {
        SetParams once = SetParams.setParams().nx().px(LEASE_MILLIS);
        List<String> keys = List.of(name);
        return new Mutex() {
            private String owner = "";

            @Override
            public long acquire() {
                owner = UUID.randomUUID().toString();
                while (client.set(name, owner, once) == null) {
                    CompareAndDelete.pause();
                }
                return 0;
            }

            @Override
            public void release() {
                CompareAndDelete.check(client.evalsha(digest, keys, List.of(owner)));
            }
        };
    }

    @Override
    public void close() {
        client.close();
    }
}
