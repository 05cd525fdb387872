package io.lockkeeper.redis;

import static io.lockkeeper.redis.client.TestScripts.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.redis.client.LogRecorder;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.TlsMaterial;
import io.lockkeeper.testkit.contract.AboutTime;
import io.lockkeeper.testkit.redis.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.JedisPool;

/** Building a backend, and what opening it reports. */
class RedisBackendTest {

    /** The first one of a JVM takes its time. */
    private static final Duration HANDSHAKE = Duration.ofSeconds(10);

    @Test
    void aWrongPasswordFailsAtOnceWithoutBeingRepeated() {
        try (RedisServer server = RedisServer.options().password("right").start()) {
            assertThatExceptionOfType(LockkeeperException.class)
                    .isThrownBy(() -> Lockkeeper.connect("redis://:wrong-one@127.0.0.1:" + server.port()))
                    .withMessageContaining("does not know this user with this password")
                    .withMessageContaining("127.0.0.1:" + server.port())
                    .satisfies(e -> assertThat(e.toString()).doesNotContain("wrong-one"));
        }
    }

    /** As in a process that has just begun, on a machine that is busy. */
    @Test
    void openingMayTakeLongerThanACommand() {
        try (RedisServer server = RedisServer.start();
                FaultProxy slow = FaultProxy.to(server.port())) {
            slow.toClient(FaultProxy.Rule.delay(Duration.ofMillis(300)));
            try (Lockkeeper keeper = Lockkeeper.builder()
                    .commandTimeout(Duration.ofMillis(200))
                    .connect("redis://127.0.0.1:" + slow.port())) {
                slow.heal();
                Eventually.holds(() -> keeper.inspect("a").isEmpty());
            }
        }
    }

    @Test
    @AboutTime
    void serversThatVoteAreNamedByOneUrl() throws InterruptedException {
        List<RedisServer> servers = Stream.generate(RedisServer::start).limit(3).toList();
        try {
            String hosts = servers.stream().map(s -> "127.0.0.1:" + s.port()).collect(Collectors.joining(","));
            String url = "redlock://" + hosts + "?longestLease=1s&nodeTimeout=900ms&prefix=shop";
            try (Lockkeeper keeper =
                    Lockkeeper.builder().lease(Duration.ofSeconds(1)).connect(url)) {
                // A server votes once it has been up for the longest lease.
                try (ExclusiveHold hold = keeper.lock("a").tryAcquire(TIMEOUT.multipliedBy(4))) {
                    assertThat(hold).isNotNull();
                    assertThat(servers).filteredOn(RedisBackendTest::hasKeys).hasSizeGreaterThanOrEqualTo(2);
                }
            }
        } finally {
            servers.forEach(RedisServer::close);
        }
    }

    @Test
    void freshServersSayWhenTheyWillVote() {
        List<RedisServer> servers = Stream.generate(RedisServer::start).limit(3).toList();
        try {
            String hosts = servers.stream().map(s -> "127.0.0.1:" + s.port()).collect(Collectors.joining(","));
            try (Lockkeeper keeper = Lockkeeper.connect("redlock://" + hosts + "?nodeTimeout=2s")) {
                assertThatThrownBy(() -> keeper.lock("a").tryAcquire())
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("member 1 of 3: not voting yet, for another ")
                        .hasMessageContaining("durable=true")
                        .hasMessageNotContaining("did not answer within");
            }
            try (Lockkeeper keeper = Lockkeeper.connect("redlock://" + hosts + "?nodeTimeout=2s&durable=true");
                    ExclusiveHold hold = keeper.lock("a").tryAcquire()) {
                assertThat(hold).isNotNull();
            }
        } finally {
            servers.forEach(RedisServer::close);
        }
    }

    private static boolean hasKeys(RedisServer server) {
        return !((List<?>) server.command("KEYS", "shop*")).isEmpty();
    }

    @Test
    void tooFewServersThatVoteAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Lockkeeper.connect("redlock://127.0.0.1:1,127.0.0.1:2"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisBackend.at("redlock://a,b,c"))
                .withMessageContaining("Quorum.of");
    }

    @Test
    void anEvenNumberOfServersThatVoteIsWarnedOfOnce() {
        try (LogRecorder log = LogRecorder.of("io.lockkeeper.quorum", "A quorum of 4 ")) {
            new RedisProvider()
                    .create("redlock://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3,127.0.0.1:4")
                    .close();

            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains("4 members survives the failure of 1, as one of 3 does");
        }
    }

    @Test
    void aQuorumMayBeRaisedButIsAMajorityAtLeast() {
        String servers = "redlock://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3,127.0.0.1:4,127.0.0.1:5?quorum=";
        new RedisProvider().create(servers + 4).close();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RedisProvider().create(servers + 2))
                .withMessageContaining("3");
    }

    @Test
    void theContextSaysWhomToTrust(@TempDir Path folder) throws InterruptedException {
        TlsMaterial material = TlsMaterial.create(folder, "localhost");
        try (RedisServer server = RedisServer.options().tls(material).start()) {
            RedisBackend backend = RedisBackend.builder()
                    .url(server.tlsUrl("localhost"))
                    .sslContext(material.clientContext())
                    .build();
            try (Lockkeeper keeper =
                            Lockkeeper.builder().commandTimeout(HANDSHAKE).open(backend);
                    ExclusiveHold hold = keeper.lock("a").tryAcquire(HANDSHAKE)) {
                assertThat(hold).isNotNull();
            }
            backend.close();
        }
    }

    @Test
    void oneOfUrlAndClientIsNeeded() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisBackend.builder().build())
                .withMessageContaining("redis://localhost:6379");
        try (RedisServer server = RedisServer.start();
                JedisPool client = new JedisPool("127.0.0.1", server.port())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RedisBackend.builder()
                            .url(server.url())
                            .client(JedisAdapter.of(client))
                            .build())
                    .withMessageContaining("one of them");
        }
    }
}
