package io.lockkeeper.benchmarks.peer;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.Set;
import java.util.UUID;

/** The floor on Redis, with Lettuce: one connection for all threads, as its manual advises. */
final class LettucePeer implements Peer {

    static final Library LIBRARY = new Library(
            "lettuce", "raw Lettuce", "redis", "io.lettuce:lettuce-core", Set.of(Feature.LOCK), LettucePeer::new);

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final String digest;

    private LettucePeer(String url) {
        client = RedisClient.create(url);
        connection = client.connect();
        digest = connection.sync().scriptLoad(CompareAndDelete.SCRIPT);
    }

    @Override
    public Mutex lock(String name) {
        RedisCommands<String, String> redis = connection.sync();
        SetArgs once = SetArgs.Builder.nx().px(LEASE_MILLIS);
        String[] keys = {name};
        return new Mutex() {
            private String owner = "";

            @Override
            public long acquire() {
                owner = UUID.randomUUID().toString();
                while (redis.set(name, owner, once) == null) {
                    CompareAndDelete.pause();
                }
                return 0;
            }

            @Override
            public void release() {
                CompareAndDelete.check(redis.<Long>evalsha(digest, ScriptOutputType.INTEGER, keys, owner));
            }
        };
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
