package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.LeaderElection;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Permit;
import io.lockkeeper.memory.MemoryBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the page about other libraries says can be written here does what it says. */
@Timeout(60)
final class MigrationTest {

    private static final Path PAGE = Path.of("../docs/migration.md");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** Code in the right column that is named and not written out. */
    private static final List<String> NAMES = List.of(
            "Fencing.inMemory()",
            "RedisFencing",
            "KeeperListener.storeStateChanged",
            "java.util.concurrent.locks.Lock",
            "Lock");

    private final MemoryBackend store = MemoryBackend.create();
    private final Lockkeeper keeper = Lockkeeper.of(store);
    private final Lockkeeper other = Lockkeeper.of(store);
    private final Migration migration = new Migration(keeper);

    @AfterEach
    void close() {
        keeper.close();
        other.close();
    }

    @Test
    void whatThePageUsesIsThere() {
        Migration.setUp("memory:");
    }

    @Test
    void theRightColumnsAreCompiled() throws IOException {
        String source = withoutSpace(Files.readString(Path.of("src/main/java/io/lockkeeper/examples/Migration.java")));
        List<String> missing = new ArrayList<>();
        int rows = 0;
        for (String line : Files.readAllLines(PAGE)) {
            String[] cells = line.split("(?<!\\|) \\| ");
            if (line.startsWith("| `") && cells.length == 2) {
                rows++;
                CODE.matcher(cells[1])
                        .results()
                        .map((MatchResult found) -> found.group(1))
                        .filter(code -> !NAMES.contains(code) && !source.contains(withoutSpace(code)))
                        .forEach(missing::add);
            }
        }
        assertThat(missing).isEmpty();
        assertThat(rows).isGreaterThan(20);
    }

    private static String withoutSpace(String code) {
        return code.replaceAll("\\s+", "");
    }

    @Test
    void locksAndPermits() throws Exception {
        assertThat(migration.locks("orders")).isTrue();
        migration.asynchronous("orders", "request 7").get(30, TimeUnit.SECONDS);
        assertThat(keeper.lock("orders").isLocked()).isFalse();
        assertThat(migration.permits("pool")).as("none left, of eight").isEqualTo(8);
        assertThat(migration.permitsById("pool", other)).isTrue();
        assertThat(migration.extended("orders")).isTrue();
        try (Permit permit = migration.uninterruptibly(keeper.semaphore("pool"))) {
            assertThat(permit.permits()).isEqualTo(1);
        }
        migration.recipes("gate");
    }

    @Test
    void elections() throws Exception {
        assertThat(migration.leaderLatch("leader")).isEqualTo(1);
        var worked = new CountDownLatch(1);
        try (LeaderElection election = migration.selector("scheduler", worked::countDown)) {
            worked.await();
            assertThat(election.id()).isEqualTo("node-7");
        }
    }

    @Test
    void scheduledOnce() {
        assertThat(migration.scheduled(() -> {})).isTrue();
        assertThat(migration.scheduled(() -> {})).isFalse();
    }

    @Test
    void listening() {
        try (Lockkeeper listening = Migration.listening("memory:", () -> {}, () -> {})) {
            assertThat(listening.inspect("orders")).isEmpty();
        }
    }
}
