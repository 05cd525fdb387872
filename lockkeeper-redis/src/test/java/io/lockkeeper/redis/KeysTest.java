package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Family;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.Resource;
import io.lockkeeper.testkit.redis.RedisServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.util.JedisClusterCRC16;

/** Names stay in their prefix, and in their own slot. */
class KeysTest {

    private static final List<String> AWKWARD = List.of(
            "{a}",
            "{a}x",
            "{a}y",
            "x{a}",
            "}",
            "{",
            "{}",
            "}{",
            "a}b",
            "a}:s",
            "a}:x:1",
            "{}{a}",
            "%7b",
            "%7ba%7d",
            "a:s",
            "lock:a",
            "*",
            "a*",
            "[ab]",
            "a b",
            "tab\t",
            "\u0000",
            "é",
            "\ud83d\ude00",
            "a\r\nDEL k");

    @Test
    void aNameCannotChooseItsSlot() {
        Keys keys = new Keys("p");
        for (String name : AWKWARD) {
            Resource resource = new Resource(Family.LOCK, name);
            String key = keys.key(resource);
            String inside = key.substring("p:{".length(), key.length() - 1);
            int slot = JedisClusterCRC16.getSlot(inside);

            assertThat(inside).startsWith("lock:").doesNotContain("{").doesNotContain("}");
            keys.claim(resource, "claim")
                    .forEach(part ->
                            assertThat(JedisClusterCRC16.getSlot(part)).as(name).isEqualTo(slot));
            keys.latch(resource)
                    .forEach(part -> assertThat(JedisClusterCRC16.getSlot(part)).isEqualTo(slot));
        }
        assertThat(slotOf(keys, "{a}x")).isNotEqualTo(slotOf(keys, "{a}y"));
    }

    private static int slotOf(Keys keys, String name) {
        return JedisClusterCRC16.getSlot(keys.key(new Resource(Family.LOCK, name)));
    }

    @Test
    void noTwoNamesFamiliesOrPrefixesShareAKey() {
        Set<String> seen = new HashSet<>();
        for (String prefix : List.of("p", "p:q", "p:guard", "p:keeper", "q", "p:lock:a")) {
            Keys keys = new Keys(prefix);
            List<byte[]> all = new ArrayList<>(List.of(keys.store()));
            for (String name : AWKWARD) {
                for (Family family : List.of(Family.LOCK, Family.SEMAPHORE, Family.segment(1), Family.segment(11))) {
                    all.addAll(keys.claim(new Resource(family, name), "claim"));
                }
                all.addAll(keys.latch(new Resource(Family.LATCH, name)));
            }
            for (String data : List.of("lock:a", "store", "a", "{a}", "{a}b", "{lock:a}", "{lock:a}:s", "guard")) {
                all.add(keys.guard(data));
            }
            for (byte[] key : all) {
                String text = new String(key, StandardCharsets.UTF_8);
                assertThat(seen.add(text)).as(text).isTrue();
            }
        }
    }

    @Test
    void aKeyTellsItsResource() {
        Keys keys = new Keys("p");
        for (String name : AWKWARD) {
            Resource resource = new Resource(Family.SEMAPHORE, name);
            keys.claim(resource, "claim")
                    .forEach(part -> assertThat(keys.resource(part)).isEqualTo(resource));
            keys.line(resource)
                    .forEach(part -> assertThat(new Keys("q").resource(part)).isNull());
        }
    }

    @Test
    void twoPrefixesCannotTouchEachOther() throws Exception {
        try (RedisServer server = RedisServer.start();
                RedisBackend one =
                        RedisBackend.builder().url(server.url()).prefix("one").build();
                RedisBackend two =
                        RedisBackend.builder().url(server.url()).prefix("two").build();
                Lockkeeper here = Lockkeeper.of(one);
                Lockkeeper there = Lockkeeper.of(two)) {
            ExclusiveHold mine = here.lock("name").acquire();
            ExclusiveHold theirs = Objects.requireNonNull(there.lock("name").tryAcquire());
            Objects.requireNonNull(there.lock("other").tryAcquire());

            assertThat(here.list("")).hasSize(1);
            assertThat(there.list("")).hasSize(2);
            assertThat(here.inspect("other")).isEmpty();
            assertThat(here.forceRelease("other")).isFalse();
            assertThat(here.forceRelease("name")).isTrue();
            assertThat(theirs.state()).isEqualTo(HoldState.HELD);
            assertThat(there.inspect("name")).isPresent();
            Eventually.holds(() -> mine.state() == HoldState.LOST);
            assertThat(keysBut(server, "one:", "two:")).isEmpty();
        }
    }

    private static List<?> keysBut(RedisServer server, String... prefixes) {
        List<Object> others = new ArrayList<>((List<?>) Objects.requireNonNull(server.command("KEYS", "*")));
        others.removeIf(key -> List.of(prefixes).stream()
                .anyMatch(prefix -> String.valueOf(key).startsWith(prefix)));
        return others;
    }

    @Test
    void rightsOnOnePrefixGiveNoneOnAnother() throws Exception {
        RedisServer started = RedisServer.options()
                .user("app", "on", ">secret", "~one:*", "resetchannels", "&one:*", "+@all", "-keys", "-flushall")
                .start();
        try (RedisServer server = started;
                Lockkeeper here = Lockkeeper.connect(server.url("app", "secret") + "?prefix=one")) {
            here.lock("name").acquire().close();
            assertThatThrownBy(() -> Lockkeeper.connect(server.url("app", "secret") + "?prefix=two"))
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining("ACL");
            assertThat(keysBut(server, "one:")).isEmpty();
        }
    }
}
