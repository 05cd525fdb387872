package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What keeps locks knows no client library: another one can be put behind {@link Redis}. */
class PortTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Redis",
                "RedisStore",
                "RedisBackend",
                "RedisLatches",
                "RedisFencing",
                "RenewalBatch",
                "RedisRenewals",
                "Keys",
                "Arguments",
                "Replies",
                "Inspection",
                "Signals",
                "Script"
            })
    void isFreeOfJedis(String name) throws IOException {
        assertThat(Files.readString(Path.of("src/main/java/io/lockkeeper/redis", name + ".java")))
                .contains("package io.lockkeeper.redis;")
                .doesNotContain("redis.clients");
    }
}
