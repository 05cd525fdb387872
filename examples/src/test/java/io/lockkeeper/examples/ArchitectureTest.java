package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tour of the code stays short, and it and the decisions name only what exists. */
final class ArchitectureTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path TOUR = ROOT.resolve("ARCHITECTURE.md");
    private static final Path DECISIONS = ROOT.resolve("docs/decisions");

    private static final int LONGEST_TOUR = 8 * 1024;

    private static final Pattern FENCED = Pattern.compile("(?s)```.*?```");
    private static final Pattern QUOTED = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|record|enum) ([A-Z]\\w*)");
    private static final Pattern TYPE_NAME =
            Pattern.compile("@?(?:[a-z]+\\.)*([A-Z]\\w*[a-z]\\w*)(?:\\.(\\w+))?(?:\\(\\))?");
    private static final Pattern CONSTANT = Pattern.compile("[A-Z]+(?:_[A-Z]+)+");
    private static final Pattern FILE = Pattern.compile("[\\w-]+\\.(?:lua|java)");

    /** Types of the JDK. */
    private static final Set<String> FOREIGN = Set.of("Error", "NoClassDefFoundError");

    private static final Map<String, String> SOURCES = new HashMap<>();
    private static final Set<String> FILES = new HashSet<>();

    @BeforeAll
    static void readSources() throws IOException {
        List<Path> modules = new ArrayList<>();
        try (Stream<Path> folders = Files.list(ROOT)) {
            folders.filter(folder -> Files.isDirectory(folder.resolve("src"))).forEach(modules::add);
        }
        for (Path module : modules) {
            try (Stream<Path> files = Files.walk(module.resolve("src"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    FILES.add(file.getFileName().toString());
                    if (file.toString().endsWith(".java")) {
                        String source = Files.readString(file);
                        TYPE.matcher(source)
                                .results()
                                .forEach(type -> SOURCES.merge(type.group(1), source, String::concat));
                    }
                }
            }
        }
        assertThat(SOURCES).hasSizeGreaterThan(400);
    }

    static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(TOUR, DECISIONS.resolve("README.md")));
        pages.addAll(decisions());
        return pages;
    }

    static List<Path> decisions() throws IOException {
        try (Stream<Path> files = Files.list(DECISIONS)) {
            return files.filter(file -> !file.endsWith("README.md")).sorted().toList();
        }
    }

    @Test
    void theTourIsShort() throws IOException {
        assertThat(Files.size(TOUR)).as("bytes of ARCHITECTURE.md").isLessThanOrEqualTo(LONGEST_TOUR);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void whatIsNamedExists(Path page) throws IOException {
        String text = FENCED.matcher(Files.readString(page)).replaceAll("");
        Set<String> unknown = new TreeSet<>();
        for (String quoted :
                QUOTED.matcher(text).results().map(found -> found.group(1)).toList()) {
            if (!exists(quoted)) {
                unknown.add(quoted);
            }
        }
        assertThat(unknown)
                .as("named in " + page.getFileName() + " and not found")
                .isEmpty();
    }

    private static boolean exists(String quoted) {
        if (FILE.matcher(quoted).matches()) {
            return FILES.contains(quoted);
        }
        if (CONSTANT.matcher(quoted).matches()) {
            return SOURCES.get("PlantedBug").contains(quoted);
        }
        Matcher type = TYPE_NAME.matcher(quoted);
        if (!type.matches() || FOREIGN.contains(type.group(1))) {
            return true;
        }
        String source = SOURCES.get(type.group(1));
        return source != null && (type.group(2) == null || source.contains(type.group(2)));
    }

    @ParameterizedTest
    @MethodSource("decisions")
    void everyDecisionSaysWhyAndWhere(Path page) throws IOException {
        String[] entries = Files.readString(page).split("(?m)^## ");
        assertThat(entries).as("decisions of " + page.getFileName()).hasSizeGreaterThan(1);
        for (int i = 1; i < entries.length; i++) {
            assertThat(entries[i]).contains("- **Why:**").contains("- **Where:**");
        }
    }
}
