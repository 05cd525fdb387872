package io.lockkeeper.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProtocolTimesTest {

    @Test
    void aLivingWaiterIsHeardOfTwiceBeforeItCountsAsSilent() {
        assertThat(ProtocolTimes.LONGEST_POLL.multipliedBy(2)).isLessThan(ProtocolTimes.SILENT_AFTER);
    }

    @Test
    void aSilentWaiterKeepsItsPlaceUntilItIsForgotten() {
        assertThat(ProtocolTimes.SILENT_AFTER.multipliedBy(2)).isLessThan(ProtocolTimes.FORGOTTEN_AFTER);
    }

    @Test
    void aRenewalCanBeRepeatedBeforeTheLeaseEnds() {
        for (Duration lease :
                new Duration[] {ProtocolTimes.SHORTEST_LEASE, Duration.ofSeconds(30), Duration.ofDays(1)}) {
            // The renewal begins when it is due and its timeout is as long again; then the repeat must be answered.
            Duration sureOfLossAfter = ProtocolTimes.renewEvery(lease).multipliedBy(2);
            assertThat(sureOfLossAfter).isLessThan(ProtocolTimes.usable(lease));
        }
    }

    @Test
    void aPromiseIsUsedWithoutItsMargins() {
        assertThat(ProtocolTimes.usable(Duration.ofSeconds(30))).isEqualTo(Duration.ofMillis(30_000 - 300 - 2));
        assertThat(ProtocolTimes.usable(Duration.ofSeconds(30), 0.1)).isEqualTo(Duration.ofMillis(30_000 - 3_000 - 2));
        assertThat(ProtocolTimes.usable(Duration.ofMillis(1))).isNegative();
    }

    @Test
    void aTombstoneLastsForTheLeaseAndAtLeastAMinute() {
        assertThat(ProtocolTimes.tombstone(Duration.ofSeconds(1))).isEqualTo(Duration.ofMinutes(1));
        assertThat(ProtocolTimes.tombstone(Duration.ofHours(1))).isEqualTo(Duration.ofHours(1));
    }
}
