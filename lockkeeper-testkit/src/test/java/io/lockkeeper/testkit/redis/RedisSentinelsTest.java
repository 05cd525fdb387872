package io.lockkeeper.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.FaultProxy.Rule;
import io.lockkeeper.testkit.TestTimeouts;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RedisSentinelsTest {

    private RedisSentinels group;

    @BeforeEach
    void start() {
        group = RedisSentinels.start();
    }

    @AfterEach
    void stop() {
        group.close();
        assertThat(group.servers()).noneMatch(RedisServer::isAlive);
        assertThat(group.sentinels()).noneMatch(RedisServer::isAlive);
    }

    @Test
    void whatIsWrittenReachesBothReplicas() {
        RedisServer primary = group.primary();
        assertThat(group.replicas()).hasSize(2).doesNotContain(primary);
        try (RedisWire wire = primary.connect()) {
            wire.command("SET", "k", "v");
            assertThat(wire.command("WAIT", "2", "10000")).isEqualTo(2L);
        }
        assertThat(group.url())
                .matches(Pattern.compile("redis-sentinel://(127\\.0\\.0\\.1:\\d+,){2}127\\.0\\.0\\.1:\\d+/mymaster"));
    }

    @Test
    void aFailoverOfALivingPrimaryMakesItAReplica() {
        RedisServer old = group.primary();
        RedisServer primary = group.failover();
        assertThat(primary).isNotSameAs(old);
        TestTimeouts.until(
                "the old one follows",
                () -> "slave".equals(old.info("replication").get("role")));
        group.awaitCalm();
        assertThat(primary.command("SET", "k", "v")).isEqualTo("OK");
    }

    @Test
    void aKilledPrimaryIsReplacedAndFollowsWhenItIsBack() {
        RedisServer old = group.killPrimary();
        RedisServer primary = group.awaitPrimaryOtherThan(old);
        assertThat(primary.command("SET", "k", "v")).isEqualTo("OK");
        old.restart();
        group.awaitCalm();
        TestTimeouts.until("the old one has it", () -> "v".equals(old.command("GET", "k")));
    }

    @Test
    void aFailoverLosesWhatWasWrittenWhileTheLinkWasCut() {
        RedisServer old = group.primary();
        try (RedisWire wire = old.connect()) {
            wire.command("SET", "before", "v");
            // Else the link may be cut before it has come across.
            assertThat(wire.command("WAIT", "2", "10000")).isEqualTo(2L);
        }
        group.cutReplication();
        old.command("SET", "after", "v");
        group.killPrimary();
        RedisServer primary = group.awaitPrimaryOtherThan(old);
        assertThat(primary.command("GET", "before")).isEqualTo("v");
        assertThat(primary.command("GET", "after")).isNull();
        group.mendReplication();
        old.restart();
        group.awaitCalm();
    }

    @Test
    void aCutLinkCanBeMended() {
        RedisServer primary = group.primary();
        group.cutReplication();
        primary.command("SET", "k", "v");
        group.mendReplication();
        group.awaitCalm();
        // Who follows again may still have to read what it missed.
        group.replicas()
                .forEach(replica ->
                        TestTimeouts.until(replica + " has it", () -> "v".equals(replica.command("GET", "k"))));
    }

    @Test
    void aHungReplicaAcknowledgesNothing() {
        RedisServer replica = group.replicas().get(0);
        replica.pause();
        try (RedisWire wire = group.primary().connect()) {
            wire.command("SET", "k", "v");
            assertThat(wire.command("WAIT", "1", "10000")).isEqualTo(1L);
            assertThat(wire.command("WAIT", "2", "200")).isEqualTo(1L);
        } finally {
            replica.resume();
        }
        group.awaitCalm();
    }

    @Test
    void clientsAreSentThroughProxiesWhereTheyAreWished() {
        assertThatThrownBy(() -> group.proxy(group.primary())).hasMessage("There are no proxies: use startProxied");
        try (RedisSentinels proxied = RedisSentinels.startProxied(
                options -> options.password("hidden").user("app", "on", ">secret", "~*", "+@all"))) {
            RedisServer old = proxied.primary();
            FaultProxy before = proxied.proxy(old);
            try (RedisWire client = new RedisWire(before.port())) {
                client.command("AUTH", "app", "secret");
                client.command("SET", "k", "v");
                assertThat(client.command("WAIT", "2", "10000")).isEqualTo(2L);
            }
            before.both(Rule.swallow());
            RedisServer primary = proxied.awaitPrimaryOtherThan(old);
            assertThat(primary.command("GET", "k")).isEqualTo("v");
            assertThat(old.info("replication")).as("it was told nothing").containsEntry("role", "master");
            before.heal();
            proxied.awaitCalm();
        }
    }
}
