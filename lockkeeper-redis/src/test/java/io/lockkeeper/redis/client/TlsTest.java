package io.lockkeeper.redis.client;

import static io.lockkeeper.redis.client.TestScripts.bytes;
import static io.lockkeeper.redis.client.TestScripts.count;
import static io.lockkeeper.redis.client.TestScripts.counts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.TlsMaterial;
import io.lockkeeper.testkit.redis.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections by TLS. */
class TlsTest {

    /** The first handshake of a JVM takes its time. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private TlsMaterial material;
    private RedisServer server;

    @BeforeEach
    void start(@TempDir Path folder) {
        material = TlsMaterial.create(folder, "localhost");
        server = RedisServer.options().tls(material).start();
    }

    @AfterEach
    void end() {
        server.close();
    }

    private Redis connect(String url) {
        return TestClients.connect(url, material.clientContext().getSocketFactory());
    }

    @Test
    void aServerWhoseNameIsInItsCertificateIsUsed() {
        try (Redis redis = connect(server.tlsUrl("localhost"))) {
            redis.check(TIMEOUT);
            assertThat(redis.run(count("n"), TIMEOUT)).isEqualTo(1L);
            assertThat(redis.runAll(counts("n", 2000), TIMEOUT)).hasSize(2000).endsWith(2001L);
            RecordingListener heard = new RecordingListener();
            try (Redis.Subscription subscription = redis.subscribe(bytes("channel"), heard)) {
                TestTimeouts.until("it is acknowledged", subscription::isActive);
                heard.untilItMadeSure(1, subscription, server);
                TestTimeouts.until("it hears", () -> {
                    server.command("PUBLISH", "channel", "secure");
                    return heard.messages.contains("secure");
                });
            }
        }
    }

    @Test
    void aServerOfAnotherNameIsRefused() {
        try (Redis redis = connect(server.tlsUrl("127.0.0.1"))) {
            assertThatExceptionOfType(RedisRefusedException.class)
                    .isThrownBy(() -> redis.check(TIMEOUT))
                    .withMessageContaining("127.0.0.1:" + server.tlsPort())
                    .withMessageContaining("is for another name")
                    .withMessageContaining("certificate for '127.0.0.1'");
        }
    }

    @Test
    void aCertificateOfAnUnknownAuthorityIsRefused() {
        try (Redis redis = TestClients.connect(server.tlsUrl("localhost"))) {
            assertThatExceptionOfType(RedisRefusedException.class)
                    .isThrownBy(() -> redis.check(TIMEOUT))
                    .withMessageContaining("is not trusted here")
                    .withMessageContaining("SSLContext");
        }
    }

    @Test
    void tlsToAPortWithoutItAndTheOtherWayRound() {
        try (Redis redis = connect("rediss://localhost:" + server.port())) {
            // Redis waits for the end of a line, which does not come.
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> redis.check(Duration.ofSeconds(2)))
                    .withMessageContaining("check that it runs, that it speaks TLS at this port");
        }
        try (Redis redis = connect("redis://localhost:" + server.tlsPort())) {
            assertThatExceptionOfType(LockkeeperException.class)
                    .isThrownBy(() -> redis.check(TIMEOUT))
                    .withMessageContaining("rediss://");
        }
    }

    @Test
    void aServerThatHangsIsGivenUp() {
        try (Redis redis = connect(server.tlsUrl("localhost"))) {
            redis.run(count("n"), TIMEOUT);
            server.pause();
            for (int i = 0; i < 2; i++) {
                assertThatExceptionOfType(StoreUnavailableException.class)
                        .isThrownBy(() -> redis.run(count("n"), Duration.ofSeconds(2)))
                        .withMessageContaining("in time");
            }
            server.resume();
            TestTimeouts.until("it is used again", () -> redis.run(count("n"), TIMEOUT) != null);
        }
    }

    /** A thread whose time is up before anything came leaves the connection to those who still wait on it. */
    @Test
    void aTimeoutBetweenRecordsLeavesTheConnectionAsItIs() {
        ConnectionSettings access =
                ConnectionSettings.of(null, 0, material.clientContext().getSocketFactory());
        SocketConnection connection =
                SocketConnection.open(new Address("localhost", server.tlsPort()), access, Deadline.in(TIMEOUT));
        server.pause();
        connection.send(count("n"), true);
        connection.flush();
        for (int i = 0; i < 3; i++) {
            connection.until(Deadline.in(Duration.ofMillis(20)));
            assertThatExceptionOfType(NoReplyException.class).isThrownBy(connection::fill);
            assertThat(connection.isBroken()).isFalse();
            assertThat(connection.isFree()).isFalse();
        }
        server.resume();

        connection.until(Deadline.in(TIMEOUT));
        assertThat(connection.receive()).isEqualTo(1L);
        assertThat(connection.isFree()).isTrue();
        connection.close();
    }

    /** The header of a record has come and its body has not: nobody could go on from there. */
    @Test
    void aTimeoutInsideARecordBreaksTheConnection() throws IOException {
        try (ServerSocket between = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            AtomicInteger allowed = new AtomicInteger(Integer.MAX_VALUE);
            Thread relay = new Thread(() -> relay(between, allowed), "relay");
            relay.setDaemon(true);
            relay.start();
            ConnectionSettings access =
                    ConnectionSettings.of(null, 0, material.clientContext().getSocketFactory());
            SocketConnection connection = SocketConnection.open(
                    new Address("localhost", between.getLocalPort()), access, Deadline.in(TIMEOUT));
            allowed.set(3);
            connection.send(count("n"), true);
            connection.flush();
            TestTimeouts.until("a part has come", () -> allowed.get() == 0);

            connection.until(Deadline.in(Duration.ofSeconds(1)));
            assertThatExceptionOfType(NoReplyException.class).isThrownBy(connection::fill);
            assertThat(connection.isBroken()).isTrue();
            connection.close();
        }
    }

    private void relay(ServerSocket between, AtomicInteger allowed) {
        try (Socket client = between.accept();
                Socket real = new Socket("127.0.0.1", server.tlsPort())) {
            Thread up = new Thread(
                    () -> {
                        try {
                            client.getInputStream().transferTo(real.getOutputStream());
                        } catch (IOException over) {
                            // The test is over.
                        }
                    },
                    "relay up");
            up.setDaemon(true);
            up.start();
            byte[] bytes = new byte[8192];
            for (int n = real.getInputStream().read(bytes);
                    n > 0;
                    n = real.getInputStream().read(bytes)) {
                int passed = Math.min(n, allowed.get());
                client.getOutputStream().write(bytes, 0, passed);
                allowed.updateAndGet(left -> left == Integer.MAX_VALUE ? left : left - passed);
            }
        } catch (IOException over) {
            // The test is over.
        }
    }
}
