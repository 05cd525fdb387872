package io.lockkeeper.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProtocolTest {

    @Test
    void aLivingWaiterIsHeardOfTwiceBeforeItCountsAsSilent() {
        assertThat(Protocol.LONGEST_POLL.multipliedBy(2)).isLessThan(Protocol.SILENT_AFTER);
    }

    @Test
    void aSilentWaiterKeepsItsPlaceUntilItIsForgotten() {
        assertThat(Protocol.SILENT_AFTER.multipliedBy(2)).isLessThan(Protocol.FORGOTTEN_AFTER);
    }

    @Test
    void aRenewalCanBeRepeatedBeforeTheLeaseEnds() {
        for (Duration lease : new Duration[] {Protocol.SHORTEST_LEASE, Duration.ofSeconds(30), Duration.ofDays(1)}) {
            // The renewal begins when it is due and its timeout is as long again; then the repeat must be answered.
            Duration sureOfLossAfter = Protocol.renewEvery(lease).multipliedBy(2);
            assertThat(sureOfLossAfter).isLessThan(Protocol.usable(lease));
        }
    }

    @Test
    void aPromiseIsUsedWithoutItsMargins() {
        assertThat(Protocol.usable(Duration.ofSeconds(30))).isEqualTo(Duration.ofMillis(30_000 - 300 - 2));
        assertThat(Protocol.usable(Duration.ofSeconds(30), 0.1)).isEqualTo(Duration.ofMillis(30_000 - 3_000 - 2));
        assertThat(Protocol.usable(Duration.ofMillis(1))).isNegative();
    }

    @Test
    void aTombstoneLastsForTheLeaseAndAtLeastAMinute() {
        assertThat(Protocol.tombstone(Duration.ofSeconds(1))).isEqualTo(Duration.ofMinutes(1));
        assertThat(Protocol.tombstone(Duration.ofHours(1))).isEqualTo(Duration.ofHours(1));
    }
}
