package io.lockkeeper.redis;

import io.lockkeeper.redis.client.Redis;

/**
 * The application's own client of Redis, made fit for {@link RedisBackendBuilder#client}. Each library has a class that makes one:
 * {@link JedisAdapter}. Only that class refers to the library, so an application without it never loads it.
 */
public final class RedisClientAdapter {

    private final Redis redis;

    RedisClientAdapter(Redis redis) {
        this.redis = redis;
    }

    Redis redis() {
        return redis;
    }

    @Override
    public String toString() {
        return redis.describe();
    }
}
