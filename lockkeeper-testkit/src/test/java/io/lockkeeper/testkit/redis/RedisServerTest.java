package io.lockkeeper.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.testkit.ChildJvm;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.TlsMaterial;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RedisServerTest {

    /** The common pool may have a single thread, and these tasks wait. */
    private static final Executor OWN_THREAD = task -> {
        Thread thread = new Thread(task, "beside the test");
        thread.setDaemon(true);
        thread.start();
    };

    @Test
    void startsAnswersAndLeavesNothingBehind() {
        RedisServer server = RedisServer.start();
        try (server) {
            assertThat(server.command("SET", "k", "vä")).isEqualTo("OK");
            assertThat(server.command("GET", "k")).isEqualTo("vä");
            assertThat(server.command("DBSIZE")).isEqualTo(1L);
            assertThat(server.command("MGET", "k", "none"))
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .containsExactly("vä", null);
            assertThatThrownBy(() -> server.command("LPUSH", "k", "x"))
                    .isInstanceOf(RedisError.class)
                    .hasMessageStartingWith("WRONGTYPE");
            assertThat(server.url()).isEqualTo("redis://127.0.0.1:" + server.port());
        }
        assertThat(server.isAlive()).isFalse();
        assertThatThrownBy(server::connect).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(server::log).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void isEmptyAfterARestartOnTheSamePort() {
        try (RedisServer server = RedisServer.start()) {
            int port = server.port();
            long pid = server.pid();
            server.command("SET", "k", "v");
            server.kill();
            assertThatThrownBy(() -> server.command("PING")).isInstanceOf(UncheckedIOException.class);
            server.restart();
            assertThat(server.port()).isEqualTo(port);
            assertThat(server.pid()).isNotEqualTo(pid);
            assertThat(server.command("GET", "k")).isNull();
        }
    }

    @Test
    void waitsAtARestartForAPortThatSomebodyElseHas() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            server.kill();
            CompletableFuture<Void> restart;
            try (ServerSocket other = new ServerSocket(server.port(), 1, InetAddress.getLoopbackAddress())) {
                CompletableFuture<Void> closing =
                        CompletableFuture.runAsync(() -> closeWhatConnects(other), OWN_THREAD);
                restart = CompletableFuture.runAsync(server::restart, OWN_THREAD);
                TestTimeouts.until(
                        "the port was found taken", () -> server.log().contains("bind"));
                assertThat(restart).isNotDone();
                other.close();
                closing.get();
            }
            restart.get();
            assertThat(server.command("PING")).isEqualTo("PONG");
        }
    }

    private static void closeWhatConnects(ServerSocket port) {
        try {
            while (true) {
                port.accept().close();
            }
        } catch (IOException closed) {
            // The port is free.
        }
    }

    @Test
    void answersNothingWhilePaused() throws Exception {
        try (RedisServer server = RedisServer.start();
                RedisWire wire = server.connect()) {
            server.pause();
            wire.send("PING");
            assertThat(Files.readString(Path.of("/proc/" + server.pid() + "/stat")))
                    .contains(") T ");
            server.resume();
            assertThat(wire.read()).isEqualTo("PONG");
        }
    }

    @Test
    void whatOnlyReadsIsAskedAgainWhenTheServerCutsItsConnections() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            var done = new AtomicBoolean();
            var answers = new AtomicInteger();
            var cuts = new AtomicLong();
            Future<?> cutter =
                    CompletableFuture.runAsync(() -> cutConnections(server, done, answers, cuts), OWN_THREAD);
            try {
                while (answers.get() < 500 || (cuts.get() == 0 && answers.get() < 50_000)) {
                    assertThat(server.info("server")).containsKey("process_id");
                    answers.incrementAndGet();
                }
            } finally {
                done.set(true);
            }
            cutter.get();
            assertThat(cuts.get()).isPositive();
        }
    }

    /** Not again before somebody was answered: else a slow one could be met twenty times in a row. */
    private static void cutConnections(RedisServer server, AtomicBoolean done, AtomicInteger answers, AtomicLong cuts) {
        try (RedisWire wire = server.connect()) {
            int before = -1;
            while (!done.get()) {
                if (answers.get() == before) {
                    LockSupport.parkNanos(100_000);
                } else {
                    before = answers.get();
                    cuts.addAndGet((Long) wire.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"));
                }
            }
        }
    }

    @Test
    void countsCommands() {
        try (RedisServer server = RedisServer.start()) {
            server.command("SET", "a", "1");
            server.command("SET", "b", "1");
            assertThat(server.commandStats()).containsEntry("set", 2L);
            server.resetStats();
            assertThat(server.commandStats()).doesNotContainKey("set");
        }
    }

    @Test
    void knowsPasswordsAndUsersAlsoAfterARestart() {
        RedisOptions options = RedisServer.options()
                .password("hidden")
                .user("app", "on", ">secret", "~app:*", "-@all", "+get", "+set")
                .maxMemory("50mb", "allkeys-lru")
                .minReplicas(0);
        try (RedisServer server = options.start()) {
            server.restart();
            try (RedisWire stranger = new RedisWire(server.port())) {
                assertThatThrownBy(() -> stranger.command("GET", "k")).hasMessageStartingWith("NOAUTH");
                stranger.command("AUTH", "app", "secret");
                assertThat(stranger.command("SET", "app:1", "v")).isEqualTo("OK");
                assertThatThrownBy(() -> stranger.command("GET", "other")).hasMessageStartingWith("NOPERM");
                assertThatThrownBy(() -> stranger.command("DEL", "app:1")).hasMessageStartingWith("NOPERM");
            }
            assertThat(server.command("GET", "app:1")).isEqualTo("v");
            assertThat(server.info("memory")).containsEntry("maxmemory_policy", "allkeys-lru");
            assertThat(server.url("app", "secret")).isEqualTo("redis://app:secret@127.0.0.1:" + server.port());
        }
    }

    @Test
    void aReplicaFollows() {
        try (RedisServer primary = RedisServer.start();
                RedisServer replica =
                        RedisServer.options().replicaOf(primary.port()).start()) {
            primary.command("SET", "k", "v");
            TestTimeouts.until("the replica has it", () -> "v".equals(replica.command("GET", "k")));
            assertThatThrownBy(() -> replica.command("SET", "k", "w")).hasMessageStartingWith("READONLY");
        }
    }

    @Test
    void speaksTlsUnderTheNamesOfItsCertificateOnly(@TempDir Path folder) throws Exception {
        TlsMaterial tls = TlsMaterial.create(folder, "localhost", "redis.test");
        try (RedisServer server = RedisServer.options().tls(tls).start()) {
            assertThat(ping(tls, server.tlsPort(), "localhost")).isEqualTo("+PONG");
            assertThat(ping(tls, server.tlsPort(), "redis.test")).isEqualTo("+PONG");
            assertThatThrownBy(() -> ping(tls, server.tlsPort(), "other.test"))
                    .isInstanceOf(SSLHandshakeException.class);
            assertThat(server.tlsUrl("localhost")).isEqualTo("rediss://localhost:" + server.tlsPort());
        }
    }

    /** The socket is connected by address; the name is what the certificate is checked against. */
    private static String ping(TlsMaterial tls, int port, String name) throws IOException {
        try (var plain = new Socket("127.0.0.1", port);
                var socket = (SSLSocket) tls.clientContext().getSocketFactory().createSocket(plain, name, port, true)) {
            var parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void fiveAtOnce() {
        List<RedisServer> servers = Stream.generate(RedisServer::start).limit(5).toList();
        try {
            assertThat(servers.stream().map(RedisServer::port).distinct()).hasSize(5);
            assertThat(servers)
                    .allSatisfy(server -> assertThat(server.command("PING")).isEqualTo("PONG"));
        } finally {
            RedisServer.closeAll(servers);
        }
    }

    @Test
    void diesWithTheJvmThatStartedIt() {
        try (ChildJvm child = ChildJvm.start(ServerProgram.class)) {
            long pid = Long.parseLong(child.receive());
            assertThat(isRunning(pid)).isTrue();
            child.kill();
            TestTimeouts.until("the server is dead too", () -> !isRunning(pid));
        }
    }

    /** A zombie that nobody collects is dead as well. */
    private static boolean isRunning(long pid) {
        try {
            return !Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    void aSettingThatTheServerDoesNotKnowIsToldInItsOwnWords() {
        assertThatThrownBy(
                        () -> RedisServer.options().set("no-such-setting", "1").start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no-such-setting");
    }

    @Test
    void aMachineWithoutAServerIsTold() {
        assertThatThrownBy(() -> RedisBinary.unpack("SunOS", "sparc"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("There is no Redis server for SunOS on sparc on the class path (looked for"
                        + " redis-server-7.0.15-sunos-sparc of org.signal:embedded-redis); add that artifact, or set"
                        + " LOCKKEEPER_REDIS_SERVER to the path of a redis-server");
        assertThatThrownBy(() -> RedisBinary.named("/nowhere/redis-server"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("No program is at /nowhere/redis-server");
    }

    @Test
    void theProgramIsUnpackedOnce() throws Exception {
        Path first = RedisBinary.unpack(System.getProperty("os.name"), System.getProperty("os.arch"));
        Object key = Files.readAttributes(first, "unix:ino").get("ino");
        Path second = RedisBinary.unpack(System.getProperty("os.name"), System.getProperty("os.arch"));
        assertThat(second).isEqualTo(first);
        assertThat(Files.readAttributes(second, "unix:ino").get("ino")).isEqualTo(key);
    }
}
