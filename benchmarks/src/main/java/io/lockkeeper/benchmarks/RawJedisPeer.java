package io.lockkeeper.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.SetParams;

/** The floor: {@code SET NX PX} and a compare-and-delete script, by hand. It polls where others wait. */
final class RawJedisPeer implements Peer {

    private static final String RELEASE =
            "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

    private final RedisClient client;
    private final String digest;

    RawJedisPeer(String host, int port, int connections) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(connections);
        pool.setMaxIdle(connections);
        client = RedisClient.builder().hostAndPort(host, port).poolConfig(pool).build();
        digest = client.scriptLoad(RELEASE);
    }

    @Override
    public String name() {
        return "raw Jedis";
    }

    @Override
    public Mutex mutex(String name) {
        SetParams once = SetParams.setParams().nx().px(30_000);
        return work -> {
            String owner = UUID.randomUUID().toString();
            while (client.set(name, owner, once) == null) {
                LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
            }
            try {
                work.run();
            } finally {
                client.evalsha(digest, List.of(name), List.of(owner));
            }
        };
    }

    @Override
    public void close() {
        client.close();
    }
}
