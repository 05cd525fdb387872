package io.lockkeeper.spi;

import java.math.BigDecimal;
import java.time.Duration;

/** Durations as people write them, for messages: {@code 250ms}, {@code 1.5s}, {@code 30s}, {@code 1m 30s}, {@code 7d}. */
public final class Durations {

    private Durations() {}

    /** The duration in words, exactly. */
    public static String text(Duration duration) {
        if (duration.isNegative()) {
            // The longest negative duration has no positive one.
            return duration.toSeconds() == Long.MIN_VALUE ? "forever ago" : "-" + text(duration.negated());
        }
        if (duration.isZero()) {
            return "0s";
        }
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            return decimal(duration.toNanos(), 6) + "ms";
        }
        StringBuilder words = new StringBuilder();
        append(words, duration.toDaysPart(), "d");
        append(words, duration.toHoursPart(), "h");
        append(words, duration.toMinutesPart(), "m");
        long nanos = duration.toSecondsPart() * 1_000_000_000L + duration.toNanosPart();
        if (nanos > 0) {
            append(words, decimal(nanos, 9), "s");
        }
        return words.toString();
    }

    private static String decimal(long number, int places) {
        return BigDecimal.valueOf(number, places).stripTrailingZeros().toPlainString();
    }

    private static void append(StringBuilder words, long number, String unit) {
        if (number > 0) {
            append(words, Long.toString(number), unit);
        }
    }

    private static void append(StringBuilder words, String number, String unit) {
        words.append(words.length() == 0 ? "" : " ").append(number).append(unit);
    }
}
