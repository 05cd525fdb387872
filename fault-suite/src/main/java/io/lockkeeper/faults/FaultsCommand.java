package io.lockkeeper.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lockkeeper.faults.check.Checker;
import io.lockkeeper.faults.check.Finding;
import io.lockkeeper.faults.check.Verdict;
import io.lockkeeper.faults.drive.Drive;
import io.lockkeeper.faults.drive.Plan;
import io.lockkeeper.faults.drive.Site;
import io.lockkeeper.faults.history.History;
import io.lockkeeper.faults.site.Sites;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the fault suite on the stores that are named and prints a row for each. */
@Command(
        name = "faults",
        mixinStandardHelpOptions = true,
        description = "Several processes lock and write while processes, servers and connections fail; then what"
                + " they went through is checked. Exit code 1 if a promise was broken.")
final class FaultsCommand implements Callable<Integer> {

    private static final int BROKEN = 1;
    /** The number of findings of a run that are shown. */
    private static final int SHOWN = 20;

    @Option(names = "--on", required = true, split = ",", paramLabel = "STORE", description = "which stores")
    List<String> stores = List.of();

    @Option(names = "--faults", defaultValue = "100", description = "how many faults on each; ${DEFAULT-VALUE}")
    int faults;

    @Option(names = "--seconds", defaultValue = "3600", description = "no further fault after this time")
    int seconds;

    @Option(names = "--seed", description = "decides which faults come; a random one is chosen and told")
    @Nullable
    Long seed;

    @Option(names = "--lease", defaultValue = "2000", description = "of the locks, in ms; ${DEFAULT-VALUE}")
    int lease;

    @Option(names = "--clients", defaultValue = "5", description = "processes; ${DEFAULT-VALUE}")
    int clients;

    @Option(names = "--threads", defaultValue = "4", description = "of each client; ${DEFAULT-VALUE}")
    int threads;

    @Option(names = "--names", defaultValue = "4", description = "locks; ${DEFAULT-VALUE}")
    int names;

    @Option(names = "--json", paramLabel = "FILE", description = "writes the rows there, too")
    @Nullable
    Path json;

    @Option(
            names = "--keep",
            paramLabel = "FOLDER",
            description = "for the journals; a new one in the temporary folder")
    @Nullable
    Path keep;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Path folder = keep == null ? Files.createTempDirectory("lockkeeper-faults-") : keep;
        long chosen = seed == null ? System.nanoTime() & 0xffffff : seed;
        Plan plan = new Plan(
                faults, Duration.ofSeconds(seconds), chosen, Duration.ofMillis(lease), clients, threads, names);
        check(plan);
        List<Row> rows = new ArrayList<>();
        for (String store : stores) {
            rows.add(run(store, plan, empty(folder.resolve(store))));
            if (json != null) {
                // Now, in case the next one cannot be run.
                Files.writeString(json, Json.of(rows), UTF_8);
            }
        }
        out.println();
        Table.print(rows, out);
        out.println();
        out.println("Seed " + chosen + ", lease " + lease + " ms, " + clients + " clients with " + threads
                + " threads, " + names + " names; journals in " + folder);
        for (Row row : rows) {
            tell(row, out);
        }
        out.flush();
        return rows.stream().anyMatch(row -> row.verdict().isBroken()) ? BROKEN : 0;
    }

    private void check(Plan plan) {
        for (String store : stores) {
            if (!Sites.names().contains(store)) {
                throw new IllegalArgumentException("There is no store '" + store + "' here; --on takes "
                        + String.join(", ", Sites.names()) + ", or several with commas");
            }
        }
        if (plan.clients() < 1 || plan.threads() < 1 || plan.names() < 1 || plan.faults() < 0) {
            throw new IllegalArgumentException(
                    "--clients, --threads and --names must be at least 1, and --faults not negative");
        }
    }

    private static Path empty(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (Stream<Path> files = Files.list(folder)) {
            if (files.findAny().isPresent()) {
                throw new IllegalArgumentException(folder + " is not empty; give --keep another folder");
            }
        }
        return folder;
    }

    private Row run(String store, Plan plan, Path folder) throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        long begun = System.nanoTime();
        History history;
        try (Site site = Sites.open(store, folder, plan)) {
            history = new Drive(site, plan, folder, line -> {
                        err.println(store + ": " + line);
                        err.flush();
                    })
                    .run();
        } catch (AssertionError e) {
            // The processes did not do what the suite wanted: nothing is known about the store.
            throw new IllegalStateException("The run on " + store + " failed; its journals are in " + folder, e);
        }
        Verdict verdict = Checker.check(history);
        return Row.of(store, plan, history, verdict, (System.nanoTime() - begun) / 1e9);
    }

    private static void tell(Row row, PrintWriter out) {
        List<Finding> broken = row.verdict().findings().stream()
                .filter(finding -> finding.rule().isBroken())
                .toList();
        if (broken.isEmpty()) {
            return;
        }
        out.println();
        out.println(row.store() + ": " + broken.size() + " times a promise was broken");
        broken.stream().limit(SHOWN).forEach(finding -> out.println("  " + finding));
    }
}
