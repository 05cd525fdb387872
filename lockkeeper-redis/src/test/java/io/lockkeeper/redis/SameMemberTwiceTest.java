package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.redis.client.LogRecorder;
import io.lockkeeper.testkit.redis.RedisServer;
import org.junit.jupiter.api.Test;

/** A server that is named twice in a quorum would have two votes. */
class SameMemberTwiceTest {

    private static final String QUORUM = "io.lockkeeper.quorum";

    @Test
    void oneServerByTwoNamesIsWarnedOf() {
        try (RedisServer one = RedisServer.start();
                RedisServer two = RedisServer.start();
                LogRecorder log = LogRecorder.of(QUORUM, ":" + one.port());
                Lockkeeper keeper = Lockkeeper.connect("redlock://localhost:" + one.port() + ",127.0.0.1:" + one.port()
                        + ",127.0.0.1:" + two.port())) {
            assertThat(log.warnings()).singleElement().asString().contains("same id", "name each server once");
        }
    }

    @Test
    void serversOfTheirOwnAreNot() {
        try (RedisServer one = RedisServer.start();
                RedisServer two = RedisServer.start();
                RedisServer three = RedisServer.start();
                LogRecorder log = LogRecorder.of(QUORUM, ":" + one.port());
                Lockkeeper keeper = Lockkeeper.connect("redlock://127.0.0.1:" + one.port() + ",127.0.0.1:" + two.port()
                        + ",127.0.0.1:" + three.port())) {
            assertThat(log.warnings()).isEmpty();
        }
    }
}
