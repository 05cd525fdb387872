package io.lockkeeper.benchmarks;

import io.lockkeeper.benchmarks.peer.Libraries;
import io.lockkeeper.benchmarks.peer.Library;
import io.lockkeeper.benchmarks.report.Finding;
import io.lockkeeper.benchmarks.report.Machine;
import io.lockkeeper.benchmarks.report.Page;
import io.lockkeeper.benchmarks.report.Tables;
import io.lockkeeper.benchmarks.scenario.Pace;
import io.lockkeeper.benchmarks.scenario.Scenario;
import io.lockkeeper.benchmarks.scenario.Scenarios;
import io.lockkeeper.benchmarks.scenario.Stage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures what was asked for, prints a table for each scenario and writes the page. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Lockkeeper beside what else is used, in one run on the same servers.")
final class BenchCommand implements Callable<Integer> {

    @Option(names = "--quick", description = "3 to 4 minutes, fewer peers and sizes, JVMs half warm (the default)")
    boolean quick;

    @Option(names = "--full", description = "everything, about half an hour on two cores")
    boolean full;

    @Option(names = "--smoke", description = "everything once, for some milliseconds: only shows that it runs")
    boolean smoke;

    @Option(names = "--only", split = ",", paramLabel = "WHAT", description = "scenarios, groups of them, or stores")
    List<String> only = List.of();

    @Option(names = "--peers", split = ",", paramLabel = "PEER", description = "which libraries beside Lockkeeper")
    List<String> peers = List.of();

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description =
                    "for the page and the raw figures; otherwise a whole --full run writes to docs, a whole --quick"
                            + " run to benchmarks/target/report, others nothing")
    @Nullable
    Path out;

    @Option(names = "--list", description = "names all scenarios and peers")
    boolean list;

    @Option(names = "--scale", hidden = true, description = "multiplies all times")
    double scale = 1;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Pace pace = (smoke ? Pace.smoke() : full ? Pace.full() : Pace.quick()).scaled(scale);
        if (list) {
            PrintWriter text = spec.commandLine().getOut();
            Scenarios.all(Pace.full()).forEach(scenario -> text.println(scenario.id()));
            Libraries.ALL.forEach(library -> text.printf("  %-22s %s%n", library.id(), library.title()));
            return 0;
        }
        List<Scenario> chosen = Scenarios.all(pace).stream()
                .filter(scenario -> only.isEmpty() || only.stream().anyMatch(scenario::means))
                .toList();
        if (chosen.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "Nothing is called " + String.join(" or ", only) + "; --list names everything");
        }
        var progress = new Progress(spec.commandLine().getErr());
        try (var stage = new Stage(pace, peers(), progress::say)) {
            Duration planned =
                    chosen.stream().map(scenario -> scenario.estimate(stage)).reduce(Duration.ZERO, Duration::plus);
            progress.begin(chosen.size(), planned);
            boolean failed = run(chosen, stage, progress);
            progress.end();
            return failed ? 1 : 0;
        }
    }

    /** Goes on after a failure: the others are worth their time, and the page tells. */
    private boolean run(List<Scenario> chosen, Stage stage, Progress progress) throws IOException {
        PrintWriter text = spec.commandLine().getOut();
        Path folder = folder();
        Map<String, String> machine = Machine.describe();
        var page = new Page(machine, stage.pace().name());
        List<Finding> findings = new ArrayList<>();
        Map<String, String> failures = new LinkedHashMap<>();
        for (Scenario scenario : chosen) {
            try {
                List<Finding> found = scenario.run(stage);
                findings.addAll(found);
                progress.clear();
                for (Finding finding : found) {
                    text.println(finding.title() + "  [" + finding.id() + "]");
                    text.println(Tables.plain(Tables.of(finding)));
                }
            } catch (Exception e) {
                failures.put(scenario.id(), String.valueOf(e.getMessage()));
                progress.clear();
                text.println("FAILED: " + scenario.id() + ": " + e);
                stage.dismissAll();
            }
            text.flush();
            if (folder != null) {
                // After each, so that a run which is broken off leaves what it has.
                machine.put("servers", stage.versions());
                page.write(
                        folder,
                        findings,
                        failures,
                        findings.size() > 0 && scenario.equals(chosen.get(chosen.size() - 1)));
            }
        }
        if (folder != null) {
            text.println("Written to " + folder.resolve("benchmarks.md"));
        }
        return !failures.isEmpty();
    }

    /** Where the page goes: only a whole full run is fit for the documents. */
    private @Nullable Path folder() {
        if (out != null) {
            return out;
        }
        boolean whole = only.isEmpty() && peers.isEmpty() && !smoke;
        Path home = Path.of(System.getProperty("bench.home", "benchmarks/target"));
        return !whole ? null : full ? home.resolve("../../docs").normalize() : home.resolve("report");
    }

    private Set<String> peers() {
        Set<String> ids = new LinkedHashSet<>();
        for (String peer : peers) {
            try {
                ids.add(Libraries.named(peer).id());
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), e.getMessage(), e);
            }
        }
        if (!ids.isEmpty()) {
            ids.add(Library.OURS);
        }
        return ids;
    }
}
