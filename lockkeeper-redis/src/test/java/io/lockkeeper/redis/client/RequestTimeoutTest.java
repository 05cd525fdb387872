package io.lockkeeper.redis.client;

import static io.lockkeeper.redis.client.TestScripts.TIMEOUT;
import static io.lockkeeper.redis.client.TestScripts.bytes;
import static io.lockkeeper.redis.client.TestScripts.count;
import static io.lockkeeper.redis.client.TestScripts.counts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.FaultProxy.Rule;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.redis.RedisError;
import io.lockkeeper.testkit.redis.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every request ends within its timeout, and none is executed twice, whatever the network does. */
class RequestTimeoutTest {

    private static final Duration SHORT = Duration.ofMillis(200);
    /** Generous: the machine may be busy. A request without a limit would take forever. */
    private static final Duration SOON = Duration.ofSeconds(10);
    /** For those who are let go by the test. */
    private static final Duration PATIENT = Duration.ofMinutes(1);

    private final RedisServer server = RedisServer.start();
    private final FaultProxy proxy = FaultProxy.to(server.port());
    private final Redis redis = TestClients.connect("redis://127.0.0.1:" + proxy.port() + "?pool=4");

    @AfterEach
    void end() {
        redis.close();
        proxy.close();
        server.close();
    }

    private long counted(String key) {
        Object value = server.command("GET", key);
        return value == null ? 0 : Long.parseLong(value.toString());
    }

    /** What it says of the server; where this machine was too busy to ask it anything in time, it is called again. */
    private static StoreUnavailableException unavailable(ThrowingCallable call) {
        StoreUnavailableException e;
        int tries = 0;
        do {
            long begun = System.nanoTime();
            e = catchThrowableOfType(StoreUnavailableException.class, call);
            assertThat(e).isNotNull();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SOON);
        } while (e.getMessage().contains("this machine busy") && ++tries < 20);
        return e;
    }

    @Test
    void aServerThatHangsIsGivenUp() {
        redis.run(count("n"), TIMEOUT);
        server.pause();

        assertThat(unavailable(() -> redis.run(count("n"), SHORT)))
                .hasMessageContaining("did not answer in time")
                .hasMessageContaining("127.0.0.1:" + proxy.port());
        // Connecting anew is within the limit too: the system accepts for the server, nothing answers.
        assertThat(unavailable(() -> redis.run(count("n"), SHORT))).hasMessageContaining("in time");

        server.resume();
        TestTimeouts.until("the server is used again", () -> redis.run(count("n"), TIMEOUT) != null);
    }

    @Test
    void aReplyThatTricklesDoesNotProlongTheLimit() {
        redis.run(count("n"), TIMEOUT);
        // Each byte is a read that succeeds in time; all of them together are not.
        SlowServer trickle = SlowServer.start(Duration.ofMillis(50));
        try (trickle;
                Redis slow = TestClients.single("127.0.0.1", trickle.port())) {
            assertThat(unavailable(() -> slow.run(count("n"), SHORT))).hasMessageContaining("in time");
        }
    }

    @Test
    void aRequestTooBigForTheSystemsBuffersIsGivenUp() {
        redis.run(count("n"), TIMEOUT);
        List<Redis.Call> calls = new ArrayList<>();
        byte[] big = new byte[256 * 1024];
        for (int i = 0; i < 64; i++) {
            calls.add(new Redis.Call(TestScripts.KINDS, List.of(), List.of(big)));
        }
        server.pause();
        long begun = System.nanoTime();

        List<Object> outcomes = redis.runAll(calls, Duration.ofMillis(500));

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SOON);
        assertThat(outcomes).hasSize(64).allSatisfy(e -> assertThat(e).isInstanceOf(StoreUnavailableException.class));
        server.resume();
    }

    @Test
    void aRequestWaitsForAConnectionWithinItsTimeout() {
        List<CompletableFuture<?>> busy = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            redis.run(count("n"), TIMEOUT);
            proxy.toClient(Rule.hold());
            for (int i = 0; i < 4; i++) {
                busy.add(CompletableFuture.supplyAsync(() -> redis.run(count("n"), PATIENT), threads));
            }
            // Half of them are for scripts: one is being opened, and by the other nobody is taken along any more.
            TestTimeouts.until("these are in use", () -> proxy.connections() == 2 && counted("n") > 1);

            assertThat(unavailable(() -> redis.run(count("n"), SHORT)))
                    .hasMessageContaining("in use")
                    .hasMessageContaining("pool=8");

            CompletableFuture<Object> patient =
                    CompletableFuture.supplyAsync(() -> redis.run(count("n"), PATIENT), threads);
            proxy.heal();
            assertThat(patient.join()).isNotNull();
            busy.forEach(CompletableFuture::join);
            assertThat(proxy.connections()).isLessThanOrEqualTo(4);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aReplyThatWasCutOffIsNotAskedForAgain() {
        redis.run(count("n"), TIMEOUT);
        proxy.toClient(Rule.cutAfter(1));

        assertThat(unavailable(() -> redis.run(count("n"), TIMEOUT))).hasMessageContaining("may have executed");
        proxy.heal();

        assertThat(counted("n")).isEqualTo(2);
        assertThat(redis.run(count("n"), TIMEOUT)).isEqualTo(3L);
    }

    @Test
    void aPipelineThatWasCutOffIsNotRepeated() {
        redis.runAll(counts("n", 2), TIMEOUT);
        // ":3\r\n:4\r\n", and half of the next.
        proxy.toClient(Rule.cutAfter(9));

        List<Object> outcomes = redis.runAll(counts("n", 5), TIMEOUT);
        proxy.heal();

        assertThat(outcomes.subList(0, 2)).containsExactly(3L, 4L);
        assertThat(outcomes.subList(2, 5)).allSatisfy(e -> assertThat(e).isInstanceOf(StoreUnavailableException.class));
        assertThat(counted("n")).isEqualTo(7);
    }

    @Test
    void aWaitForReplicasThatWasCutOffIsNotRepeated() {
        redis.run(count("n"), 0, TIMEOUT);
        proxy.toClient(Rule.cutAfter(4));

        unavailable(() -> redis.run(count("n"), 0, TIMEOUT));
        proxy.heal();

        assertThat(counted("n")).isEqualTo(2);
    }

    @Test
    void anUnknownScriptIsExecutedAtMostOnce() {
        redis.run(count("n"), TIMEOUT);
        server.command("SCRIPT", "FLUSH");
        // The answer that it is unknown passes, the one to the text does not.
        RedisError unknown =
                catchThrowableOfType(RedisError.class, () -> server.command("EVALSHA", "0".repeat(40), "0"));
        proxy.toClient(Rule.cutAfter(("-" + unknown.getMessage() + "\r\n").length() + 1));

        unavailable(() -> redis.run(count("n"), TIMEOUT));
        proxy.heal();

        assertThat(counted("n")).isEqualTo(2);
    }

    @Test
    void connectionsThatDiedWhileIdleFailNoRequest() {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            proxy.toClient(Rule.hold());
            List<CompletableFuture<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(CompletableFuture.supplyAsync(() -> redis.run(count("n"), PATIENT), threads));
            }
            TestTimeouts.until("several are open", () -> proxy.connections() > 1);
            proxy.heal();
            all.forEach(CompletableFuture::join);
        } finally {
            threads.shutdown();
        }
        // One request finds out; after that no idle one is trusted.
        server.kill();
        server.restart();
        try {
            redis.run(count("m"), TIMEOUT);
        } catch (StoreUnavailableException perhapsExecuted) {
            assertThat(perhapsExecuted).hasMessageContaining("may have executed");
        }

        assertThat(redis.run(count("m"), TIMEOUT)).isNotNull();
        assertThat(redis.run(count("m"), TIMEOUT)).isNotNull();
    }

    @Test
    void whatWasIdleForLongIsAskedBeforeItIsTrusted() {
        ConnectionPool pool = new ConnectionPool(
                new Address("127.0.0.1", proxy.port()), TestScripts.open(), 4, TimeUnit.SECONDS.toNanos(1));
        try (Redis distrustful = new PrimaryRedis(new FixedPrimary(pool, "one server"))) {
            distrustful.run(count("n"), TIMEOUT);
            server.kill();
            server.restart();
            long begun = System.nanoTime();
            TestTimeouts.until(
                    "the connection has been idle for long", () -> System.nanoTime() - begun > 1_100_000_000L);

            assertThat(distrustful.run(count("n"), TIMEOUT)).isEqualTo(1L);
        }
    }

    @Test
    void whatWasIdleForAMomentIsNotAsked() {
        redis.run(count("n"), TIMEOUT);
        server.resetStats();
        long begun = System.nanoTime();
        TestTimeouts.until(
                "the connection has been idle for a moment", () -> System.nanoTime() - begun > 1_100_000_000L);

        redis.run(count("n"), TIMEOUT);

        assertThat(server.commandStats()).containsKey("evalsha").doesNotContainKey("ping");
    }

    @Test
    void anInterruptIsKeptDuringARequest() {
        Thread.currentThread().interrupt();
        try {
            assertThat(redis.run(count("n"), TIMEOUT)).isEqualTo(1L);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aClosedOneSaysSo() {
        redis.run(count("n"), TIMEOUT);
        redis.close();

        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> redis.run(count("n"), TIMEOUT))
                .withMessageContaining("closed");
    }

    @Test
    void keysAreFoundPageByPage() {
        for (int i = 0; i < 2500; i++) {
            server.command("SET", "a:" + i, "");
        }
        server.command("SET", "b", "");
        server.resetStats();

        assertThat(redis.scan(bytes("a:*"), TIMEOUT))
                .hasSizeGreaterThanOrEqualTo(2500)
                .allSatisfy(key ->
                        assertThat(new String(key, StandardCharsets.UTF_8)).startsWith("a:"));
        assertThat(server.commandStats()).containsKey("scan").doesNotContainKey("keys");
        assertThat(server.commandStats().get("scan")).isGreaterThan(2);
    }
}
