package io.lockkeeper.redis;

import static io.lockkeeper.redis.Calls.LIMIT;
import static io.lockkeeper.redis.Calls.bytes;
import static io.lockkeeper.redis.Calls.count;
import static io.lockkeeper.redis.Calls.counts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.FaultProxy.Rule;
import io.lockkeeper.testkit.Patience;
import io.lockkeeper.testkit.redis.RedisCluster;
import io.lockkeeper.testkit.redis.RedisSentinels;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** The application's own Jedis client. */
class ClientRedisTest {

    @Test
    void aClientOfOneServerDoesAllThatIsAsked() {
        try (RedisServer server = RedisServer.start();
                RedisClient client = RedisClient.create("127.0.0.1", server.port());
                Redis redis = JedisAdapter.through(client)) {
            redis.check(LIMIT);
            assertThat(redis.run(count("n"), LIMIT)).isEqualTo(1L);
            assertThat(redis.run(count("n"), 0, LIMIT)).isEqualTo(new Redis.Replicated(2L, 0));
            server.command("SCRIPT", "FLUSH");
            assertThat(redis.runAll(counts("n", 3), LIMIT)).containsExactly(3L, 4L, 5L);
            assertThat(redis.scan(bytes("*"), LIMIT)).extracting(String::new).containsExactly("n");
            assertThat(redis.uptime(LIMIT)).isGreaterThanOrEqualTo(Duration.ZERO);
            server.command("RPUSH", "list", "x");
            assertThatExceptionOfType(RedisRefusal.class)
                    .isThrownBy(() -> redis.run(count("list"), LIMIT))
                    .withMessageContaining("key of another type");
            assertThat(redis.runAll(List.of(count("list"), count("n")), LIMIT).get(1))
                    .isEqualTo(6L);
        }
    }

    @Test
    void repliesAreTheSameInBothProtocols() {
        try (RedisServer server = RedisServer.start();
                RedisClient client = RedisClient.create("127.0.0.1", server.port());
                Redis theirs = JedisAdapter.through(client);
                Redis ours = Deployment.single("127.0.0.1", server.port())) {
            Redis.Call call = new Redis.Call(Calls.KINDS, List.of(), List.of());

            assertThat(theirs.run(call, LIMIT)).usingRecursiveComparison().isEqualTo(ours.run(call, LIMIT));
        }
    }

    @Test
    @SuppressWarnings("deprecation") // The only client of one server that repeats.
    void whatTheClientWouldRepeatIsSentOnce() {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server.port());
                UnifiedJedis client = new UnifiedJedis(
                        new PooledConnectionProvider(
                                new HostAndPort("127.0.0.1", proxy.port()),
                                DefaultJedisClientConfig.builder()
                                        .autoNegotiateProtocol(false)
                                        .build()),
                        5,
                        Duration.ofSeconds(10));
                Redis redis = JedisAdapter.through(client)) {
            redis.run(count("n"), LIMIT);
            proxy.toClient(Rule.cutAfter(1));

            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> redis.run(count("n"), LIMIT))
                    .withMessageContaining("may have executed");
            proxy.heal();

            assertThat(redis.run(count("n"), LIMIT)).isEqualTo(3L);
        }
    }

    @Test
    void aSubscriptionSurvivesItsConnectionAndEndsWhenClosed() {
        Heard heard = new Heard();
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server.port());
                RedisClient client = RedisClient.create("127.0.0.1", proxy.port());
                Redis redis = JedisAdapter.through(client)) {
            Redis.Subscription subscription = redis.subscribe(bytes("channel"), heard);
            Patience.until("it is acknowledged", subscription::isActive);
            server.command("PUBLISH", "channel", "one");
            Patience.until("it hears", () -> heard.messages.contains("one"));

            int first = heard.subscribed.get();
            proxy.closeAll();
            Patience.until("it has subscribed again", () -> heard.subscribed.get() > first);
            proxy.both(Rule.swallow());
            Patience.until("silence is found out", () -> !subscription.isActive());
            int second = heard.subscribed.get();
            proxy.heal();
            Patience.until("it has subscribed again", () -> heard.subscribed.get() > second);
            server.command("PUBLISH", "channel", "two");
            Patience.until("it hears", () -> heard.messages.contains("two"));

            subscription.close();
            assertThat(subscription.isActive()).isFalse();
            Patience.until(
                    "nobody listens",
                    () -> server.command("PUBLISH", "channel", "three").equals(0L));
        }
    }

    @Test
    void aClientOfASentinelGroup() {
        try (RedisSentinels group = RedisSentinels.start();
                RedisSentinelClient client = RedisSentinelClient.builder()
                        .masterName(RedisSentinels.MASTER)
                        .sentinels(addresses(group.sentinels()))
                        .build();
                Redis redis = JedisAdapter.through(client)) {
            redis.check(LIMIT);
            assertThat(redis.run(count("n"), 2, LIMIT)).isEqualTo(new Redis.Replicated(1L, 2));
        }
    }

    private static Set<HostAndPort> addresses(List<RedisServer> servers) {
        return servers.stream()
                .map(server -> new HostAndPort("127.0.0.1", server.port()))
                .collect(Collectors.toSet());
    }

    @Test
    void aClientOfAClusterWhoseSlotsMove() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisClusterClient client = RedisClusterClient.builder()
                        .nodes(addresses(cluster.nodes()))
                        .build();
                Redis redis = JedisAdapter.through(client)) {
            redis.check(LIMIT);
            String key = "{moving}n";
            assertThat(redis.run(count(key), 1, LIMIT)).isEqualTo(new Redis.Replicated(1L, 1));
            assertThat(redis.node(bytes(key)))
                    .isEqualTo("127.0.0.1:" + cluster.nodeOf(key).port());
            assertThat(redis.scan(bytes("*"), LIMIT)).extracting(String::new).contains(key);
            assertThat(redis.uptime(LIMIT)).isPositive();
            int slot = cluster.slotOf(key);
            List<RedisServer> primaries = cluster.nodes().subList(0, 3);
            Thread mover = new Thread(() -> {
                for (int i = 0; i < 4; i++) {
                    RedisServer from = cluster.primaryOf(slot);
                    cluster.moveSlot(slot, primaries.get((primaries.indexOf(from) + 1) % 3));
                }
            });
            mover.start();
            List<Object> replies = new ArrayList<>();
            while (mover.isAlive()) {
                replies.add(redis.run(count(key), LIMIT));
                replies.addAll(redis.runAll(counts(key, 2), LIMIT));
            }

            assertThat(replies)
                    .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(2, replies.size() + 1)
                            .boxed()
                            .toList());
        }
    }

    @Test
    void aKeeperOverTheApplicationsClientLeavesItOpen() throws InterruptedException {
        try (RedisServer server = RedisServer.start();
                RedisClient client = RedisClient.create("127.0.0.1", server.port())) {
            RedisBackend backend = RedisBackend.builder()
                    .client(JedisAdapter.of(client))
                    .prefix("shop")
                    .build();
            try (Lockkeeper keeper = Patient.keeper().open(backend);
                    Lockkeeper other = Patient.keeper().connect(server.url() + "?prefix=shop")) {
                DistributedLock lock = keeper.lock("a");
                try (ExclusiveHold hold = lock.acquire()) {
                    hold.ensureHeld();
                    assertThat(other.lock("a").tryAcquire()).isNull();
                }
                try (ExclusiveHold hold = other.lock("a").tryAcquire(LIMIT)) {
                    assertThat(hold).isNotNull();
                }
            }
            backend.close();
            assertThat(client.ping()).isEqualTo("PONG");
        }
    }
}
