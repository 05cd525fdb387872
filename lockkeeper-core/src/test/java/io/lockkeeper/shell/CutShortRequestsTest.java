package io.lockkeeper.shell;

import static io.lockkeeper.shell.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.spi.Answer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A caller that is cut short in the middle of a request still reports the reply: otherwise the claim would count as being under
 * way forever, and its grant would stay in the store. The clocks stand still, so no lease ends and hides that.
 */
class CutShortRequestsTest {

    private final HandClocks clocks = new HandClocks();
    private final ScriptedBackend backend = new ScriptedBackend(MemoryBackend.create(clocks));
    private final KeeperCore core = new KeeperCore(backend, Settings.DEFAULT.withClocks(clocks));
    private final LiveKeeper keeper = new LiveKeeper(core, false);

    @AfterEach
    void close() {
        keeper.close();
    }

    /** The store executes the first attempt, then this happens to its caller. */
    private void afterTheFirstAttempt(Runnable event) {
        AtomicBoolean happened = new AtomicBoolean();
        backend.attempt = (claim, store) -> {
            Answer answer = store.apply(claim);
            if (happened.compareAndSet(false, true)) {
                event.run();
            }
            return answer;
        };
    }

    private void isAcquiredAgainAndForgotten() {
        ExclusiveHold hold =
                keeper.lock("a").acquireAsync().orTimeout(10, TimeUnit.SECONDS).join();
        assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
        eventually("nothing is under way", () -> core.slots().isEmpty());
    }

    @Test
    void anErrorOfTheStoreDoesNotLeaveTheResourceUnasked() {
        afterTheFirstAttempt(() -> {
            throw new StackOverflowError("planted");
        });

        assertThatThrownBy(() -> keeper.lock("a").acquire()).isInstanceOf(StackOverflowError.class);

        isAcquiredAgainAndForgotten();
    }

    @Test
    void anInterruptDuringARequestDoesNotLeaveTheResourceUnasked() {
        afterTheFirstAttempt(() -> Thread.currentThread().interrupt());

        assertThatThrownBy(() -> keeper.lock("a").acquire()).isInstanceOf(InterruptedException.class);

        isAcquiredAgainAndForgotten();
    }
}
