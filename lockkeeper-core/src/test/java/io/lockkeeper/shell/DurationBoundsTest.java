package io.lockkeeper.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Overdue;
import io.lockkeeper.memory.MemoryBackend;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The shortest and longest durations that are accepted. */
class DurationBoundsTest {

    @Test
    void aLeaseLongerThanTheStoreAllowsIsRefusedWhenTheKeeperIsOpened() {
        assertThatThrownBy(() -> Lockkeeper.builder().lease(Duration.ofDays(2)).open(MemoryBackend.create()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2d")
                .hasMessageContaining("1d");
    }

    @Test
    void aLongestHoldOfAThousandYearsIsNoLimit() throws Exception {
        try (Lockkeeper keeper = Lockkeeper.of(MemoryBackend.create());
                ExclusiveHold hold = keeper.lock("kept")
                        .withMaxHold(Duration.ofDays(365_250), Overdue.LOSE)
                        .acquire()) {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void aWaitOfAThousandYearsIsAWaitForever() throws Exception {
        try (Lockkeeper keeper = Lockkeeper.of(MemoryBackend.create());
                ExclusiveHold hold = keeper.lock("free").tryAcquire(Duration.ofDays(365_250))) {
            assertThat(hold).isNotNull();
        }
    }
}
