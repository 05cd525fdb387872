package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLatch;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Fencing;
import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.Permit;
import io.lockkeeper.Resource;
import io.lockkeeper.UnsupportedFeatureException;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.memory.MemoryFaults;
import io.lockkeeper.quorum.Quorum;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.testkit.redis.RedisServer;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The snippets do what the documents say, on each kind of store that they can be used on. */
@Timeout(60)
final class SnippetsTest {

    private static RedisServer redis;

    @BeforeAll
    static void startServer() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        redis.close();
    }

    @TempDir
    private Path folder;

    private final List<Lockkeeper> keepers = new ArrayList<>();

    private Lockkeeper open(String store) {
        Lockkeeper keeper = Lockkeeper.connect(url(store));
        keepers.add(keeper);
        return keeper;
    }

    /** A store of this case alone. */
    private String url(String store) {
        return switch (store) {
            case "file" -> "file:" + folder;
            case "redis" -> redis.url() + "?prefix=" + folder.getFileName();
            default -> "memory:" + folder;
        };
    }

    @AfterEach
    void close() {
        keepers.forEach(Lockkeeper::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "file", "redis"})
    void locksByHandleByLambdaAndTheWayOfTheJdk(String store) throws Exception {
        Lockkeeper keeper = open(store);
        Snippets snippets = new Snippets(keeper);
        List<Long> tokens = new ArrayList<>();
        snippets.byHandle((entry, token) -> tokens.add(token));
        snippets.byHandle((entry, token) -> tokens.add(token));
        assertThat(tokens.get(1)).isGreaterThan(tokens.get(0));
        assertThat(snippets.withLimit()).isTrue();
        assertThat(snippets.withLambda()).isEqualTo(42);
        snippets.jdkWay();
        snippets.byOwner("request 1");
        snippets.leases();
        assertThat(keeper.list("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "file", "redis"})
    void asynchronousForms(String store) throws Exception {
        Snippets snippets = new Snippets(open(store));
        assertThat(snippets.asynchronously().get(60, TimeUnit.SECONDS)).startsWith("done under token ");
        assertThat(snippets.asynchronousLambda().get(60, TimeUnit.SECONDS)).startsWith("done under token ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "file", "redis"})
    void readersWritersPermitsSegmentsAndElections(String store) throws Exception {
        Snippets snippets = new Snippets(open(store));
        snippets.readWrite();
        snippets.permits();
        snippets.severalAndSegments(open(store));
        snippets.multiLockByThread((entry, token) -> assertThat(token).isPositive());
        snippets.election();
        snippets.looking();
        snippets.lookingAtPermits();
        GuideSetUp.open(url(store));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "file", "redis"})
    void aLatchThatOthersCountDown(String store) throws Exception {
        Lockkeeper keeper = open(store);
        DistributedLatch others = open(store).latch("import-2026-11-15");
        Thread two = new Thread(() -> {
            while (others.count() != 2) {
                Thread.onSpinWait();
            }
            others.countDown();
            others.countDown();
        });
        two.setDaemon(true);
        two.start();
        new Snippets(keeper).latch();
        two.join();
        assertThat(others.count()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "redis"})
    void aStickyLockIsKeptUntilSomebodyElseAsks(String store) throws Exception {
        Lockkeeper keeper = open(store);
        new Snippets(keeper).sticky();
        assertThat(keeper.inspect("ledger")).isPresent();
        try (ExclusiveHold other = open(store).lock("ledger").acquire()) {
            assertThat(other.token()).isGreaterThan(3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "redis"})
    void fairAndPortableLocks(String store) throws Exception {
        Snippets snippets = new Snippets(open(store));
        snippets.fenced(Fencing.inMemory());
        snippets.portable(open(store));
        assertThat(keepers.get(0).inspect("orders/42")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "redis"})
    void whatIsHeldIsSeenAndTakenAwayByWhatItIs(String store) throws Exception {
        Lockkeeper keeper = open(store);
        ExclusiveHold hold = keeper.lock("orders/42").acquire();
        Permit permit = keeper.semaphore("mail-server", 5).acquire();
        assertThat(keeper.inspect("mail-server")).isEmpty();
        assertThat(keeper.inspect(Resource.semaphore("mail-server"))).isPresent();
        new Snippets(open(store)).takenAway();
        assertThat(hold.lost().get(60, TimeUnit.SECONDS).reason()).isEqualTo(Loss.Reason.FORCED);
        assertThat(permit.lost().get(60, TimeUnit.SECONDS).reason()).isEqualTo(Loss.Reason.FORCED);
    }

    @Test
    void aGuardInRedisTakesTheWriteOfTheHolder() throws Exception {
        RedisSnippets.fenced(url("redis"));
        assertThat(redis.command("GET", "order:42:state")).isEqualTo("paid");
    }

    /** They name a folder below the one they run in, so they run in another process. */
    @Test
    void whatTheReadmeAndTheSettingsShow() throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                                .replace("\n", File.pathSeparator),
                        InAFolder.class.getName())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(program.waitFor()).as(said).isZero();
        assertThat(said).matches("paid under token \\d+\nsent\nopened\n");
        assertThat(folder.resolve("locks/lock")).isDirectory();
    }

    static final class InAFolder {
        private InAFolder() {}

        public static void main(String[] none) throws InterruptedException {
            Snippets.readme();
            Snippets.settings().close();
            System.out.println("opened");
        }
    }

    @Test
    void aQuorumGrantsWhileAMinorityIsOutOfReach() throws Exception {
        MemoryBackend down = MemoryBackend.create();
        down.faults().failing(MemoryFaults.Fault.BEFORE);
        List<Long> tokens = new ArrayList<>();
        Snippets.quorum(down, MemoryBackend.create(), MemoryBackend.create(), (entry, token) -> tokens.add(token));
        assertThat(tokens).hasSize(1);
    }

    @Test
    void aQuorumHasEveryPrimitiveThatItOffers() throws Exception {
        try (Quorum quorum =
                Snippets.quorumWithSettings(MemoryBackend.create(), MemoryBackend.create(), MemoryBackend.create())) {
            Lockkeeper keeper = Lockkeeper.of(quorum);
            keepers.add(keeper);
            List<Long> tokens = new ArrayList<>();
            new Snippets(keeper).byHandle((entry, token) -> tokens.add(token));
            new Snippets(keeper).byHandle((entry, token) -> tokens.add(token));
            assertThat(tokens.get(1)).isGreaterThan(tokens.get(0));
            new Snippets(keeper).readWrite();
            new Snippets(keeper).permits();
        }
    }

    @Test
    void theMembersOfAQuorumAreMadeBeforeTheyAreReached() {
        List<Backend> members = Snippets.members();
        assertThat(members).hasSize(3);
        members.forEach(Backend::close);
    }

    @Test
    void aMajorityOfLocksIsOfSeveralKeepers() throws Exception {
        MemoryBackend first = MemoryBackend.create();
        MemoryBackend second = MemoryBackend.create();
        MemoryBackend third = MemoryBackend.create();
        Snippets.majority(first, second, third);
        Lockkeeper c = Lockkeeper.of(third);
        keepers.add(c);
        assertThat(c.inspect("shop/orders/42")).isEmpty();
    }

    @Test
    void whatAStoreCannotDoIsRefusedWithTheNamesOfThoseThatCan() {
        Lockkeeper keeper = open("file");
        assertThatThrownBy(() -> keeper.fairLock("orders/42"))
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining("fair locks")
                .hasMessageContaining("memory");
    }

    @Test
    void theListenerIsTold() throws Exception {
        List<Long> tokens = new ArrayList<>();
        KeeperListener listener = new KeeperListener() {
            @Override
            public void acquired(KeeperEvent.Acquired event) {
                tokens.add(event.token());
            }
        };
        try (Lockkeeper keeper = Lockkeeper.builder().listener(listener).connect("memory:")) {
            keeper.lock("orders/42").run(hold -> assertThat(tokens).containsExactly(hold.token()));
        }
    }
}
