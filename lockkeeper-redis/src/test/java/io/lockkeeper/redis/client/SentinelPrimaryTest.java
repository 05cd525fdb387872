package io.lockkeeper.redis.client;

import static io.lockkeeper.redis.client.TestScripts.TIMEOUT;
import static io.lockkeeper.redis.client.TestScripts.bytes;
import static io.lockkeeper.redis.client.TestScripts.count;
import static io.lockkeeper.redis.client.TestScripts.counts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.redis.RedisSentinels;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A primary, two replicas and three sentinels. */
class SentinelPrimaryTest {

    /** Sentinels before 7.0 take half a minute to see that a primary has become a replica. */
    private static final Duration LONG = Duration.ofSeconds(60);

    private final RedisSentinels group = RedisSentinels.start();
    private final Redis redis = TestClients.connect(group.url());

    @AfterEach
    void end() {
        redis.close();
        group.close();
    }

    @Test
    void findsThePrimaryAndWaitsForReplicas() {
        redis.check(TIMEOUT);

        assertThat(redis.run(count("n"), TIMEOUT)).isEqualTo(1L);
        assertThat(redis.run(count("n"), 2, TIMEOUT)).isEqualTo(new Redis.Replicated(2L, 2));
        group.primary().command("SCRIPT", "FLUSH");
        assertThat(redis.run(count("n"), 2, TIMEOUT)).isEqualTo(new Redis.Replicated(3L, 2));
        assertThat(redis.describe()).startsWith("redis-sentinel://127.0.0.1:").endsWith("/" + RedisSentinels.MASTER);
    }

    @Test
    void tooFewReplicasAreCountedWithinTheLimit() {
        redis.run(count("n"), TIMEOUT);
        group.replicas().forEach(RedisServer::pause);

        assertThat(redis.run(count("n"), 2, Duration.ofSeconds(2))).isEqualTo(new Redis.Replicated(2L, 0));
    }

    @Test
    void aRequestWaitsForTheFailoverOfADeadPrimary() {
        redis.run(count("n"), TIMEOUT);
        RedisServer old = group.killPrimary();
        try {
            redis.run(count("n"), LONG);
        } catch (StoreUnavailableException perhapsExecuted) {
            // On a connection that died under it.
        }

        // Nothing was sent while nobody could be reached, so it is sent to the new primary.
        assertThat(redis.run(count("m"), LONG)).isEqualTo(1L);
        assertThat(group.awaitPrimaryOtherThan(old).command("GET", "m")).isEqualTo("1");
    }

    @Test
    void whatADemotedPrimaryRefusesIsSentToTheNewOne() {
        redis.run(count("n"), TIMEOUT);
        RedisServer primary = group.primary();
        RedisServer replica = group.replicas().get(0);
        // As in a failover, but without the sentinels' CLIENT KILL: the connections stay, to a server that is a replica
        // now. The other one is a primary: of replicas in a ring, none has what makes it eligible to sentinels before
        // 7.0.
        replica.command("REPLICAOF", "NO", "ONE");
        primary.command("REPLICAOF", "127.0.0.1", Integer.toString(replica.port()));

        assertThatNothingIsLost(primary);
    }

    private void assertThatNothingIsLost(RedisServer demoted) {
        // The sentinels notice and make it a primary again, or another one.
        assertThat(redis.run(count("m"), LONG)).isEqualTo(1L);
        assertThat(redis.run(count("m"), LONG)).isEqualTo(2L);
        assertThat(demoted.isAlive()).isTrue();
    }

    @Test
    void followsAFailoverWithItsSubscription() {
        RecordingListener heard = new RecordingListener();
        try (Redis.Subscription subscription = redis.subscribe(bytes("channel"), heard)) {
            TestTimeouts.until("it is acknowledged", subscription::isActive);
            redis.run(count("n"), TIMEOUT);

            RedisServer now = group.failover();

            TestTimeouts.until(
                    "the new primary has a listener",
                    () -> now.command("PUBLISH", "channel", "new").equals(1L));
            TestTimeouts.until("it hears", () -> heard.messages.contains("new"));
            assertThat(heard.subscribed.get()).isGreaterThan(1);
            assertThat(redis.runAll(counts("n", 3), LONG)).hasSize(3);
            TestTimeouts.until("requests go to it", () -> answered(redis) && now.command("GET", "m") != null);
        }
    }

    private static boolean answered(Redis redis) {
        try {
            redis.run(count("m"), TIMEOUT);
            return true;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    @Test
    void aPromotedServerHasItsMemoryOnlySinceItWasSeen() {
        TestTimeouts.until(
                "it has been up for a while", () -> redis.uptime(TIMEOUT).toMillis() >= 2000);

        group.failover();

        TestTimeouts.until("the new one is asked", () -> {
            try {
                return redis.uptime(TIMEOUT).toMillis() < 2000;
            } catch (StoreUnavailableException e) {
                return false;
            }
        });
        Duration then = redis.uptime(TIMEOUT);
        TestTimeouts.until("time passes", () -> redis.uptime(TIMEOUT).compareTo(then.plusMillis(100)) > 0);
    }

    @Test
    void oneSentinelIsEnough() {
        group.sentinels().get(0).kill();
        group.sentinels().get(1).pause();

        assertThat(redis.run(count("n"), TIMEOUT)).isEqualTo(1L);
        group.sentinels().get(1).resume();
    }

    @Test
    void withoutSentinelsItSaysSo() {
        group.sentinels().forEach(RedisServer::kill);

        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> redis.run(count("n"), Duration.ofSeconds(2)))
                .withMessageContaining("No sentinel of redis-sentinel://127.0.0.1");
    }

    @Test
    void aNameThatNoSentinelWatchesIsRefusedAtOnce() {
        try (Redis other = TestClients.connect(group.url().replace(RedisSentinels.MASTER, "other"))) {
            assertThatExceptionOfType(RedisRefusedException.class)
                    .isThrownBy(() -> other.check(TIMEOUT))
                    .withMessageContaining("watches no master named 'other'");
        }
    }

    @Test
    void aPlainServerInTheUrlIsToldToBeNoSentinel() {
        RedisServer plain = group.primary();
        try (Redis other =
                TestClients.connect("redis-sentinel://127.0.0.1:" + plain.port() + "/" + RedisSentinels.MASTER)) {
            assertThatExceptionOfType(RedisRefusedException.class)
                    .isThrownBy(() -> other.check(TIMEOUT))
                    .withMessage(
                            "The server 127.0.0.1:" + plain.port() + " is no sentinel; name the sentinels in the URL,"
                                    + " usually at port 26379, or use redis:// for one server");
        }
    }
}
