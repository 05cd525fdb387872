package io.lockkeeper.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.cli.Eventually;
import io.lockkeeper.memory.MemoryBackend;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
@Timeout(180)
class LostLockTest {

    @TempDir
    Path folder;

    @Test
    void theCommandEndsWhenTheStoreHasItsLockNoMore() throws Exception {
        MemoryBackend backend = MemoryBackend.create();
        try (Lockkeeper keeper = Lockkeeper.of(backend)) {
            ExclusiveHold hold =
                    keeper.lock("x").withLease(Duration.ofSeconds(6)).acquire();
            Path file = folder.resolve("pid");
            GuardedCommand command = new GuardedCommand(
                    List.of("sh", "-c", "echo $$ >" + file + "; exec sleep 600"), Duration.ofSeconds(5));
            CompletableFuture<Long> losing = CompletableFuture.supplyAsync(
                    () -> {
                        long pid = Eventually.pid(file);
                        backend.faults().loseGrants();
                        return pid;
                    },
                    work -> new Thread(work, "losing").start());
            assertThat(command.run(hold, Signals.none())).isEmpty();
            assertThat(Eventually.runs(losing.get())).isFalse();
            assertThat(hold.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
        }
    }
}
