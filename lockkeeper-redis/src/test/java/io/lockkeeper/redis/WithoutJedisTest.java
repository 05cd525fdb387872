package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.redis.RedisServer;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The module needs no client library. */
class WithoutJedisTest {

    /** Only the module and core, and the JDK's platform: what a user has who adds one dependency. */
    @Test
    void aLockIsTakenWithoutAClientLibrary() throws Exception {
        URL core = Lockkeeper.class.getProtectionDomain().getCodeSource().getLocation();
        URL module = RedisBackend.class.getProtectionDomain().getCodeSource().getLocation();
        try (RedisServer server = RedisServer.start();
                URLClassLoader user =
                        new URLClassLoader(new URL[] {core, module}, ClassLoader.getPlatformClassLoader())) {
            assertThatExceptionOfType(ClassNotFoundException.class)
                    .isThrownBy(() -> user.loadClass("redis.clients.jedis.UnifiedJedis"));
            for (String name : List.of("RedisBackend", "RedisBackendBuilder", "RedisClientAdapter", "RedisProvider")) {
                // What frameworks do to every class they meet.
                assertThat(user.loadClass("io.lockkeeper.redis." + name).getDeclaredMethods())
                        .isNotEmpty();
            }

            ClassLoader before = Thread.currentThread().getContextClassLoader();
            Thread.currentThread().setContextClassLoader(user);
            try {
                Class<?> api = user.loadClass(Lockkeeper.class.getName());
                try (AutoCloseable keeper =
                        (AutoCloseable) api.getMethod("connect", String.class).invoke(null, server.url())) {
                    Object lock = api.getMethod("lock", String.class).invoke(keeper, "a");
                    Class<?> type = user.loadClass("io.lockkeeper.DistributedLock");
                    type.getMethod("lock").invoke(lock);
                    assertThat(server.command("EXISTS", "lockkeeper:{lock:a}")).isEqualTo(1L);
                    type.getMethod("unlock").invoke(lock);
                    assertThat(server.command("EXISTS", "lockkeeper:{lock:a}")).isEqualTo(0L);
                }
            } finally {
                Thread.currentThread().setContextClassLoader(before);
            }
        }
    }
}
