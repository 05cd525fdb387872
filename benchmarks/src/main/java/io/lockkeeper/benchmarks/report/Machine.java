package io.lockkeeper.benchmarks.report;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where and when it was measured. */
public final class Machine {

    private Machine() {}

    public static Map<String, String> describe() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("date", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
        facts.put("processor", field("/proc/cpuinfo", "model name"));
        facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put("memory", memory());
        facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        facts.put("commit", System.getProperty("bench.commit", "unknown"));
        facts.put("libraries", libraries());
        return facts;
    }

    /** Those that are compared, by the names of their jars. */
    private static String libraries() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(jar -> Path.of(jar).getFileName().toString())
                .filter(jar -> jar.matches("(redisson|spring-integration-redis|lettuce-core|jedis|jmh-core)-.*\\.jar"))
                .map(jar -> jar.substring(0, jar.length() - ".jar".length()))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static String memory() {
        String kilobytes = field("/proc/meminfo", "MemTotal").replaceAll("\\D", "");
        return kilobytes.isEmpty() ? "unknown" : Math.round(Long.parseLong(kilobytes) / 1048576.0) + " GiB";
    }

    private static String field(String file, String name) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
