/** Locks in Redis and Valkey. */
@NullMarked
package io.lockkeeper.redis;

import org.jspecify.annotations.NullMarked;
