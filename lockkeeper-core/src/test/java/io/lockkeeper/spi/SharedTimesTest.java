package io.lockkeeper.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The times on which keepers and stores rely, and what must hold between them. */
class SharedTimesTest {

    @Test
    void aLivingWaiterIsHeardOfTwiceBeforeItCountsAsSilent() {
        assertThat(WaiterTimes.LONGEST_POLL.multipliedBy(2)).isLessThan(WaiterTimes.SILENT_AFTER);
    }

    @Test
    void aSilentWaiterKeepsItsPlaceUntilItIsForgotten() {
        assertThat(WaiterTimes.SILENT_AFTER.multipliedBy(2)).isLessThan(WaiterTimes.FORGOTTEN_AFTER);
    }

    @Test
    void aRenewalCanBeRepeatedBeforeTheLeaseEnds() {
        for (Duration lease : new Duration[] {LeaseTimes.SHORTEST_LEASE, Duration.ofSeconds(30), Duration.ofDays(1)}) {
            // The renewal begins when it is due and its timeout is as long again; then the repeat must be answered.
            Duration sureOfLossAfter = LeaseTimes.renewEvery(lease).multipliedBy(2);
            assertThat(sureOfLossAfter).isLessThan(LeaseTimes.usable(lease));
        }
    }

    @Test
    void aPromiseIsUsedWithoutItsMargins() {
        assertThat(LeaseTimes.usable(Duration.ofSeconds(30))).isEqualTo(Duration.ofMillis(30_000 - 300 - 2));
        assertThat(LeaseTimes.usable(Duration.ofSeconds(30), 0.1)).isEqualTo(Duration.ofMillis(30_000 - 3_000 - 2));
        assertThat(LeaseTimes.usable(Duration.ofMillis(1))).isNegative();
    }

    @Test
    void aTombstoneLastsForTheLeaseAndAtLeastAMinute() {
        assertThat(RetentionTimes.tombstone(Duration.ofSeconds(1))).isEqualTo(Duration.ofMinutes(1));
        assertThat(RetentionTimes.tombstone(Duration.ofHours(1))).isEqualTo(Duration.ofHours(1));
    }
}
