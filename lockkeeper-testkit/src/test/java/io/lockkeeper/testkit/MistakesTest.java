package io.lockkeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests that the guarantees name do exist: one that is renamed or removed is missed here. */
class MistakesTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Contract|Test))\\.(\\w+)`");

    @Test
    void eachMistakeHasATestThatKeepsItOut() throws IOException {
        List<MatchResult> named = NAMED.matcher(Files.readString(ROOT.resolve("docs/guarantees.md")))
                .results()
                .toList();
        Map<String, Path> sources = sources();
        List<String> missing = new ArrayList<>();
        for (MatchResult test : named) {
            Path source = sources.get(test.group(1) + ".java");
            if (source == null || !Files.readString(source).contains("void " + test.group(2) + "(")) {
                missing.add(test.group());
            }
        }
        assertThat(named).hasSizeGreaterThan(50);
        assertThat(missing).isEmpty();
    }

    private static Map<String, Path> sources() throws IOException {
        Map<String, Path> sources = new HashMap<>();
        for (String module : List.of("lockkeeper-core", "lockkeeper-testkit", "lockkeeper-cli")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src"))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .forEach(file -> sources.put(String.valueOf(file.getFileName()), file));
            }
        }
        return sources;
    }
}
