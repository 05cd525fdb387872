package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.RetentionTimes;
import io.lockkeeper.spi.WaiterTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The times in the Lua scripts. Keepers rely on the times of the protocol, whether a store is written in Java or in Lua: were
 * the poll of the scripts changed alone, a living waiter could count as silent.
 */
class ScriptTimesTest {

    private static final Path SCRIPTS = Path.of("src/main/resources/io/lockkeeper/redis");

    /** A number of milliseconds, not one that converts between units as in {@code * 1000} or {@code (1000 * HOUR)}. */
    private static final Pattern TIME = Pattern.compile("(?<![\\w.*/(] ?)\\b(?:\\d{4,}|\\d+00)\\b(?! \\*)");

    @Test
    void theScriptsHaveTheTimesOfTheProtocol() throws IOException {
        Map<String, Duration> times = times();

        assertThat(times)
                .containsEntry("POLL", WaiterTimes.LONGEST_POLL)
                .containsEntry("LIVE", WaiterTimes.SILENT_AFTER)
                .containsEntry("FORGOTTEN", WaiterTimes.FORGOTTEN_AFTER)
                .containsEntry("AHEAD", WaiterTimes.CLOCK_SET_BACK)
                .containsEntry("OPEN_KEPT", RetentionTimes.OPEN_LATCH_KEPT)
                .containsEntry("SIZE_KEPT", RetentionTimes.SIZE_KEPT);
        assertThat(times.get("RESTAMP"))
                .as("stamps are written often enough")
                .isLessThanOrEqualTo(WaiterTimes.SILENT_AFTER.minus(WaiterTimes.LONGEST_POLL.multipliedBy(2)));
        assertThat(times.get("KEPT_FOR"))
                .as("kept for its time after the last hour in which it was renewed")
                .isGreaterThanOrEqualTo(RetentionTimes.SIZE_KEPT.plus(times.get("HOUR")));
    }

    @Test
    void noOtherScriptHasATimeOfItsOwn() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> scripts = Files.list(SCRIPTS)) {
            for (Path script : scripts.filter(path -> path.toString().endsWith(".lua"))
                    .filter(path -> !path.endsWith("times.lua"))
                    .toList()) {
                for (String line : Files.readAllLines(script)) {
                    String code = line.replaceFirst("--.*", "");
                    if (TIME.matcher(code).find() && !code.matches("local (CHUNK|ENDED) = \\d+")) {
                        found.add(script.getFileName() + ": " + line.strip());
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }

    private static Map<String, Duration> times() throws IOException {
        Map<String, Duration> times = new HashMap<>();
        for (String line : Files.readAllLines(SCRIPTS.resolve("times.lua"))) {
            Matcher found = Pattern.compile("local ([A-Z_, ]+) = ([0-9, ]+)").matcher(line);
            if (found.matches()) {
                String[] names = found.group(1).split(", ");
                String[] values = found.group(2).split(", ");
                assertThat(values).hasSameSizeAs(names);
                for (int i = 0; i < names.length; i++) {
                    times.put(names[i], Duration.ofMillis(Long.parseLong(values[i])));
                }
            }
        }
        return times;
    }
}
