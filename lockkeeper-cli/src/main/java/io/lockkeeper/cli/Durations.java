package io.lockkeeper.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 30s}, {@code 2m}, {@code 1h}. */
final class Durations {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    private Durations() {}

    static Duration parse(String option, String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new CliException(
                    ExitCode.USAGE,
                    option + " '" + text
                            + "' is not a duration: write a number and a unit, as in 500ms, 30s, 2m or 1h");
        }
        long number = Long.parseLong(form.group(1));
        return switch (form.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    /** Short and rounded down: {@code 830ms}, {@code 12.4s}, {@code 3m 20s}, {@code 2h 5m}. */
    static String show(Duration duration) {
        Duration unit;
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            unit = Duration.ofMillis(1);
        } else if (duration.compareTo(Duration.ofMinutes(1)) < 0) {
            unit = Duration.ofMillis(100);
        } else {
            unit = duration.compareTo(Duration.ofHours(1)) < 0 ? Duration.ofSeconds(1) : Duration.ofMinutes(1);
        }
        return io.lockkeeper.spi.Durations.text(unit.multipliedBy(duration.dividedBy(unit)));
    }
}
