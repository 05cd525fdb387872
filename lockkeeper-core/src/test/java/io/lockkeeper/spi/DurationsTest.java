package io.lockkeeper.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT30S, 30s",
        "PT1M30S, 1m 30s",
        "PT90S, 1m 30s",
        "PT0.25S, 250ms",
        "PT0.0005S, 0.5ms",
        "PT0.000000001S, 0.000001ms",
        "PT1.5S, 1.5s",
        "PT26.79S, 26.79s",
        "PT1H, 1h",
        "PT1H0M5S, 1h 5s",
        "PT24H, 1d",
        "PT26H, 1d 2h",
        "PT168H, 7d",
        "PT100S, 1m 40s",
        "PT-5S, -5s",
        "PT-0.1S, -100ms",
    })
    void areWrittenAsPeopleDo(Duration duration, String text) {
        assertThat(Durations.text(duration)).isEqualTo(text);
    }

    @Test
    void theLongestHaveWordsToo() {
        assertThat(Durations.text(Duration.ofSeconds(Long.MAX_VALUE))).endsWith("d 15h 30m 7s");
        assertThat(Durations.text(Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo("forever ago");
    }
}
