package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lockkeeper.redis.RedisUrl.Kind;
import io.lockkeeper.redis.client.Address;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs of Redis. */
class RedisUrlTest {

    @Test
    void aHostAlone() {
        RedisUrl url = RedisUrl.parse("redis://localhost");

        assertThat(url.kind()).isEqualTo(Kind.SINGLE);
        assertThat(url.hosts()).containsExactly(new Address("localhost", 6379));
        assertThat(url.user()).isNull();
        assertThat(url.password()).isNull();
        assertThat(url.database()).isZero();
        assertThat(url.tls()).isFalse();
        assertThat(url.pool()).isEqualTo(8);
        assertThat(url.minReplicas()).isZero();
        assertThat(url.prefix()).isNull();
    }

    @Test
    void everything() {
        RedisUrl url = RedisUrl.parse(
                "REDISS://app:p%40ss%2Fw%C3%B6rd+%25@db.example:7001/3?prefix=shop&minReplicas=1&pool=16");

        assertThat(url.hosts()).containsExactly(new Address("db.example", 7001));
        assertThat(url.user()).isEqualTo("app");
        assertThat(url.password()).isEqualTo("p@ss/wörd+%");
        assertThat(url.database()).isEqualTo(3);
        assertThat(url.tls()).isTrue();
        assertThat(url.prefix()).isEqualTo("shop");
        assertThat(url.minReplicas()).isEqualTo(1);
        assertThat(url.pool()).isEqualTo(16);
        assertThat(url.describe()).isEqualTo("rediss://db.example:7001/3");
        assertThat(url).hasToString(url.describe());
    }

    @Test
    void aPasswordWithoutAUserAndAUserWithoutAPassword() {
        assertThat(RedisUrl.parse("redis://:secret@h").user()).isNull();
        assertThat(RedisUrl.parse("redis://:secret@h").password()).isEqualTo("secret");
        assertThat(RedisUrl.parse("redis://app@h").user()).isEqualTo("app");
        assertThat(RedisUrl.parse("redis://app@h").password()).isNull();
    }

    @Test
    void addressesOfTheNewerKindStandInBrackets() {
        assertThat(RedisUrl.parse("redis://[::1]").hosts()).containsExactly(new Address("::1", 6379));
        assertThat(RedisUrl.parse("redis://[2001:db8::7]:7000/1").describe()).isEqualTo("redis://[2001:db8::7]:7000/1");
    }

    @Test
    void sentinelsNameTheirMaster() {
        RedisUrl url = RedisUrl.parse(
                "redis-sentinel://app:secret@a:1,b,c:3/my%20master/2?tls=true&sentinelUser=s&sentinelPassword=t%26u");

        assertThat(url.kind()).isEqualTo(Kind.SENTINEL);
        assertThat(url.hosts()).containsExactly(new Address("a", 1), new Address("b", 26379), new Address("c", 3));
        assertThat(url.master()).isEqualTo("my master");
        assertThat(url.database()).isEqualTo(2);
        assertThat(url.tls()).isTrue();
        assertThat(url.sentinelUser()).isEqualTo("s");
        assertThat(url.sentinelPassword()).isEqualTo("t&u");
    }

    @Test
    void aQuorumIsMadeOfSingleServers() {
        RedisUrl url = RedisUrl.parse("redlock://:secret@a,b:2,c/1?prefix=p&tls=true&quorum=3");

        assertThat(url.quorum()).isEqualTo(3);
        assertThat(url.members())
                .extracting(RedisUrl::describe)
                .containsExactly("rediss://a:6379/1", "rediss://b:2/1", "rediss://c:6379/1");
        assertThat(url.members()).allSatisfy(member -> {
            assertThat(member.kind()).isEqualTo(Kind.SINGLE);
            assertThat(member.password()).isEqualTo("secret");
            assertThat(member.prefix()).isEqualTo("p");
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    localhost:6379                  | begins with
                    http://localhost                | begins with
                    redis://                        | host is empty
                    redis://:6379                   | host is empty
                    redis://h:0                     | port 0
                    redis://h:65536                 | port 65536
                    redis://h:port                  | port is not a number
                    redis://h/zero                  | 'zero' is no number of a database
                    redis://h/1/2                   | is no number of a database
                    redis://a,b                     | several servers
                    redis://::1                     | too many colons
                    redis://[::1                    | brackets
                    redis://h i                     | has a ' '
                    redis://h?size=3                | option 'size' is not known; there are minReplicas, pool, prefix
                    redis://h?tls=true              | option 'tls' is not known
                    redis://h?pool=0                | 'pool' is '0' and must be a number from 1
                    redis://h?pool=many             | 'pool' is 'many'
                    redis://h?pool=1&pool=2         | 'pool' is there twice
                    redis://h?prefix=%zz            | option prefix has a '%'
                    redis-sentinel://a,b            | name of the master
                    redis-sentinel://a,b/           | name of the master
                    redis-cluster://a/1             | only database 0
                    redis-cluster://a,a             | host a:6379 is there twice
                    redis-cluster://a,,b            | host is empty
                    redis-cluster://a?tls=yes       | must be true or false
                    """)
    void whatIsMalformedIsNamedWithAnExample(String url, String complaint) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisUrl.parse(url))
                .withMessageContaining(complaint)
                .withMessageContaining("like 'red");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://app:secret",
                "redis://app:sec:ret@h:x",
                "redis://app:secret/1@h",
                "redis://app:secret?1@h",
                "redis://app:secret%@h",
                "redis://app:secret@",
                "redis://app:secret@h:99999",
                "redis://app:secret@h/x",
                "redis-sentinel://app:secret@h",
                "redis-sentinel://h/m?sentinelPassword=secret&x",
                "secret://app:secret@h",
            })
    void noComplaintHasAPassword(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisUrl.parse(url))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("sec"));
    }

    @Test
    void theSameUrlIsEqual() {
        assertThat(RedisUrl.parse("redis://a:6379/0"))
                .isEqualTo(RedisUrl.parse("redis://a"))
                .hasSameHashCodeAs(RedisUrl.parse("redis://a/"));
        assertThat(List.of(RedisUrl.parse("redis://:secret@a"))).asString().doesNotContain("secret");
    }

    @Test
    void serversThatVoteHaveSettingsOfTheirOwn() {
        RedisUrl url =
                RedisUrl.parse("redlock://a,b,c?durable=true&attempts=4&nodeTimeout=80ms&longestLease=2m&quorum=3");
        assertThat(url.durable()).isTrue();
        assertThat(url.attempts()).isEqualTo(4);
        assertThat(url.nodeTimeout()).isEqualTo(Duration.ofMillis(80));
        assertThat(url.longestLease()).isEqualTo(Duration.ofMinutes(2));
        assertThat(url.quorum()).isEqualTo(3);
        RedisUrl plain = RedisUrl.parse("redlock://a,b,c");
        assertThat(plain.durable()).isFalse();
        assertThat(plain.attempts()).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisUrl.parse("redlock://a,b,c?attempts=0"))
                .withMessageContaining("attempts");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisUrl.parse("redis://a?durable=true"))
                .withMessageContaining("durable");
    }
}
