package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.redis.client.LogRecorder;
import io.lockkeeper.testkit.redis.RedisServer;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvictionWarningTest {

    @Test
    void namesThePolicyThatMayEvictLocks() {
        for (String policy : List.of("allkeys-lru", "volatile-ttl", "noeviction")) {
            try (RedisServer server =
                            RedisServer.options().maxMemory("100mb", policy).start();
                    LogRecorder log = LogRecorder.of("io.lockkeeper.redis", "127.0.0.1:" + server.port());
                    Lockkeeper keeper = Lockkeeper.connect(server.url())) {
                assertThat(keeper.lock("a").tryAcquire()).isNotNull();
                if (policy.equals("noeviction")) {
                    assertThat(log.warnings()).isEmpty();
                } else {
                    assertThat(log.warnings())
                            .singleElement()
                            .asString()
                            .contains("may evict lock keys", policy, "127.0.0.1:" + server.port());
                }
            }
        }
    }
}
