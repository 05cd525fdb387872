package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.memory.MemoryBackend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the guide shows of operating does what it says. */
final class OperatingSnippetsTest {

    private final MemoryBackend store = MemoryBackend.create();
    private final Lockkeeper keeper = Lockkeeper.of(store);
    private final Lockkeeper other = Lockkeeper.of(store);
    private final OperatingSnippets snippets = new OperatingSnippets(keeper);

    @AfterEach
    void end() {
        other.close();
        keeper.close();
    }

    @Test
    void aFixedLeaseIsExtended() throws Exception {
        snippets.extending();
        assertThat(keeper.list("")).isEmpty();
    }

    @Test
    void aRequestOwnsALockByItsId() {
        assertThat(snippets.byRequest(
                        "r1",
                        () -> assertThat(new OperatingSnippets(other).byRequest("r2", () -> {}))
                                .isFalse()))
                .isTrue();
        assertThat(keeper.list("")).isEmpty();
    }

    @Test
    void aLazyKeeperIsAKeeper() throws Exception {
        try (Lockkeeper early = OperatingSnippets.early("memory:");
                ExclusiveHold hold = early.lock("a").acquire()) {
            hold.ensureHeld();
        }
    }

    @Test
    void aWaitMayFailWhenItIsOver() throws Exception {
        snippets.orFail();
        assertThat(keeper.list("")).isEmpty();
    }

    @Test
    void permitsAreReleasedByTheirId() throws Exception {
        assertThat(snippets.permitsById(other)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(keeper.list("")).isEmpty();
    }
}
