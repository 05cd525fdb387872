package io.lockkeeper.spring;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations as annotations have them: {@code 0}, {@code 500ms}, {@code 3s}, {@code 2m}, {@code 1h}, {@code 1d}, {@code PT3S}. */
final class TimeText {

    /** What a wait without a timeout is called. */
    static final String FOREVER = "forever";

    private static final Pattern SIMPLE = Pattern.compile("(\\d{1,15})\\s*(ns|us|ms|s|m|h|d)");

    private TimeText() {}

    /** @param where the attribute, for the message */
    static Duration parse(String text, String where) {
        String trimmed = text.strip();
        if (trimmed.equals("0")) {
            return Duration.ZERO;
        }
        Matcher simple = SIMPLE.matcher(trimmed.toLowerCase(Locale.ROOT));
        if (simple.matches()) {
            return of(Long.parseLong(simple.group(1)), simple.group(2));
        }
        try {
            Duration iso = Duration.parse(trimmed);
            if (!iso.isNegative()) {
                return iso;
            }
        } catch (DateTimeException notIso) {
            // The sentence below says what is accepted.
        }
        throw new IllegalArgumentException(where + " = \"" + text
                + "\" is not a duration; write a number with a unit, such as 500ms, 3s, 2m or PT3S");
    }

    private static Duration of(long number, String unit) {
        return switch (unit) {
            case "ns" -> Duration.ofNanos(number);
            case "us" -> Duration.ofNanos(Math.multiplyExact(number, 1_000L));
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
