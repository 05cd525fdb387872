package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.memory.MemoryFaults;
import io.lockkeeper.testkit.ManualClocks;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How to test code that uses locks. The guide quotes from here. */
@Timeout(60)
final class TestingWithLocksTest {

    @Test
    void timePassesWhenToldTo() throws Exception {
        ManualClocks clocks = new ManualClocks();
        MemoryBackend store = MemoryBackend.create(clocks);
        try (Lockkeeper mine = Lockkeeper.builder().clocks(clocks).open(store);
                Lockkeeper others = Lockkeeper.builder().clocks(clocks).open(store)) {
            ExclusiveHold hold =
                    mine.lock("report").withFixedLease(Duration.ofHours(1)).acquire();
            assertThat(others.lock("report").tryAcquire()).isNull();

            clocks.advance(Duration.ofHours(1));
            assertThat(hold.state()).isEqualTo(HoldState.LOST);
            assertThat(others.lock("report").tryAcquire()).isNotNull();
        }
    }

    @Test
    void aLossIsNoticed() throws Exception {
        MemoryBackend store = MemoryBackend.create();
        try (Lockkeeper keeper =
                Lockkeeper.builder().lease(Duration.ofSeconds(3)).open(store)) {
            ExclusiveHold hold = keeper.lock("report").acquire();
            store.faults().loseGrants(); // as a failover does that loses them
            Loss loss = hold.lost().get(30, TimeUnit.SECONDS); // told at the next renewal: after a third of the lease
            assertThat(loss.reason()).isEqualTo(Loss.Reason.TAKEN);
        }
    }

    @Test
    void theStoreIsOutOfReach() throws Exception {
        MemoryBackend store = MemoryBackend.create();
        try (Lockkeeper keeper = Lockkeeper.of(store)) {
            store.faults().failing(MemoryFaults.Fault.BEFORE);
            assertThatThrownBy(() -> keeper.lock("report").tryAcquire()).isInstanceOf(StoreUnavailableException.class);
        }
    }
}
