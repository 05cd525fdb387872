package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLatch;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Fencing;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.UnsupportedFeatureException;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.memory.MemoryFaults;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The snippets do what the documents say, on the stores that need no server. */
@Timeout(60)
final class SnippetsTest {

    @TempDir
    private Path folder;

    private final List<Lockkeeper> keepers = new ArrayList<>();

    private Lockkeeper open(String store) {
        Lockkeeper keeper = Lockkeeper.connect(store.equals("file") ? "file:" + folder : "memory:" + folder);
        keepers.add(keeper);
        return keeper;
    }

    @AfterEach
    void close() {
        keepers.forEach(Lockkeeper::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "file"})
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
    @ValueSource(strings = {"memory", "file"})
    void asynchronousForms(String store) throws Exception {
        Snippets snippets = new Snippets(open(store));
        assertThat(snippets.asynchronously().get(60, TimeUnit.SECONDS)).startsWith("done under token ");
        assertThat(snippets.asynchronousLambda().get(60, TimeUnit.SECONDS)).startsWith("done under token ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "file"})
    void readersWritersPermitsSegmentsAndElections(String store) throws Exception {
        Snippets snippets = new Snippets(open(store));
        snippets.readWrite();
        snippets.permits();
        snippets.severalAndSegments(open(store));
        snippets.election();
        snippets.looking();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "file"})
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

    @Test
    void aStickyLockIsKeptUntilSomebodyElseAsks() throws Exception {
        Lockkeeper keeper = open("memory");
        new Snippets(keeper).sticky(List.of("one", "two", "three"));
        assertThat(keeper.inspect("ledger")).isPresent();
        try (ExclusiveHold other = open("memory").lock("ledger").acquire()) {
            assertThat(other.token()).isGreaterThan(3);
        }
    }

    @Test
    void fairAndPortableLocks() throws Exception {
        Snippets snippets = new Snippets(open("memory"));
        snippets.fenced(Fencing.inMemory());
        snippets.portable(open("memory"));
        assertThat(keepers.get(0).inspect("orders/42")).isEmpty();
    }

    @Test
    void aQuorumGrantsWhileAMinorityIsOutOfReach() throws Exception {
        MemoryBackend down = MemoryBackend.create();
        Lockkeeper keeper = Snippets.quorum(down, MemoryBackend.create(), MemoryBackend.create());
        keepers.add(keeper);
        down.faults().failing(MemoryFaults.Fault.BEFORE);
        List<Long> tokens = new ArrayList<>();
        new Snippets(keeper).byHandle((entry, token) -> tokens.add(token));
        new Snippets(keeper).byHandle((entry, token) -> tokens.add(token));
        assertThat(tokens.get(1)).isGreaterThan(tokens.get(0));
        new Snippets(keeper).readWrite();
        new Snippets(keeper).permits();
    }

    @Test
    void whatAStoreCanNotDoIsRefusedWithTheNamesOfThoseThatCan() {
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
            public void acquired(
                    io.lockkeeper.Resource resource, long token, java.time.Duration waited, boolean handedOn) {
                tokens.add(token);
            }
        };
        try (Lockkeeper keeper = Lockkeeper.builder().listener(listener).connect("memory:")) {
            keeper.lock("orders/42").run(hold -> assertThat(tokens).containsExactly(hold.token()));
        }
    }
}
