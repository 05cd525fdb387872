package io.lockkeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.testkit.FaultProxy.Rule;
import io.lockkeeper.testkit.redis.RedisServer;
import io.lockkeeper.testkit.redis.RedisWire;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The proxy between a client and a real Redis server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FaultProxyTest {

    /** The common pool may have a single thread, and these tasks wait. */
    private static final Executor OWN_THREAD = task -> Daemon.start("beside the test", task);

    private RedisServer server;
    private FaultProxy proxy;
    private RedisWire wire;

    @BeforeAll
    void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    void stopServer() {
        server.close();
    }

    @BeforeEach
    void connect() {
        server.command("FLUSHALL");
        proxy = FaultProxy.to(server.port());
        wire = new RedisWire(proxy.port());
    }

    @AfterEach
    void disconnect() {
        wire.close();
        proxy.close();
    }

    @Test
    void passesEverythingOfAnySize() {
        String big = "x".repeat(3_000_000);
        assertThat(wire.command("SET", "k", big)).isEqualTo("OK");
        assertThat(wire.command("GET", "k")).isEqualTo(big);
        assertThat(proxy.connections()).isEqualTo(1);
        assertThat(proxy.withheld()).isZero();
    }

    @Test
    void theEndOfAClientEndsItsConnection() {
        wire.command("PING");
        wire.close();
        TestTimeouts.until("nobody is connected", () -> proxy.connections() == 0);
        TestTimeouts.until(
                "nor at the server",
                () -> server.info("clients").get("connected_clients").equals("1"));
    }

    @Test
    void delaysEachWay() {
        proxy.both(Rule.delay(Duration.ofMillis(50)));
        long start = System.nanoTime();
        assertThat(wire.command("PING")).isEqualTo("PONG");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
    }

    @Test
    void aReplyIsHeldAfterTheCommandWasExecuted() {
        proxy.toClient(Rule.hold());
        CompletableFuture<Object> reply = CompletableFuture.supplyAsync(() -> wire.command("INCR", "k"), OWN_THREAD);
        TestTimeouts.until("the reply is held", () -> proxy.withheld() == ":1\r\n".length());
        assertThat(server.command("GET", "k")).isEqualTo("1");
        assertThat(reply).isNotDone();
        proxy.heal();
        assertThat(reply.join()).isEqualTo(1L);
    }

    @Test
    void aRequestIsHeldBeforeTheCommandIsExecuted() {
        proxy.toServer(Rule.hold());
        CompletableFuture<Object> reply = CompletableFuture.supplyAsync(() -> wire.command("INCR", "k"), OWN_THREAD);
        TestTimeouts.until("the request is held", () -> proxy.undelivered() > 0);
        assertThat(server.command("GET", "k")).isNull();
        proxy.heal();
        assertThat(reply.join()).isEqualTo(1L);
    }

    @Test
    void whatIsSwallowedNeverArrives() {
        proxy.toClient(Rule.swallow());
        wire.send("INCR", "k");
        TestTimeouts.until("the reply is gone", () -> proxy.withheld() == ":1\r\n".length());
        proxy.heal();
        assertThat(wire.command("INCR", "k"))
                .as("the next reply, not the lost one")
                .isEqualTo(2L);
    }

    @Test
    void aBlackHoleSwallowsTheEndOfTheServerToo() {
        try (RedisServer victim = RedisServer.start();
                FaultProxy hole = FaultProxy.to(victim.port());
                RedisWire client = new RedisWire(hole.port())) {
            client.command("PING");
            hole.both(Rule.swallow());
            client.send("PING");
            TestTimeouts.until("the request is gone", () -> hole.undelivered() > 0);
            victim.kill();
            CompletableFuture<Object> reply = CompletableFuture.supplyAsync(client::read, OWN_THREAD);
            assertThat(hole.connections()).isEqualTo(1);
            assertThat(reply).isNotDone();
            hole.heal();
            assertThatThrownBy(reply::join).hasCauseInstanceOf(UncheckedIOException.class);
        }
    }

    @Test
    void aReplyIsCutAfterSoManyBytes() {
        wire.command("SET", "k", "abcdef");
        proxy.toClient(Rule.cutAfter("$6\r\nabc".length()));
        assertThatThrownBy(() -> wire.command("GET", "k")).isInstanceOf(UncheckedIOException.class);
        assertThat(proxy.withheld()).isEqualTo("def\r\n".length());
        TestTimeouts.until("the connection is gone", () -> proxy.connections() == 0);
    }

    @Test
    void whatFitsBeforeTheCutArrives() {
        proxy.toClient(Rule.cutAfter("+PONG\r\n".length()));
        assertThat(wire.command("PING")).isEqualTo("PONG");
        assertThatThrownBy(() -> wire.command("PING")).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void aResetByTheReplyLeavesTheCommandExecuted() {
        proxy.toClient(Rule.reset());
        assertThatThrownBy(() -> wire.command("INCR", "k"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("reset");
        assertThat(server.command("GET", "k")).isEqualTo("1");
        proxy.heal();
        try (RedisWire next = new RedisWire(proxy.port())) {
            assertThat(next.command("INCR", "k")).isEqualTo(2L);
        }
    }

    @Test
    void aResetByTheRequestLeavesTheCommandUnexecuted() {
        proxy.toServer(Rule.reset());
        assertThatThrownBy(() -> wire.command("INCR", "k")).isInstanceOf(UncheckedIOException.class);
        assertThat(server.command("GET", "k")).isNull();
    }

    @Test
    void newConnectionsFollowTheRuleThatStands() {
        proxy.toClient(Rule.hold());
        try (RedisWire next = new RedisWire(proxy.port())) {
            next.send("PING");
            TestTimeouts.until("the reply is held", () -> proxy.withheld() > 0);
            proxy.heal();
            assertThat(next.read()).isEqualTo("PONG");
        }
    }

    @Test
    void refusesAndAcceptsAgainOnTheSamePort() {
        wire.command("PING");
        proxy.refuse();
        assertThatThrownBy(() -> new RedisWire(proxy.port())).isInstanceOf(UncheckedIOException.class);
        assertThat(wire.command("PING")).as("those that stand go on").isEqualTo("PONG");
        proxy.accept();
        try (RedisWire next = new RedisWire(proxy.port())) {
            assertThat(next.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void endsAllConnectionsAtOnce() {
        wire.command("PING");
        proxy.closeAll();
        assertThatThrownBy(() -> wire.command("PING")).isInstanceOf(UncheckedIOException.class);
        assertThat(proxy.connections()).isZero();
        try (RedisWire next = new RedisWire(proxy.port())) {
            next.command("PING");
            proxy.resetAll();
            assertThatThrownBy(() -> next.command("PING")).isInstanceOf(UncheckedIOException.class);
        }
    }

    @Test
    void aServerThatIsNotThereIsARefusalForItsClients() {
        try (FaultProxy toNobody = FaultProxy.to(Ports.free())) {
            // While it connects, or by its first request: that is up to who is faster.
            assertThatThrownBy(() -> {
                        try (RedisWire client = new RedisWire(toNobody.port())) {
                            client.command("PING");
                        }
                    })
                    .isInstanceOf(UncheckedIOException.class);
        }
    }

    @Test
    void aNegativeCutIsRefused() {
        assertThatThrownBy(() -> Rule.cutAfter(-1)).hasMessage("cutAfter takes 0 or more bytes, not -1");
    }
}
