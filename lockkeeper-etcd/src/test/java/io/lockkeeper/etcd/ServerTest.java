package io.lockkeeper.etcd;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.DistributedLatch;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.Permit;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.StaleTokenException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.TlsMaterial;
import io.lockkeeper.testkit.etcd.EtcdCtl;
import io.lockkeeper.testkit.etcd.EtcdServer;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers as administrators set them up, and what they do to them. */
@Timeout(120)
class ServerTest {

    private final String prefix = "v" + UUID.randomUUID().toString().replace("-", "");

    private static Lockkeeper connect(String url) {
        return Lockkeeper.builder().commandTimeout(Duration.ofSeconds(8)).connect(url);
    }

    private Lockkeeper shared() {
        return connect(Servers.shared().url() + "/" + prefix);
    }

    private static ExclusiveHold taken(Lockkeeper keeper, String name) {
        ExclusiveHold hold = keeper.lock(name).tryAcquire();
        assertThat(hold).as(name).isNotNull();
        return hold;
    }

    @Test
    void aUserWithARoleOnThePrefixCanDoAllThereIs() throws Exception {
        try (EtcdServer server = EtcdServer.start()) {
            server.ctl("user", "add", "root:r");
            server.ctl("user", "grant-role", "root", "root");
            server.ctl("role", "add", "locks");
            server.ctl("role", "grant-permission", "locks", "readwrite", "--prefix=true", "lockkeeper/");
            server.ctl("user", "add", "app:p@ss");
            server.ctl("user", "grant-role", "app", "locks");
            server.ctl("auth", "enable");
            String url = server.url().replace("://", "://app:p%40ss@");
            try (Lockkeeper keeper = connect(url);
                    Lockkeeper other = connect(url)) {
                useAll(keeper, other);
                // The tokens of users are forgotten by a restart.
                server.restart();
                useAll(keeper, other);
            }
            assertThatThrownBy(() -> connect(url + "/elsewhere"))
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining("readwrite");
            assertThatThrownBy(() -> connect(server.url()))
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining("etcd://user:password@host:2379");
            assertThatThrownBy(() -> connect(server.url().replace("://", "://app:wrong@")))
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining("check them")
                    .hasMessageNotContaining("wrong");
        }
    }

    private static void useAll(Lockkeeper keeper, Lockkeeper other) throws Exception {
        String name = UUID.randomUUID().toString();
        try (ExclusiveHold hold = keeper.lock(name).acquire()) {
            CompletableFuture<ExclusiveHold> next = other.lock(name).acquireAsync();
            hold.close();
            next.get(30, TimeUnit.SECONDS).close();
        }
        try (Permit permits = keeper.semaphore(name, 3).acquire(2)) {
            assertThat(permits.permits()).isEqualTo(2);
        }
        DistributedLatch latch = keeper.latch(name);
        assertThat(latch.trySetCount(1)).isTrue();
        CompletableFuture<?> open = other.latch(name).awaitAsync();
        latch.countDown();
        open.get(30, TimeUnit.SECONDS);
        ExclusiveHold fixed =
                keeper.lock(name).withFixedLease(Duration.ofMinutes(1)).acquire();
        assertThat(other.forceRelease(name)).isTrue();
        until("it is told", () -> fixed.lost().isDone());
    }

    @Test
    void withoutTheGatewayTheErrorSaysWhatToTurnOn() {
        try (EtcdServer server =
                EtcdServer.options().argument("--enable-grpc-gateway=false").start()) {
            assertThatThrownBy(() -> connect(server.url()))
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining("--enable-grpc-gateway");
        }
    }

    @Test
    void aServerWithoutSpaceRefusesLocksAndReleasesThem() {
        try (EtcdServer server = EtcdServer.options().quota(2_000_000).start();
                Lockkeeper keeper = connect(server.url())) {
            ExclusiveHold hold = taken(keeper, "a");
            String large = "x".repeat(300_000);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            server.admin().put("fill" + i, large);
                        }
                    })
                    .hasMessageContaining("space");
            assertThatThrownBy(() -> keeper.lock("b").tryAcquire())
                    .isInstanceOf(ClaimRefusedException.class)
                    .hasMessageContaining("etcdctl alarm disarm");
            assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
            server.admin().delete("fill");
            server.admin().compact();
            server.ctl("defrag");
            server.ctl("alarm", "disarm");
            taken(keeper, "b").close();
        }
    }

    @Test
    void aCompactionDuringAWaitDoesNoHarm() throws Exception {
        try (Lockkeeper keeper = shared();
                Lockkeeper other = shared()) {
            ExclusiveHold hold = taken(keeper, "a");
            CompletableFuture<ExclusiveHold> next = other.lock("a").acquireAsync();
            until("it waits", () -> keeper.inspect("a").orElseThrow().waiting() == 1);
            Servers.shared().admin().compact();
            hold.close();
            next.get(30, TimeUnit.SECONDS).close();
        }
    }

    @Test
    void theHostNameOfASecuredServerIsChecked(@TempDir Path folder) throws Exception {
        TlsMaterial good = TlsMaterial.create(Files.createDirectory(folder.resolve("good")), "localhost");
        TlsMaterial wrong = TlsMaterial.create(Files.createDirectory(folder.resolve("wrong")), "elsewhere.example");
        try (EtcdServer server = EtcdServer.options().tls(good).start();
                EtcdServer other = EtcdServer.options().tls(wrong).start()) {
            EtcdBackend backend = EtcdBackend.builder()
                    .url(server.url().replace("127.0.0.1", "localhost"))
                    .sslContext(good.clientContext())
                    .build();
            try (Lockkeeper keeper = Lockkeeper.of(backend)) {
                taken(keeper, "a").close();
            }
            EtcdBackend elsewhere = EtcdBackend.builder()
                    .url(other.url())
                    .sslContext(wrong.clientContext())
                    .build();
            assertThatThrownBy(() -> Lockkeeper.of(elsewhere))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("certificate");
        }
    }

    @Test
    void withTwoServersNamedOneMayBeAway() throws Exception {
        FaultProxy proxy = FaultProxy.to(Servers.shared().port());
        String url = "etcd://127.0.0.1:" + proxy.port() + "," + Servers.shared().address() + "/" + prefix;
        try (Lockkeeper keeper = connect(url);
                Lockkeeper other = shared()) {
            ExclusiveHold kept = taken(keeper, "kept");
            proxy.close();
            ExclusiveHold hold = keeper.lock("a").acquire();
            CompletableFuture<ExclusiveHold> next = other.lock("a").acquireAsync();
            hold.close();
            next.get(30, TimeUnit.SECONDS).close();
            kept.ensureHeld();
            kept.close();
        }
    }

    @Test
    void etcdctlLockAndOursExcludeEachOther() throws Exception {
        try (Lockkeeper keeper = shared()) {
            String key = prefix + "/q/lock/orders";
            ExclusiveHold hold = taken(keeper, "orders");
            Process waiting = EtcdCtl.start(Servers.shared().address(), "lock", key);
            until("it waits", () -> keeper.inspect("orders").orElseThrow().waiting() == 1);
            assertThat(waiting.isAlive()).isTrue();
            hold.close();
            try (BufferedReader printed = waiting.inputReader(StandardCharsets.UTF_8)) {
                assertThat(printed.readLine()).as("the key that it has then").startsWith(key);
            }
            assertThat(keeper.lock("orders").tryAcquire()).isNull();
            CompletableFuture<ExclusiveHold> next = keeper.lock("orders").acquireAsync();
            until("we wait", () -> keeper.inspect("orders").orElseThrow().waiting() == 1);
            new ProcessBuilder("kill", "-INT", Long.toString(waiting.pid()))
                    .start()
                    .waitFor();
            next.get(30, TimeUnit.SECONDS).close();
            waiting.waitFor();
        }
    }

    @Test
    void aGuardRefusesTheStaleAndWritesInOneStep() throws Exception {
        EtcdBackend backend = EtcdBackend.of(Servers.shared().url() + "/" + prefix);
        try (Lockkeeper keeper = Lockkeeper.of(backend);
                Admin admin = new Admin(Servers.shared().port(), prefix)) {
            EtcdFencing guard = backend.fencing();
            ExclusiveHold stale = taken(keeper, "a");
            String data = prefix + "data/account";
            guard.admit(data, stale);
            guard.write(data, "one", stale);
            keeper.forceRelease("a");
            try (ExclusiveHold next = keeper.lock("a").acquire()) {
                guard.write(data, "two", next);
                assertThatThrownBy(() -> guard.write(data, "three", stale)).isInstanceOf(StaleTokenException.class);
                assertThatThrownBy(() -> guard.admit(data, stale)).isInstanceOf(StaleTokenException.class);
                guard.admit(data, next);
            }
            assertThat(admin.keys(data))
                    .singleElement()
                    .satisfies(key -> assertThat(key.value()).isEqualTo("two"));
        } finally {
            backend.close();
        }
    }
}
