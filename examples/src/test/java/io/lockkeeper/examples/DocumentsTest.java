package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documents show only code that is compiled, and lead nowhere that is not there. */
final class DocumentsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern JAVA = Pattern.compile("(?ms)^ *```java\\n(.*?)^ *```$");
    private static final Pattern LINK = Pattern.compile("\\]\\((?![a-z]+:|#)([^)#]+)(#[^)]*)?\\)");

    private static final Pattern ARTIFACT = Pattern.compile("[`>](lockkeeper-[a-z][a-z0-9-]*)[`<]");

    /** Code that is run by the tests of other modules, and by .ci/boot-builds. */
    private static final List<Path> RUN_ELSEWHERE =
            List.of(ROOT.resolve("compat"), ROOT.resolve("lockkeeper-spring-test/src/test"));

    /** A line that begins a method. */
    private static final Pattern METHOD = Pattern.compile(
            "(?m)^(?!return|new|try|if|for|while|else|switch|catch)[\\w<>\\[\\]@., ?]+ (\\w+)\\([^;{}]*\\{$");

    static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        for (Path folder : List.of(
                ROOT, ROOT.resolve("docs"), ROOT.resolve("docs/decisions"), ROOT.resolve("examples/flash-sale"))) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
            }
        }
        return documents;
    }

    @ParameterizedTest
    @MethodSource("documents")
    void whatIsShownIsCompiled(Path document) throws IOException {
        List<String> sources = sources(Path.of("src"));
        sources.addAll(runElsewhere());
        for (String shown : found(JAVA, document)) {
            String code = withoutIndentation(shown);
            assertThat(sources.stream().anyMatch(source -> source.contains(code)))
                    .as("some class of the examples has this code of %s:%n%s", document.getFileName(), shown)
                    .isTrue();
        }
    }

    /** What stands in a test runs with it; anything else stands in a method that a test calls. */
    @ParameterizedTest
    @MethodSource("documents")
    void whatIsShownIsRun(Path document) throws IOException {
        String tests = String.join("\n", sources(Path.of("src/test"))) + String.join("\n", runElsewhere());
        List<String> others = sources(Path.of("src/main"));
        for (String shown : found(JAVA, document)) {
            String code = withoutIndentation(shown);
            if (!tests.contains(code)) {
                assertThat(others.stream()
                                .filter(source -> source.contains(code))
                                .map(source -> methodAround(source, source.indexOf(code)))
                                .filter(method -> tests.contains("." + method + "(")))
                        .as("a test runs this code of %s:%n%s", document.getFileName(), shown)
                        .isNotEmpty();
            }
        }
    }

    private static String methodAround(String source, int index) {
        return METHOD.matcher(source.substring(0, index + 1))
                .results()
                .reduce((earlier, later) -> later)
                .map(method -> method.group(1))
                .orElse("");
    }

    @ParameterizedTest
    @MethodSource("documents")
    void linksLeadToFilesThatAreThere(Path document) throws IOException {
        for (String link : found(LINK, document)) {
            assertThat(document.resolveSibling(link)).exists();
        }
    }

    /** What users are told to depend on is a module of this project. */
    @ParameterizedTest
    @MethodSource("documents")
    void artifactsThatAreNamedExist(Path document) throws IOException {
        for (String artifact : found(ARTIFACT, document)) {
            assertThat(ROOT.resolve(artifact).resolve("pom.xml")).exists();
        }
    }

    private static List<String> found(Pattern pattern, Path document) throws IOException {
        return pattern.matcher(Files.readString(document))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    private static List<String> sources(Path below) throws IOException {
        try (Stream<Path> files = Files.walk(below)) {
            List<String> sources = new ArrayList<>();
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".java")).toList()) {
                sources.add(withoutIndentation(Files.readString(file)));
            }
            return sources;
        }
    }

    private static List<String> runElsewhere() throws IOException {
        List<String> sources = new ArrayList<>();
        for (Path folder : RUN_ELSEWHERE) {
            sources.addAll(sources(folder));
        }
        return sources;
    }

    private static String withoutIndentation(String code) {
        return code.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("\n", "\n", "\n"));
    }
}
