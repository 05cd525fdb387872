package io.lockkeeper.redis;

import static io.lockkeeper.redis.client.TestScripts.TIMEOUT;
import static io.lockkeeper.redis.client.TestScripts.bytes;
import static io.lockkeeper.redis.client.TestScripts.count;
import static io.lockkeeper.redis.client.TestScripts.counts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Permit;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.redis.JedisClients.Recipe;
import io.lockkeeper.redis.JedisClients.Theirs;
import io.lockkeeper.redis.client.RecordingListener;
import io.lockkeeper.redis.client.Redis;
import io.lockkeeper.redis.client.RedisRefusedException;
import io.lockkeeper.redis.client.TestScripts;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.FaultProxy.Rule;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.contract.AboutTime;
import io.lockkeeper.testkit.redis.RedisCluster;
import io.lockkeeper.testkit.redis.RedisSentinels;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.ManagedConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;

/**
 * Locks through an application's own Jedis client. {@link JedisAdapterTest} loads this class once for each version of Jedis and
 * runs each of its public methods.
 */
public final class JedisCases {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private JedisCases() {}

    public static void aClientOfOneServerDoesAllThatIsAsked() throws Exception {
        try (RedisServer server = RedisServer.start();
                Redis ours = Deployment.single("127.0.0.1", server.port())) {
            for (Recipe recipe : JedisClients.ofOneServer(server.port())) {
                server.command("FLUSHALL");
                try (Theirs theirs = recipe.make()) {
                    Redis redis = theirs.redis();
                    redis.check(TIMEOUT);
                    assertThat(redis.run(count("n"), TIMEOUT)).isEqualTo(1L);
                    assertThat(redis.run(count("n"), 0, TIMEOUT)).isEqualTo(new Redis.Replicated(2L, 0));
                    server.command("SCRIPT", "FLUSH");
                    assertThat(redis.runAll(counts("n", 3), TIMEOUT)).containsExactly(3L, 4L, 5L);
                    assertThat(redis.scan(bytes("*"), TIMEOUT))
                            .extracting(String::new)
                            .containsExactly("n");
                    assertThat(redis.uptime(TIMEOUT)).isGreaterThanOrEqualTo(Duration.ZERO);
                    server.command("RPUSH", "list", "x");
                    assertThatExceptionOfType(RedisRefusedException.class)
                            .isThrownBy(() -> redis.run(count("list"), TIMEOUT))
                            .withMessageContaining("key of another type");
                    assertThat(redis.runAll(List.of(count("list"), count("n")), TIMEOUT)
                                    .get(1))
                            .isEqualTo(6L);
                    Redis.Call kinds = new Redis.Call(TestScripts.KINDS, List.of(), List.of());
                    assertThat(redis.run(kinds, TIMEOUT))
                            .usingRecursiveComparison()
                            .isEqualTo(ours.run(kinds, TIMEOUT));
                }
            }
        }
    }

    public static void aLockGoesFromKeeperToKeeperAndTheClientStaysOpen() throws Exception {
        try (RedisServer server = RedisServer.start();
                Lockkeeper byUrl = PatientKeepers.keeper().connect(server.url())) {
            for (Recipe recipe : JedisClients.ofOneServer(server.port())) {
                try (Theirs theirs = recipe.make()) {
                    RedisBackend backend =
                            RedisBackend.builder().client(theirs.adapter()).build();
                    try (Lockkeeper keeper = PatientKeepers.keeper().open(backend)) {
                        handOver(keeper, byUrl);
                        handOver(byUrl, keeper);
                        permits(keeper, byUrl);
                    }
                    backend.close();
                    assertThat(theirs.redis().run(count(theirs.name()), TIMEOUT))
                            .isEqualTo(1L);
                }
            }
        }
    }

    /** A waiter of the second keeper is granted what the first one releases. */
    private static void handOver(Lockkeeper first, Lockkeeper second) throws Exception {
        CompletableFuture<ExclusiveHold> waiting;
        long token;
        try (ExclusiveHold hold = first.lock("a").withLease(MINUTE).acquire()) {
            token = hold.token();
            assertThat(second.lock("a").tryAcquire()).isNull();
            waiting = second.lock("a").withLease(MINUTE).acquireAsync();
            hold.ensureHeld();
        }
        try (ExclusiveHold hold = waiting.get(30, TimeUnit.SECONDS)) {
            assertThat(hold.token()).isGreaterThan(token);
        }
    }

    private static void permits(Lockkeeper keeper, Lockkeeper other) throws Exception {
        DistributedSemaphore semaphore = keeper.semaphore("s", 3);
        try (Permit two = semaphore.acquire(2)) {
            two.ensureHeld();
            assertThat(other.semaphore("s", 3).tryAcquire(2)).isNull();
        }
        try (Permit two = other.semaphore("s", 3).tryAcquire(2)) {
            assertThat(two).isNotNull();
        }
    }

    @AboutTime
    public static void aHoldIsRenewedAndItsLossIsTold() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            for (Recipe recipe : JedisClients.ofOneServer(server.port()).subList(0, 2)) {
                server.command("FLUSHALL");
                try (Theirs theirs = recipe.make();
                        RedisBackend backend =
                                RedisBackend.builder().client(theirs.adapter()).build();
                        Lockkeeper keeper = Lockkeeper.of(backend)) {
                    ExclusiveHold hold =
                            keeper.lock("a").withLease(Duration.ofSeconds(3)).acquire();
                    long first = expiry(server);
                    TestTimeouts.until("its lease is longer", () -> expiry(server) > first);
                    hold.ensureHeld();

                    server.command("DEL", "lockkeeper:{lock:a}");
                    assertThat(hold.lost().get(30, TimeUnit.SECONDS)).isNotNull();
                }
            }
        }
    }

    private static long expiry(RedisServer server) {
        return (Long) server.command("EVAL", "return redis.call('PEXPIRETIME', KEYS[1])", "1", "lockkeeper:{lock:a}");
    }

    public static void whatTheClientWouldRepeatIsSentOnce() throws Exception {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server.port())) {
            for (Recipe recipe : JedisClients.ofOneServer(proxy.port())) {
                server.command("FLUSHALL");
                try (Theirs theirs = recipe.make()) {
                    Redis redis = theirs.redis();
                    redis.run(count("n"), TIMEOUT);
                    proxy.toClient(Rule.cutAfter(1));

                    assertThatExceptionOfType(StoreUnavailableException.class)
                            .isThrownBy(() -> redis.run(count("n"), TIMEOUT))
                            .withMessageContaining("may have executed");
                    proxy.heal();

                    assertThat(redis.run(count("n"), TIMEOUT)).isEqualTo(3L);
                }
            }
        }
    }

    public static void aConnectionThatOwesAReplyIsNotUsedAgain() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            for (Recipe recipe : JedisClients.ofOneServer(server.port())) {
                try (Theirs theirs = recipe.make()) {
                    failBetweenSendingAndReading(theirs);
                }
            }
        }
    }

    /** The first of two requests is sent, and an Error comes before its reply is read: the next one must not read it. */
    private static void failBetweenSendingAndReading(Theirs theirs) {
        Redis redis = theirs.redis();
        byte[] key = bytes("{x}" + theirs.name());
        List<byte[]> failing = new AbstractList<>() {
            @Override
            public byte[] get(int index) {
                throw new StackOverflowError("as if the stack ended here");
            }

            @Override
            public int size() {
                return 1;
            }
        };
        for (int i = 1; i <= 3; i++) {
            assertThatExceptionOfType(StackOverflowError.class)
                    .isThrownBy(() -> redis.runAll(
                            List.of(count("{x}lost", 1000), new Redis.Call(TestScripts.COUNT, List.of(key), failing)),
                            TIMEOUT));
            assertThat(redis.run(new Redis.Call(TestScripts.COUNT, List.of(key), List.of(bytes("1"))), TIMEOUT))
                    .as("%s reads its own reply", theirs.name())
                    .isEqualTo((long) i);
        }
    }

    public static void aRequestWaitsNoLongerThanItMay() {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server.port());
                UnifiedJedis client = new UnifiedJedis(
                        new PooledConnectionProvider(
                                new HostAndPort("127.0.0.1", proxy.port()),
                                DefaultJedisClientConfig.builder()
                                        .socketTimeoutMillis(120_000)
                                        .build()),
                        1,
                        Duration.ofSeconds(1))) {
            Redis redis = JedisAdapter.of(client).redis();
            redis.run(count("n"), TIMEOUT);
            proxy.toClient(Rule.swallow());

            long before = System.nanoTime();
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> redis.run(count("n"), Duration.ofMillis(200)))
                    .withMessageContaining("did not answer in time");
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(60));
        }
    }

    /** A pool's connections have the application's own timeout again when they are back. */
    public static void theApplicationsTimeoutIsLeftAsItWas() {
        try (RedisServer server = RedisServer.start();
                JedisPool pool = JedisClients.poolOfSize(2, server.port())) {
            int usual;
            try (Jedis jedis = pool.getResource()) {
                usual = jedis.getConnection().getSoTimeout();
            }
            JedisAdapter.of(pool).redis().run(count("n"), Duration.ofMillis(usual / 2));
            try (Jedis jedis = pool.getResource()) {
                assertThat(jedis.getConnection().getSoTimeout()).isEqualTo(usual);
            }
        }
    }

    public static void aSubscriptionSurvivesItsConnectionAndEndsWhenClosed() throws Exception {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server.port())) {
            for (Recipe recipe : JedisClients.ofOneServer(proxy.port())) {
                RecordingListener heard = new RecordingListener();
                try (Theirs theirs = recipe.make()) {
                    Redis.Subscription subscription = theirs.redis().subscribe(bytes("channel"), heard);
                    TestTimeouts.until("it is acknowledged", subscription::isActive);
                    server.command("PUBLISH", "channel", "one");
                    TestTimeouts.until("it hears", () -> heard.messages.contains("one"));

                    int first = heard.subscribed.get();
                    proxy.closeAll();
                    TestTimeouts.until("it has subscribed again", () -> heard.subscribed.get() > first);

                    subscription.close();
                    assertThat(subscription.isActive()).isFalse();
                    TestTimeouts.until(
                            "nobody listens",
                            () -> server.command("PUBLISH", "channel", "two").equals(0L));
                }
            }
        }
    }

    /** A connection that died silently costs no place in the pool: it is closed when it is found out. */
    public static void aSilentSubscriptionIsReplaced() {
        RecordingListener heard = new RecordingListener();
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server.port());
                JedisPool pool = JedisClients.poolOfSize(2, proxy.port())) {
            Redis.Subscription subscription = JedisAdapter.of(pool).redis().subscribe(bytes("channel"), heard);
            TestTimeouts.until("it is acknowledged", subscription::isActive);
            int first = heard.subscribed.get();
            proxy.both(Rule.swallow());
            TestTimeouts.until("silence is found out", () -> !subscription.isActive());
            proxy.heal();
            TestTimeouts.until("it has subscribed again", () -> heard.subscribed.get() > first);
            TestTimeouts.until("it hears", () -> {
                server.command("PUBLISH", "channel", "two");
                return heard.messages.contains("two");
            });
            TestTimeouts.until("the other connection is free", () -> pool.getNumActive() == 1);
            subscription.close();
            TestTimeouts.until("both are free", () -> pool.getNumActive() == 0);
        }
    }

    public static void aSubscriptionWhoseAcknowledgementIsLostIsMadeAnew() {
        RecordingListener heard = new RecordingListener();
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server.port());
                JedisPool pool = JedisClients.poolOfSize(2, proxy.port())) {
            try (Jedis jedis = pool.getResource()) {
                assertThat(jedis.ping()).isEqualTo("PONG");
            }
            proxy.toClient(Rule.swallow());
            Redis.Subscription subscription = JedisAdapter.of(pool).redis().subscribe(bytes("channel"), heard);
            TestTimeouts.until("the acknowledgement is lost", () -> proxy.withheld() > 0);
            proxy.heal();
            TestTimeouts.until("it is acknowledged", subscription::isActive);
            subscription.close();
        }
    }

    public static void aClientOfASentinelGroup() throws Exception {
        try (RedisSentinels group = RedisSentinels.start()) {
            for (Recipe recipe : JedisClients.ofSentinels(group)) {
                try (Theirs theirs = recipe.make()) {
                    theirs.redis().check(TIMEOUT);
                    assertThat(theirs.redis().run(count(theirs.name()), 2, TIMEOUT))
                            .isEqualTo(new Redis.Replicated(1L, 2));
                }
            }
        }
    }

    public static void aClientOfAClusterWhoseSlotsMove() throws Exception {
        try (RedisCluster cluster = RedisCluster.start();
                Lockkeeper byUrl = PatientKeepers.keeper().connect(cluster.url())) {
            for (Recipe recipe : JedisClients.ofCluster(cluster.nodes())) {
                try (Theirs theirs = recipe.make()) {
                    moveSlots(cluster, theirs);
                    failBetweenSendingAndReading(theirs);
                    try (RedisBackend backend = RedisBackend.builder()
                                    .client(theirs.adapter())
                                    .build();
                            Lockkeeper keeper = PatientKeepers.keeper().open(backend)) {
                        handOver(keeper, byUrl);
                        handOver(byUrl, keeper);
                    }
                }
            }
        }
    }

    private static void moveSlots(RedisCluster cluster, Theirs theirs) {
        Redis redis = theirs.redis();
        redis.check(TIMEOUT);
        String key = "{moving}" + theirs.name();
        assertThat(redis.run(count(key), 1, TIMEOUT)).isEqualTo(new Redis.Replicated(1L, 1));
        assertThat(redis.node(bytes(key)))
                .isEqualTo("127.0.0.1:" + cluster.nodeOf(key).port());
        assertThat(redis.scan(bytes("*"), TIMEOUT)).extracting(String::new).contains(key);
        assertThat(redis.uptime(TIMEOUT)).isPositive();
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
            replies.add(redis.run(count(key), TIMEOUT));
            replies.addAll(redis.runAll(counts(key, 2), TIMEOUT));
        }

        assertThat(replies)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(2, replies.size() + 1).boxed().toList());
    }

    public static void aClientThatWouldBreakARuleIsRefused() throws Exception {
        try (RedisServer server = RedisServer.start();
                UnifiedJedis one = JedisClients.ofSize(1, server.port());
                JedisPool pool = JedisClients.poolOfSize(1, server.port())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JedisAdapter.of(one))
                    .withMessageContaining("maxTotal");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JedisAdapter.of(pool))
                    .withMessageContaining("maxTotal");

            ConnectionProvider managed = new ManagedConnectionProvider();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JedisAdapter.of(new UnifiedJedis(managed, 1, Duration.ofSeconds(1))))
                    .withMessageContaining("ManagedConnectionProvider");
            if (JedisClients.exists("JedisSharding")) {
                UnifiedJedis shards = (UnifiedJedis) JedisClients.type("JedisSharding")
                        .getConstructor(List.class)
                        .newInstance(List.of(new HostAndPort("127.0.0.1", server.port())));
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> JedisAdapter.of(shards))
                        .withMessageContaining("ShardedConnectionProvider");
            }
        }
    }

    /** Waiting for a connection is the client's; what comes of it is a sentence. */
    public static void anExhaustedPoolIsToldInOneSentence() {
        try (RedisServer server = RedisServer.start();
                JedisPool pool = JedisClients.poolOfSize(2, server.port());
                Jedis first = pool.getResource();
                Jedis second = pool.getResource()) {
            assertThat(List.of(first.ping(), second.ping())).containsOnly("PONG");
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> JedisAdapter.of(pool).redis().run(count("n"), TIMEOUT))
                    .withMessageContaining("nothing was sent");
        }
    }
}
