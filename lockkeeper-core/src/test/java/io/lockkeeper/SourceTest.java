package io.lockkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the compiled classes do not show: words that must not stand in the sources, and words that must. */
class SourceTest {

    private static final Path MAIN = Path.of("src/main/java");

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);
    private static final Pattern TEXT = Pattern.compile("\"(?:\\\\.|[^\"\\\\\\n])*\"");
    private static final Pattern PUBLIC_TYPE = Pattern.compile(
            "^ *public (?:static |final |abstract |sealed |non-sealed )*(?:class|interface|record|enum|@interface) (\\w+)");

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** Words of a private dialect: their subject is a riddle, or the trade has another word. */
    private static final Pattern DIALECT = Pattern.compile(
            "\\b(?:whoever|can not|he|him|his|himself|for ever|in case that|who waits|so long(?! that)|in vain|word (?:of it|about)|makes no sense)\\b",
            Pattern.CASE_INSENSITIVE);

    /** The same in names. */
    private static final Pattern DIALECT_NAMES =
            Pattern.compile("[wW]hoever[A-Z]|[a-z]Whoever|[cC]anNot(?![a-z])|ForEver(?![a-z])|[wW]hoWaits|InCaseThat");

    @Test
    void wordsAreThoseOfTheTrade() throws IOException {
        List<String> found = new ArrayList<>();
        int files = 0;
        try (Stream<Path> all = Files.walk(ROOT)) {
            for (Path file : all.filter(SourceTest::isText).toList()) {
                String name = ROOT.relativize(file).toString().replace('\\', '/');
                files++;
                List<String> lines = Files.readAllLines(file);
                for (int i = 0; i < lines.size(); i++) {
                    Matcher word = DIALECT.matcher(lines.get(i));
                    Matcher part = DIALECT_NAMES.matcher(lines.get(i));
                    if (word.find() || part.find()) {
                        found.add(name + ":" + (i + 1) + ": " + lines.get(i).strip());
                    }
                }
            }
        }
        assertThat(files).as("files looked at").isGreaterThan(100);
        assertThat(found).isEmpty();
    }

    private static boolean isText(Path file) {
        // Below the root: a checkout may itself be inside a folder of that name.
        String name = "/" + ROOT.relativize(file).toString().replace('\\', '/');
        return (name.endsWith(".java") || name.endsWith(".lua") || name.endsWith(".md"))
                && !name.contains("/target/")
                && !name.endsWith("/SourceTest.java");
    }

    private static Map<String, String> sources() {
        Map<String, String> sources = new TreeMap<>();
        try (Stream<Path> files = Files.walk(MAIN)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                sources.put(MAIN.relativize(file).toString().replace('\\', '/'), Files.readString(file));
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        assertThat(sources).as("sources found").hasSizeGreaterThan(100);
        return sources;
    }

    /** Without comments and texts: there a forbidden word may well be explained. */
    private static String code(String source) {
        return TEXT.matcher(COMMENT.matcher(source).replaceAll(" ")).replaceAll("\"\"");
    }

    private static void foundOnlyIn(String forbidden, Set<String> allowed) {
        Pattern pattern = Pattern.compile(forbidden);
        List<String> found = new ArrayList<>();
        sources().forEach((name, source) -> {
            if (!allowed.contains(name) && pattern.matcher(code(source)).find()) {
                found.add(name);
            }
        });
        assertThat(found).as("sources with '" + forbidden + "'").isEmpty();
    }

    @Test
    void oneClassReadsTheClocks() {
        Set<String> clocks = Set.of("io/lockkeeper/spi/SystemClocks.java");
        foundOnlyIn("\\bcurrentTimeMillis\\b", clocks);
        foundOnlyIn("\\bnanoTime\\b", clocks);
        foundOnlyIn("\\bInstant\\s*\\.\\s*now\\b", clocks);
    }

    /** Times that keepers and stores rely on, the keeper's pacing, that of a store, and defaults that users see. */
    @Test
    void timesHaveFewHomes() {
        foundOnlyIn(
                "\\bDuration\\s*\\.\\s*of(?:Nanos|Millis|Seconds|Minutes|Hours|Days)\\(\\s*[0-9]",
                Set.of(
                        "io/lockkeeper/spi/LeaseTimes.java",
                        "io/lockkeeper/spi/WaiterTimes.java",
                        "io/lockkeeper/spi/RetentionTimes.java",
                        "io/lockkeeper/spi/Durations.java",
                        "io/lockkeeper/engine/KeeperPolicy.java",
                        "io/lockkeeper/engine/Barging.java",
                        "io/lockkeeper/HandOff.java",
                        "io/lockkeeper/file/FilePolicy.java",
                        "io/lockkeeper/quorum/QuorumPolicy.java"));
    }

    /** Stores of other modules: each has a policy, and a builder may have bounds for what users choose. */
    @Test
    void timesOfAStoreAreInItsPolicy() throws IOException {
        Pattern time =
                Pattern.compile("\\bDuration\\s*\\.\\s*of\\w+\\(\\s*[0-9]|\\bTimeUnit\\.\\w+\\.to\\w+\\(\\s*[0-9]");
        List<String> found = new ArrayList<>();
        int files = 0;
        for (String module :
                List.of("lockkeeper-redis", "lockkeeper-jdbc", "lockkeeper-zookeeper", "lockkeeper-etcd")) {
            try (Stream<Path> all = Files.walk(ROOT.resolve(module).resolve(MAIN))) {
                for (Path file :
                        all.filter(path -> path.toString().endsWith(".java")).toList()) {
                    String name = file.getFileName().toString();
                    boolean home = name.endsWith("Policy.java") || name.endsWith("Builder.java");
                    files++;
                    if (!home && time.matcher(code(Files.readString(file))).find()) {
                        found.add(module + ": " + name);
                    }
                }
            }
        }
        assertThat(files).as("files looked at").isGreaterThan(100);
        assertThat(found).isEmpty();
    }

    @Test
    void nothingIsSynchronized() {
        foundOnlyIn("\\bsynchronized\\b", Set.of());
    }

    @Test
    void nobodySleeps() {
        foundOnlyIn("\\bThread\\s*\\.\\s*sleep\\b|\\bTimeUnit\\.\\w+\\.sleep\\b", Set.of());
    }

    @Test
    void noRandomNumberIsWithoutASource() {
        foundOnlyIn("\\bnew\\s+(?:java\\.util\\.)?Random\\b|\\bMath\\s*\\.\\s*random\\b", Set.of());
    }

    @Test
    void nothingIsKeptPerThread() {
        foundOnlyIn("\\b(?:Inheritable)?ThreadLocal\\s*[<.]", Set.of());
    }

    @Test
    void nothingIsPrintedAndNobodyEndsTheProcess() {
        foundOnlyIn("\\bSystem\\s*\\.\\s*(?:out|err|exit)\\b|\\bprintStackTrace\\b", Set.of());
    }

    @Test
    void nothingIsUnfinished() {
        List<String> found = new ArrayList<>();
        sources().forEach((name, source) -> {
            if (Pattern.compile("\\b(?:TODO|FIXME|XXX)\\b").matcher(source).find()) {
                found.add(name);
            }
        });
        assertThat(found).isEmpty();
    }

    @Test
    void onlyConditionsAreUnsupported() {
        foundOnlyIn(
                "\\bUnsupportedOperationException\\b",
                Set.of("io/lockkeeper/OwnedLock.java", "io/lockkeeper/MultiLock.java"));
    }

    @Test
    void everyPublicTypeSaysWhatItIs() {
        List<String> silent = new ArrayList<>();
        int types = 0;
        for (Map.Entry<String, String> file : sources().entrySet()) {
            List<String> lines = file.getValue().lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                Matcher type = PUBLIC_TYPE.matcher(lines.get(i));
                if (type.find()) {
                    types++;
                    if (!isDocumented(lines, i)) {
                        silent.add(file.getKey() + ": " + type.group(1));
                    }
                }
            }
        }

        assertThat(types).as("public types found").isGreaterThan(50);
        assertThat(silent).isEmpty();
    }

    /** A type that users should not use does not belong where they see it: its package is not exported to them. */
    @Test
    void noTypeOfAnExportedPackageIsInternal() {
        Map<String, String> sources = sources();
        Matcher exports = Pattern.compile("exports ([\\w.]+);").matcher(code(sources.get("module-info.java")));
        List<String> internal = new ArrayList<>();
        int packages = 0;
        while (exports.find()) {
            packages++;
            String folder = exports.group(1).replace('.', '/') + "/";
            sources.forEach((name, source) -> {
                boolean here = name.startsWith(folder) && name.indexOf('/', folder.length()) < 0;
                Matcher comment = COMMENT.matcher(source);
                while (here && comment.find()) {
                    if (Pattern.compile("(?i)\\binternal\\b")
                            .matcher(comment.group())
                            .find()) {
                        internal.add(name + ": " + comment.group());
                    }
                }
            });
        }

        assertThat(packages).as("exported packages").isEqualTo(5);
        assertThat(internal).isEmpty();
    }

    private static boolean isDocumented(List<String> lines, int declaration) {
        int before = declaration - 1;
        while (before >= 0 && lines.get(before).strip().startsWith("@")) {
            before--;
        }
        return before >= 0 && lines.get(before).strip().endsWith("*/");
    }

    @Test
    void everyPackageIsNullMarked() {
        Map<String, String> sources = sources();
        List<String> unmarked = new ArrayList<>();
        for (String name : sources.keySet()) {
            int slash = name.lastIndexOf('/');
            if (slash > 0) {
                String info = sources.get(name.substring(0, slash) + "/package-info.java");
                if (info == null || !info.contains("@NullMarked")) {
                    unmarked.add(name);
                }
            }
        }
        assertThat(unmarked).isEmpty();
    }
}
