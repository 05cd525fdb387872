package io.lockkeeper.shell;

import static io.lockkeeper.shell.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Loss;
import io.lockkeeper.memory.MemoryBackend;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Futures of a loss: what was dropped leaves nothing behind, what is kept is told once. */
class LossNoticeTest {

    private final KeeperCore core = new KeeperCore(MemoryBackend.create(), Settings.DEFAULT);
    private final LiveKeeper keeper = new LiveKeeper(core, false);

    @AfterEach
    void close() {
        keeper.close();
    }

    @Test
    void aLoopThatAsksForAFutureInEachRoundPilesNothingUp() throws InterruptedException {
        try (LiveHold hold = (LiveHold) keeper.lock("a").acquire()) {
            for (int i = 0; i < 1000; i++) {
                assertThat(hold.lost()).isNotDone();
            }
            CompletableFuture<Loss> kept = hold.lost();
            eventually("only what is kept is left", () -> {
                System.gc();
                return hold.word().futures() == 1;
            });
            assertThat(kept).isNotDone();
        }
    }

    @Test
    void eachFutureIsTold() throws Exception {
        LiveHold hold = (LiveHold) keeper.lock("a").acquire();
        CompletableFuture<Loss> cancelled = hold.lost();
        CompletableFuture<Loss> kept = hold.lost();
        cancelled.cancel(false);

        core.lose(hold.holding(), Loss.Reason.TAKEN);

        assertThat(kept.get(30, TimeUnit.SECONDS).reason()).isEqualTo(Loss.Reason.TAKEN);
        assertThat(hold.lost().get(30, TimeUnit.SECONDS)).isEqualTo(kept.join());
        assertThat(cancelled).isCancelled();
        // They are told one by one and forgotten after that.
        eventually("those that were told are forgotten", () -> hold.word().futures() <= 1);
    }
}
