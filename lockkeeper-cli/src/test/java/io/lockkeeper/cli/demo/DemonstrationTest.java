package io.lockkeeper.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.cli.CliException;
import io.lockkeeper.cli.ExitCode;
import io.lockkeeper.testkit.redis.RedisServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
@Timeout(180)
class DemonstrationTest {

    @TempDir
    Path folder;

    private final StringWriter text = new StringWriter();

    @Test
    void oversellsWithoutALockAndWithTheBlogPostsButNotWithOurs() throws Exception {
        assertThat(play(Guard.LOCK)).isEqualTo(ExitCode.OK);
        assertThat(oversold("no lock")).isPositive();
        assertThat(oversold("the lock of a blog post")).isPositive();
        assertThat(oversold("Lockkeeper, one lock")).isZero();
        assertThat(oversold("Lockkeeper, 10 segments")).isZero();
        assertThat(oversold("killed, and its write arrives later")).isEqualTo(1);
        assertThat(oversold("the same, fenced")).isZero();
        assertThat(text.toString())
                .contains("times as fast", "refused: token ")
                .contains("exactly the stock was sold.\n", "unfenced, it oversold; fenced, its token was refused.\n")
                .endsWith("s)\n")
                .doesNotContain("FAILED");
    }

    @Test
    void aPausedSellerOutstaysItsLeaseAndIsRefusedByItsToken() throws Exception {
        try (RedisServer store = RedisServer.start()) {
            assertThat(demonstration(Guard.LOCK).play(store.url())).isEqualTo(ExitCode.OK);
        }
        assertThat(oversold("paused past its lease")).isEqualTo(1);
        assertThat(oversold("the same, fenced")).isZero();
    }

    /** In the default build the command is tried on PostgreSQL, where waiters are notified and need not poll. */
    @Test
    @Tag("full")
    void itMakesTheTablesInADatabase() throws Exception {
        assertThat(demonstration(Guard.LOCK).play("jdbc:sqlite:" + folder.resolve("locks.db")))
                .as(text.toString())
                .isEqualTo(ExitCode.OK);
        assertThat(oversold("Lockkeeper, one lock")).isZero();
        assertThat(oversold("the same, fenced")).isZero();
    }

    @Test
    void noticesWhenOurLockDoesNotLock() throws Exception {
        assertThat(play(Guard.NONE)).isEqualTo(ExitCode.FAILED);
        assertThat(text.toString())
                .contains("FAILED: Scene 3 sold", "FAILED: Scene 4 sold")
                .doesNotContain("exactly the stock");
    }

    @Test
    void refusesAStoreThatOtherProcessesCannotReach() {
        assertThatThrownBy(() -> demonstration(Guard.LOCK).play("memory:shop"))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("memory:");
    }

    private int play(Guard ourLock) throws Exception {
        return demonstration(ourLock).play("file:" + folder.resolve("locks"));
    }

    private Demonstration demonstration(Guard ourLock) {
        return new Demonstration(new PrintWriter(text), true, List.of(), ourLock);
    }

    /** The figure in the table's column. */
    private int oversold(String scene) {
        List<String> lines = text.toString().lines().toList();
        int heading = -1;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains("OVERSOLD")) {
                heading = i;
            }
        }
        int end = lines.get(heading).indexOf("OVERSOLD") + "OVERSOLD".length();
        String row = lines.stream()
                .skip(heading)
                .filter(line -> line.contains(scene))
                .findFirst()
                .orElseThrow();
        return Integer.parseInt(
                row.substring(end - "OVERSOLD".length(), end).strip().replace(",", ""));
    }
}
