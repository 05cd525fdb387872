/** A small client of Redis and Valkey that runs scripts and listens on channels. It knows nothing of locks. */
@NullMarked
package io.lockkeeper.redis.client;

import org.jspecify.annotations.NullMarked;
