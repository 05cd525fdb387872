package io.lockkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

    @Test
    void aNumberAndAUnit() {
        assertThat(Durations.parse("--wait", "500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(Durations.parse("--wait", "30s")).isEqualTo(Duration.ofSeconds(30));
        assertThat(Durations.parse("--wait", "2m")).isEqualTo(Duration.ofMinutes(2));
        assertThat(Durations.parse("--wait", "1h")).isEqualTo(Duration.ofHours(1));
        assertThat(Durations.parse("--wait", "0s")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "s", "-1s", "1.5s", "30 s", "1d", "9999999999s"})
    void anythingElseIsRefusedWithExamples(String text) {
        assertThatThrownBy(() -> Durations.parse("--wait", text))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("--wait '" + text + "'")
                .hasMessageContaining("500ms, 30s, 2m or 1h");
    }

    @Test
    void shownShort() {
        assertThat(Durations.show(Duration.ofMillis(830))).isEqualTo("830ms");
        assertThat(Durations.show(Duration.ofMillis(12_460))).isEqualTo("12.4s");
        assertThat(Durations.show(Duration.ofMinutes(3))).isEqualTo("3m");
        assertThat(Durations.show(Duration.ofHours(5))).isEqualTo("5h");
        assertThat(Durations.show(Duration.ofMillis(200_999))).isEqualTo("3m 20s");
        assertThat(Durations.show(Duration.ofMillis(7_530_000))).isEqualTo("2h 5m");
    }
}
