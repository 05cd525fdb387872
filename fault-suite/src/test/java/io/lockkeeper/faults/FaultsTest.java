package io.lockkeeper.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.faults.check.Checker;
import io.lockkeeper.faults.check.Finding;
import io.lockkeeper.faults.check.Rule;
import io.lockkeeper.faults.check.Verdict;
import io.lockkeeper.faults.drive.Drive;
import io.lockkeeper.faults.drive.Fault;
import io.lockkeeper.faults.drive.Plan;
import io.lockkeeper.faults.drive.Site;
import io.lockkeeper.faults.site.Sites;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("once")
final class FaultsTest {

    private static final Set<String> SQL = Set.of("postgresql", "mariadb");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int faults(String... arguments) {
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void everyPromiseIsKept(String store, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws IOException {
        // A database takes its time to start; its own module has the rest of its faults.
        String seconds = SQL.contains(store) ? "10" : "18";
        run(store, folder, "--seconds", seconds, "--lease", "1500");
    }

    @ParameterizedTest
    @MethodSource("etcds")
    @Tag("etcd")
    void everyPromiseIsKeptOnEtcd(String store, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder)
            throws IOException {
        run(store, folder, "--seconds", "12", "--lease", "2000");
    }

    @ParameterizedTest
    @MethodSource("etcds")
    @Tag("etcd")
    @Tag("full")
    void everyPromiseIsKeptOnEtcdThroughAHundredFaults(
            String store, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws IOException {
        run(store, folder, "--faults", "100");
    }

    @ParameterizedTest
    @MethodSource("stores")
    @Tag("full")
    void everyPromiseIsKeptThroughAHundredFaults(String store, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder)
            throws IOException {
        run(store, folder, "--faults", "100");
    }

    /** The journals are kept when it fails. */
    private void run(String store, Path folder, String... how) throws IOException {
        Path json = folder.resolve("row.json");
        List<String> arguments =
                new ArrayList<>(List.of("--on", store, "--keep", folder.toString(), "--json", json.toString()));
        arguments.addAll(List.of(how));
        int exit = faults(arguments.toArray(String[]::new));
        assertThat(exit).as(err + "\n" + out).isZero();
        assertThat(out.toString()).contains("STALE").contains(store);
        assertThat(Files.readString(json, UTF_8))
                .contains("\"store\": \"" + store + "\"")
                .contains("\"stale_admitted\": 0, \"lost_on_f\": 0")
                .doesNotContain("\"acquired\": 0,")
                .doesNotContain("\"faults\": {}");
    }

    /** Each process has a memory of its own, so nothing keeps them apart: the suite must see it, and F must not care. */
    @Test
    void aStoreThatExcludesNobodyIsFoundOut(@TempDir Path folder) throws Exception {
        Plan plan = new Plan(1, Duration.ofSeconds(20), 1, Duration.ofSeconds(1), 3, 2, 2);
        Site site = new NoStore();
        Verdict verdict = Checker.check(new Drive(site, plan, folder, line -> {}).run());
        assertThat(verdict.isBroken()).isTrue();
        assertThat(verdict.count(Rule.OVERLAP)).isPositive();
        assertThat(verdict.figures().lostUpdates()).isPositive();
        assertThat(verdict.figures().refused()).isPositive();
        assertThat(verdict.findings())
                .extracting(Finding::rule)
                .doesNotContain(Rule.STALE_ADMITTED, Rule.LOST_ON_F, Rule.HUNG, Rule.CLIENT_DIED);
    }

    private static final class NoStore implements Site {

        @Override
        public String url() {
            return "memory:";
        }

        @Override
        public List<Fault> faults() {
            return List.of();
        }

        @Override
        public void close() {}
    }

    /** All whose servers are always there. */
    static Stream<String> stores() {
        return Sites.names().stream().filter(store -> !store.startsWith("etcd"));
    }

    static Stream<String> etcds() {
        return Sites.names().stream().filter(store -> store.startsWith("etcd"));
    }

    @Test
    void aStoreThatIsNotThereIsNamedWithThoseThatAre() {
        assertThat(faults("--on", "abacus")).isEqualTo(2);
        assertThat(err.toString())
                .contains("no store 'abacus'")
                .contains("file")
                .doesNotContain("Exception");
    }

    @Test
    void aFolderWithOldJournalsIsRefused(@TempDir Path folder) throws IOException {
        Files.createDirectories(folder.resolve("file"));
        Files.writeString(folder.resolve("file/registers.journal"), "old", UTF_8);
        assertThat(faults("--on", "file", "--keep", folder.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("is not empty");
    }
}
