package io.lockkeeper.redis;

import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.BackendProvider;
import java.util.Set;

/** Backends for the URLs of Redis. */
public final class RedisProvider implements BackendProvider {

    /** For {@link java.util.ServiceLoader}. */
    public RedisProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("redis", "rediss", "redis-sentinel", "redis-cluster");
    }

    @Override
    public Backend create(String url) {
        return RedisBackend.at(url);
    }
}
