package io.lockkeeper.redis.client;

import static io.lockkeeper.redis.client.TestScripts.TIMEOUT;
import static io.lockkeeper.redis.client.TestScripts.bytes;
import static io.lockkeeper.redis.client.TestScripts.count;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.redis.RedisOptions;
import io.lockkeeper.testkit.redis.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Each failure is one sentence that names the server and what to do, and ends when its cause ends. */
class RedisErrorsTest {

    private static final Duration SHORT = Duration.ofMillis(500);

    private static RedisServer start(UnaryOperator<RedisOptions> wishes) {
        return wishes.apply(RedisServer.options()).start();
    }

    private static Redis connect(RedisServer server) {
        return TestClients.single("127.0.0.1", server.port());
    }

    private static String sentence(Class<? extends LockkeeperException> kind, ThrowingCallable call) {
        Throwable e = catchThrowable(call);
        assertThat(e).isInstanceOf(kind);
        assertThat(e.getMessage()).doesNotContain("\n").doesNotContain("secret").startsWith("The ");
        return e.getMessage();
    }

    private static String refusal(ThrowingCallable call) {
        return sentence(RedisRefusedException.class, call);
    }

    private static String outage(ThrowingCallable call) {
        return sentence(StoreUnavailableException.class, call);
    }

    @Test
    void aWrongPasswordOrUser() {
        try (RedisServer server = start(options -> options.user("app", "on", ">secret", "~*", "+@all"))) {
            for (String login : List.of("app:secret2", "other:secret", "app")) {
                try (Redis redis = TestClients.connect("redis://" + login + "@127.0.0.1:" + server.port())) {
                    assertThat(refusal(() -> redis.check(TIMEOUT)))
                            .contains("127.0.0.1:" + server.port(), "does not know this user with this password");
                }
            }
            try (Redis redis = TestClients.connect("redis://app:secret@127.0.0.1:" + server.port())) {
                redis.check(TIMEOUT);
            }
        }
    }

    @Test
    void aMissingAndAnUnneededPassword() {
        try (RedisServer server = start(options -> options.password("secret"));
                Redis redis = connect(server)) {
            assertThat(refusal(() -> redis.check(TIMEOUT))).contains("wants a password", "redis://user:password@host");
        }
        try (RedisServer server = RedisServer.start();
                Redis redis = TestClients.connect("redis://:secret@127.0.0.1:" + server.port())) {
            assertThat(refusal(() -> redis.check(TIMEOUT)))
                    .contains("has no password for its default user", "leave it out");
        }
    }

    @Test
    void aRightThatIsMissing() {
        try (RedisServer server = start(options ->
                        options.user("app", "on", ">secret", "~mine:*", "&*", "+info", "+evalsha", "+eval", "+ping"));
                Redis redis = TestClients.connect("redis://app:secret@127.0.0.1:" + server.port())) {
            redis.check(TIMEOUT);
            assertThat(refusal(() -> redis.run(count("mine:a"), TIMEOUT)))
                    .contains("does not allow", "ACL", "docs/redis.md");
            assertThat(refusal(() -> redis.run(count("other"), TIMEOUT)))
                    .contains("does not allow", "ACL", "docs/redis.md");
            assertThat(refusal(() -> redis.scan(bytes("*"), TIMEOUT))).contains("'scan'", "ACL");
            assertThat(refusal(() -> redis.run(new Redis.Call(TestScripts.KINDS, List.of(), List.of()), 1, TIMEOUT)))
                    .contains("'wait'");

            server.command("ACL", "SETUSER", "app", "+incrby");
            assertThat(redis.run(count("mine:a"), TIMEOUT)).isEqualTo(1L);
        }
    }

    @Test
    void aServerThatRefusesInfoIsUsed() {
        try (RedisServer server = start(options -> options.user("app", "on", ">secret", "~*", "+@all", "-info"));
                Redis redis = TestClients.connect("redis://app:secret@127.0.0.1:" + server.port());
                LogRecorder log = LogRecorder.of("io.lockkeeper.redis", "127.0.0.1:" + server.port())) {
            redis.check(TIMEOUT);

            assertThat(log.warnings()).singleElement().asString().contains("does not allow INFO", "+info");
            assertThat(redis.run(count("n"), TIMEOUT)).isEqualTo(1L);
            assertThat(refusal(() -> redis.uptime(TIMEOUT))).contains("'info'");
        }
    }

    @Test
    void aKeyOfAnotherType() {
        try (RedisServer server = RedisServer.start();
                Redis redis = connect(server)) {
            server.command("RPUSH", "n", "x");
            assertThat(refusal(() -> redis.run(count("n"), TIMEOUT)))
                    .contains("key of another type", "delete that key");
            assertThat(redis.runAll(List.of(count("n"), count("m")), TIMEOUT).get(0))
                    .isInstanceOf(RedisRefusedException.class);
            assertThat(server.command("GET", "m")).isEqualTo("1");

            server.command("DEL", "n");
            assertThat(redis.run(count("n"), TIMEOUT)).isEqualTo(1L);
        }
    }

    @Test
    void aReplica() {
        try (RedisServer primary = RedisServer.start();
                RedisServer server = start(options -> options.replicaOf(primary.port()));
                Redis redis = connect(server)) {
            // While it takes over what its primary has, it says that it is loading, and cuts connections.
            TestTimeouts.until(
                    "it follows", () -> "up".equals(server.info("replication").get("master_link_status")));
            assertThat(outage(() -> redis.run(count("n"), TIMEOUT))).contains("is a replica", "connect to its primary");
            assertThat(outage(() -> redis.check(TIMEOUT))).contains("is a replica", "connect to its primary");
            assertThat(redis.uptime(TIMEOUT)).isZero();

            server.command("REPLICAOF", "NO", "ONE");
            redis.check(TIMEOUT);
            assertThat(redis.run(count("n"), TIMEOUT)).isEqualTo(1L);
        }
    }

    @Test
    void noMemoryLeft() {
        try (RedisServer server = RedisServer.start();
                Redis redis = connect(server)) {
            server.command("CONFIG", "SET", "maxmemory", "1");
            assertThat(outage(() -> redis.run(count("n"), TIMEOUT))).contains("no memory left", "give it more");

            server.command("CONFIG", "SET", "maxmemory", "0");
            assertThat(redis.run(count("n"), TIMEOUT)).isEqualTo(1L);
        }
    }

    @Test
    void aDiskThatCannotBeWritten() throws IOException {
        try (RedisServer server = start(options -> options.set("dbfilename", "blocked.rdb"));
                Redis redis = connect(server)) {
            server.command("CONFIG", "SET", "save", "3600 1");
            server.command("SET", "x", "1");
            String folder = String.valueOf(((List<?>) server.command("CONFIG", "GET", "dir")).get(1));
            Files.createDirectories(Path.of(folder, "blocked.rdb", "inside"));
            server.command("BGSAVE");
            TestTimeouts.until(
                    "saving has failed",
                    () -> "err".equals(server.info("persistence").get("rdb_last_bgsave_status")));
            assertThat(outage(() -> redis.run(count("n"), TIMEOUT))).contains("cannot save to its disk", "free space");

            server.command("CONFIG", "SET", "save", "");
            assertThat(redis.run(count("n"), TIMEOUT)).isEqualTo(1L);
        }
    }

    @Test
    void tooFewReplicasForTheServer() {
        try (RedisServer server = start(options -> options.minReplicas(1));
                Redis redis = connect(server)) {
            assertThat(outage(() -> redis.run(count("n"), TIMEOUT)))
                    .contains("too few replicas", "min-replicas-to-write");
        }
    }

    @Test
    void anEndlessScriptOfAnotherClient() {
        try (RedisServer server = start(options -> options.set("lua-time-limit", "50"));
                Redis redis = connect(server);
                var other = server.connect()) {
            redis.run(count("n"), TIMEOUT);
            other.send("EVAL", "while true do end", "0");
            TestTimeouts.until("it is busy", () -> {
                Throwable e = catchThrowable(() -> redis.run(count("n"), SHORT));
                return e instanceof StoreUnavailableException && e.getMessage().contains("SCRIPT KILL");
            });
            server.command("SCRIPT", "KILL");
            TestTimeouts.until("it is over", () -> catchThrowable(() -> redis.run(count("n"), TIMEOUT)) == null);
        }
    }

    @Test
    void noSuchDatabase() {
        try (RedisServer server = RedisServer.start();
                Redis redis = TestClients.connect(server.url() + "/99");
                Redis seven = TestClients.connect(server.url() + "/7")) {
            assertThat(refusal(() -> redis.check(TIMEOUT))).contains("no such database");
            seven.run(count("n"), TIMEOUT);
            assertThat(server.command("GET", "n")).isNull();
        }
    }

    @Test
    void noServerAndNoSuchHost() throws IOException {
        // The port is taken, so that no other test's server comes up there, but nobody listens.
        try (Socket taken = new Socket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = taken.getLocalPort();
            Redis redis = TestClients.single("127.0.0.1", port);
            assertThat(outage(() -> redis.run(count("n"), TIMEOUT)))
                    .contains("127.0.0.1:" + port, "cannot be reached", "check that it runs");
            redis.close();
        }
        try (Redis redis = TestClients.single("no-such-host.invalid", 6379)) {
            assertThat(outage(() -> redis.run(count("n"), Duration.ofMinutes(1))))
                    .contains("'no-such-host.invalid'", "is not known");
        }
    }

    @Test
    void anotherServerThanRedis() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Redis redis = TestClients.single("127.0.0.1", socket.getLocalPort())) {
            Thread other = new Thread(() -> {
                try (Socket client = socket.accept()) {
                    client.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    client.getInputStream().read();
                    client.shutdownOutput();
                    client.getInputStream().readAllBytes();
                } catch (IOException over) {
                    // The client went away.
                }
            });
            other.start();
            assertThat(refusal(() -> redis.check(TIMEOUT))).contains("is not a Redis server", "rediss://");
        }
    }

    @Test
    void anOldServerIsRefused() {
        assertThat(ServerRequirements.unfit(Map.of("redis_version", "6.0.16"), false))
                .contains("6.0.16", "6.2 or newer");
        assertThat(ServerRequirements.unfit(Map.of("redis_version", "5.0.14"), true))
                .contains("5.0.14");
        assertThat(ServerRequirements.unfit(Map.of("redis_version", "6.2.0"), false))
                .isNull();
        assertThat(ServerRequirements.unfit(Map.of("redis_version", "10.0.1"), false))
                .isNull();
    }
}
