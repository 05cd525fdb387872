/**
 * Real Redis servers for tests: one, several, with Sentinels, as a cluster. They listen on random ports of the loopback
 * address, keep nothing on disk, and end with this JVM, however it ends.
 *
 * <p>The server is that of the artifact {@code org.signal:embedded-redis}, which must be on the class path; or the program
 * that the environment variable {@code LOCKKEEPER_REDIS_SERVER} or the system property {@code lockkeeper.redis.server}
 * names.
 */
@NullMarked
package io.lockkeeper.testkit.redis;

import org.jspecify.annotations.NullMarked;
