/**
 * Locks in Redis and Valkey. {@link io.lockkeeper.redis.RedisBackend} is the entry point.
 *
 * <p>{@code RedisStore} makes each request one Lua script ({@code Scripts}); what the store promises is kept inside the
 * scripts, and {@code line.lua} documents the keys. {@code RedisRenewals} and {@code RenewalBatch} renew many grants with
 * few commands, {@code Signals} turns messages into notifications of the keeper, {@code RedisUrl} reads URLs and {@code
 * Deployment} connects them. The client below, {@code io.lockkeeper.redis.client}, knows nothing of locks; {@code
 * io.lockkeeper.redis.jedis} lends it the connections of an application's Jedis client. Neither is part of the API.
 */
@NullMarked
package io.lockkeeper.redis;

import org.jspecify.annotations.NullMarked;
