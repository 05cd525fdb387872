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

    /** Short and rounded down: {@code 830 ms}, {@code 12.4 s}, {@code 3 min}, {@code 2 h}. */
    static String show(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 1_000) {
            return millis + " ms";
        }
        if (millis < 100_000) {
            return millis / 1_000 + "." + millis % 1_000 / 100 + " s";
        }
        return millis < 6_000_000 ? millis / 60_000 + " min" : millis / 3_600_000 + " h";
    }
}
