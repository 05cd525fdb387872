/** Locks in Redis and Valkey. The client below the store, and the adapters of an application's Jedis, are not exported. */
@SuppressWarnings("requires-automatic") // Jedis is optional: it comes with an application that lends its own client.
module io.lockkeeper.redis {
    requires static org.jspecify;
    requires static redis.clients.jedis;
    requires transitive io.lockkeeper;

    exports io.lockkeeper.redis;

    provides io.lockkeeper.spi.BackendProvider with
            io.lockkeeper.redis.RedisProvider;
}
