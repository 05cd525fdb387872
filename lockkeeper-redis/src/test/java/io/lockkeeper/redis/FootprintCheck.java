package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The jars that a user of this module gets. It needs the built jar, so it runs after packaging. */
class FootprintCheck {

    private static final int MOST_JARS = 2;
    private static final long MOST_BYTES = 940_000;

    @Test
    void aUserGetsTwoSmallJars() throws IOException {
        Map<String, Long> jars = new LinkedHashMap<>();
        for (String needed : Files.readString(Path.of("target", "needed.txt")).split(File.pathSeparator)) {
            Path jar = Path.of(needed.strip());
            jars.put(jar.getFileName().toString(), Files.size(jar));
        }
        Path own = own();
        jars.put(own.getFileName().toString(), Files.size(own));

        assertThat(jars.keySet())
                .as("the jars are there, not folders of classes")
                .allMatch(name -> name.endsWith(".jar"))
                .anyMatch(name -> name.startsWith("lockkeeper-core-"))
                .anyMatch(name -> name.startsWith("lockkeeper-redis-"));
        assertThat(jars).hasSizeLessThanOrEqualTo(MOST_JARS);
        long bytes = jars.values().stream().mapToLong(Long::longValue).sum();
        assertThat(bytes).as(jars.toString()).isLessThanOrEqualTo(MOST_BYTES);
        System.out.println("A user of lockkeeper-redis gets " + jars.size() + " jars, " + bytes + " bytes: " + jars);
    }

    private static Path own() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("target"))) {
            return files.filter(
                            file -> file.getFileName().toString().matches("lockkeeper-redis-[0-9.]+(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
