package io.lockkeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.spi.Moment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ManualClocksTest {

    private final ManualClocks clocks = new ManualClocks();
    private final Moment start = clocks.now();

    @Test
    void timeStandsStillUntilItIsMoved() {
        assertThat(clocks.now()).isEqualTo(start);
        assertThat(clocks.now().since(start)).isZero();
    }

    @Test
    void advancingMovesBothClocks() {
        clocks.advance(Duration.ofMillis(7));
        assertThat(clocks.now()).isEqualTo(new Moment(start.mono() + 7_000_000, start.wall() + 7_000_000));
    }

    @Test
    void suspensionIsSeenByTheWallClockOnly() {
        clocks.suspend(Duration.ofSeconds(3));
        assertThat(clocks.now().mono()).isEqualTo(start.mono());
        assertThat(clocks.now().since(start)).isEqualTo(3_000_000_000L);
    }

    @Test
    void settingTheWallClockBackLengthensNothing() {
        clocks.advance(Duration.ofSeconds(1));
        clocks.stepWall(Duration.ofHours(-1));
        assertThat(clocks.now().since(start)).isEqualTo(1_000_000_000L);
    }

    @Test
    void timeDoesNotPassBackwards() {
        assertThatThrownBy(() -> clocks.advance(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("stepWall");
        assertThatThrownBy(() -> clocks.suspend(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
    }
}
