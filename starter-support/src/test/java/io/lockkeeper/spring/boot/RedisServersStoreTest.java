package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Which servers a keeper uses, by what Spring Data Redis is told. */
class RedisServersStoreTest {

    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(BootLine.REDIS));

    private String url(String... properties) {
        String[] url = new String[1];
        application.withPropertyValues(properties).run(context -> {
            RedisServers servers = context.getBean(RedisServers.class);
            RedisServersStore store = new RedisServersStore(servers);
            // That it can be read.
            store.backend(new KeeperProperties(null, null, null, null, null, null, null, null, null))
                    .close();
            url[0] = store.url();
        });
        return url[0];
    }

    @Test
    void aSingleServer() {
        assertThat(url("spring.data.redis.host=redis.example", "spring.data.redis.database=3"))
                .isEqualTo("redis://redis.example:6379/3");
    }

    @Test
    void userAndPasswordAreEncoded() {
        assertThat(url("spring.data.redis.username=a:b", "spring.data.redis.password=p@s/ %"))
                .isEqualTo("redis://a%3Ab:p%40s%2F%20%25@localhost:6379");
        assertThat(url("spring.data.redis.password=only")).isEqualTo("redis://:only@localhost:6379");
    }

    @Test
    void theUrlOfSpringData() {
        assertThat(url("spring.data.redis.url=rediss://user:secret@redis.example:6390/2"))
                .isEqualTo("rediss://user:secret@redis.example:6390/2");
    }

    @Test
    void sentinels() {
        assertThat(url(
                        "spring.data.redis.sentinel.master=main",
                        "spring.data.redis.sentinel.nodes=a:1,b:2",
                        "spring.data.redis.sentinel.password=s&t",
                        "spring.data.redis.password=p"))
                .isEqualTo("redis-sentinel://:p@a:1,b:2/main?sentinelPassword=s%26t");
    }

    @Test
    void aClusterByTls() {
        assertThat(url("spring.data.redis.cluster.nodes=a:1,b:2", "spring.data.redis.ssl.enabled=true"))
                .isEqualTo("redis-cluster://a:1,b:2?tls=true");
    }

    @Test
    void passwordsAreNotShown() {
        assertThat(new RedisServers(
                        RedisServers.Kind.SINGLE,
                        List.of(new RedisServers.Node("a", 1)),
                        "",
                        0,
                        "user",
                        "hush",
                        null,
                        "hush",
                        null))
                .asString()
                .doesNotContain("hush");
    }
}
