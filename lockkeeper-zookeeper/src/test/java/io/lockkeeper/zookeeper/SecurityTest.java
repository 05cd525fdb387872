package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.ChildJvm;
import io.lockkeeper.testkit.Ports;
import io.lockkeeper.testkit.zookeeper.ZookeeperServer;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Users, encrypted connections, and servers that only read. */
@Timeout(180)
class SecurityTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String root = "/t" + UUID.randomUUID().toString().replace("-", "");

    @TempDir
    Path folder;

    private static UnaryOperator<List<String>> with(String... options) {
        return command -> {
            List<String> changed = new ArrayList<>(command);
            changed.addAll(1, List.of(options));
            return changed;
        };
    }

    private static UnaryOperator<List<String>> withoutNetty(String... options) {
        return command -> {
            List<String> changed = new ArrayList<>(with(options).apply(command));
            int at = changed.indexOf("-cp") + 1;
            changed.set(
                    at,
                    Arrays.stream(changed.get(at).split(File.pathSeparator))
                            .filter(entry -> !entry.contains("netty"))
                            .collect(Collectors.joining(File.pathSeparator)));
            return changed;
        };
    }

    /** All nodes below that one, and itself. */
    private static List<String> all(ZooKeeper client, String path) throws Exception {
        List<String> paths = new ArrayList<>(List.of(path));
        for (String child : client.getChildren(path, false)) {
            paths.addAll(all(client, path + "/" + child));
        }
        return paths;
    }

    @Test
    void withAUserNoNodeAtAllIsOpenToOthers() throws Exception {
        String servers = Servers.shared().address();
        try (Lockkeeper keeper = Lockkeeper.connect("zk://shop:secret@" + servers + root);
                ExclusiveHold hold = keeper.lock("a").acquire();
                ZooKeeper admin = Observer.connect(servers, 30_000)) {
            keeper.semaphore("seats", 3).acquire();
            keeper.latch("ready").trySetCount(2);
            keeper.latch("ready").countDown();
            keeper.requests().tryLock("b", "request-1", Duration.ofMinutes(1));
            String id = keeper.lock("c").portable().acquire().id();
            try (Lockkeeper other = Lockkeeper.connect("zk://shop:secret@" + servers + root)) {
                other.release("c", id);
                admin.addAuthInfo("digest", "shop:secret".getBytes(java.nio.charset.StandardCharsets.UTF_8));
                List<String> paths = all(admin, root);
                assertThat(paths).hasSizeGreaterThan(15).anyMatch(path -> path.contains("/released/"));
                for (String path : paths) {
                    for (ACL acl : admin.getACL(path, null)) {
                        assertThat(acl.getId().getScheme()).as(path).isEqualTo("digest");
                    }
                }
            }
            assertThat(hold.token()).isPositive();
        }
    }

    @Test
    void usersCannotTouchEachOthersRoots() throws Exception {
        String servers = Servers.shared().address();
        try (Lockkeeper ours = Lockkeeper.connect("zk://shop:secret@" + servers + root);
                Lockkeeper theirs = Lockkeeper.connect("zk://bank:other@" + servers + root + "b");
                ExclusiveHold hold = ours.lock("a").acquire();
                ExclusiveHold other = theirs.lock("a").acquire()) {
            assertThat(theirs.forceRelease("a")).isTrue();
            assertThat(ours.inspect("a").orElseThrow().grants()).hasSize(1);
            assertThatThrownBy(() -> Lockkeeper.connect("zk://bank:other@" + servers + root))
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining("does not allow this user")
                    .hasMessageNotContaining("other");
            assertThat(hold.token()).isNotEqualTo(other.token());
        }
    }

    @Test
    void aUserOfSaslHasNodesThatOthersCannotRead() throws Exception {
        Path server = folder.resolve("server.jaas");
        Files.writeString(
                server,
                "Server { org.apache.zookeeper.server.auth.DigestLoginModule required user_shop=\"secret\"; };\n");
        Path client = folder.resolve("client.jaas");
        Files.writeString(
                client,
                "Client { org.apache.zookeeper.server.auth.DigestLoginModule required username=\"shop\""
                        + " password=\"secret\"; };\n");
        try (ZookeeperServer zookeeper = ZookeeperServer.start(
                "authProvider.1=org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
                "-Dzookeeper.fips-mode=false",
                "-Djava.security.auth.login.config=" + server)) {
            String url = "zk://" + zookeeper.address() + root;
            try (ChildJvm holder = ChildJvm.start(
                            with("-Dzookeeper.fips-mode=false", "-Djava.security.auth.login.config=" + client),
                            SecureProgram.class,
                            url,
                            "creator");
                    ZooKeeper nobody = Observer.connect(zookeeper.address(), 30_000)) {
                assertThat(holder.receive(PATIENCE)).startsWith("held ");
                String queue = new Layout(root).queue(Resource.lock("a"));
                assertThatThrownBy(() -> nobody.getChildren(queue, false))
                        .isInstanceOf(KeeperException.NoAuthException.class);
                assertThatThrownBy(() -> Lockkeeper.connect(url))
                        .isInstanceOf(LockkeeperException.class)
                        .hasMessageContaining("does not allow this user");
            }
            // In its FIPS mode, which is the default, the client has no DIGEST-MD5.
            try (ChildJvm refused = ChildJvm.start(
                    with("-Djava.security.auth.login.config=" + client), SecureProgram.class, url, "creator")) {
                assertThat(refused.receive(PATIENCE)).startsWith("failed ZooKeeper's client could not authenticate");
            }
        }
    }

    private void keytool(Path store, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                "secret-store",
                "-alias",
                "server"));
        command.addAll(1, List.of(arguments));
        Process tool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(tool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(tool.exitValue())
                .as(Files.readString(folder.resolve("keytool.log")))
                .isZero();
    }

    @Test
    void anEncryptedConnectionNeedsNettyAndSaysSo() throws Exception {
        Path keys = folder.resolve("keys.p12");
        Path trusted = folder.resolve("trusted.p12");
        String certificate = folder.resolve("certificate").toString();
        keytool(
                keys,
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost");
        keytool(keys, "-exportcert", "-file", certificate);
        keytool(trusted, "-importcert", "-noprompt", "-file", certificate);
        int secure = Ports.free();
        String[] settings = {
            "-Dzookeeper.client.secure=true",
            "-Dzookeeper.ssl.trustStore.location=" + trusted,
            "-Dzookeeper.ssl.trustStore.password=secret-store"
        };
        try (ZookeeperServer zookeeper = ZookeeperServer.start(
                "secureClientPort=" + secure,
                "secureClientPortAddress=127.0.0.1",
                "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                "ssl.keyStore.location=" + keys,
                "ssl.keyStore.password=secret-store",
                "ssl.clientAuth=none")) {
            String url = "zk://127.0.0.1:" + secure + root;
            try (ChildJvm holder = ChildJvm.start(with(settings), SecureProgram.class, url)) {
                assertThat(holder.receive(PATIENCE)).startsWith("held ");
                try (Lockkeeper clear = Lockkeeper.connect("zk://" + zookeeper.address() + root)) {
                    assertThat(clear.lock("a").tryAcquire()).isNull();
                }
            }
            try (ChildJvm without = ChildJvm.start(withoutNetty(settings), SecureProgram.class, url)) {
                assertThat(without.receive(PATIENCE))
                        .startsWith(
                                "failed An encrypted connection to ZooKeeper needs Netty; add io.netty:netty-handler");
            }
            // Three jars are enough in clear text.
            try (ChildJvm plain = ChildJvm.start(
                    withoutNetty(), SecureProgram.class, "zk://" + zookeeper.address() + root + "plain")) {
                assertThat(plain.receive(PATIENCE)).startsWith("held ");
            }
        }
    }

    @Test
    void aServerThatOnlyReadsGrantsNoLock() throws Exception {
        // One of two servers, so it never has a majority.
        try (ZookeeperServer server = ZookeeperServer.start(
                        "#id 1",
                        "initLimit=10",
                        "syncLimit=10",
                        "localSessionsEnabled=true",
                        "server.1=127.0.0.1:" + Ports.free() + ":" + Ports.free(),
                        "server.2=127.0.0.1:" + Ports.free() + ":" + Ports.free(),
                        "-Dreadonlymode.enabled=true");
                ZooKeeper reading =
                        new ZooKeeper(server.address(), 10_000, event -> {}, true, new Clients.PlainConfig())) {
            io.lockkeeper.testkit.TestTimeouts.until(
                    "it reads", () -> reading.getState() == ZooKeeper.States.CONNECTEDREADONLY);
            assertThatThrownBy(() -> Lockkeeper.connect("zk://" + server.address() + root))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("one that only reads grants no lock");
            assertThatThrownBy(() -> Lockkeeper.of(ZookeeperBackend.builder()
                            .client(() -> reading)
                            .root(root)
                            .build()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("only reads and so grants no lock");
        }
    }
}
