/** Lends the connections of an application's own Jedis client to {@link io.lockkeeper.redis.client.Redis}. */
@NullMarked
package io.lockkeeper.redis.jedis;

import org.jspecify.annotations.NullMarked;
