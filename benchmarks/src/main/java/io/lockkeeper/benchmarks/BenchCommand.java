package io.lockkeeper.benchmarks;

import io.lockkeeper.benchmarks.peer.Libraries;
import io.lockkeeper.benchmarks.peer.Library;
import io.lockkeeper.benchmarks.report.Finding;
import io.lockkeeper.benchmarks.report.Json;
import io.lockkeeper.benchmarks.report.Machine;
import io.lockkeeper.benchmarks.report.Tables;
import io.lockkeeper.benchmarks.scenario.Pace;
import io.lockkeeper.benchmarks.scenario.Scenario;
import io.lockkeeper.benchmarks.scenario.Scenarios;
import io.lockkeeper.benchmarks.scenario.Stage;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
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

    @Option(names = "--quick", description = "about 3 minutes, fewer peers and sizes (the default)")
    boolean quick;

    @Option(names = "--full", description = "everything, about 20 minutes on two cores")
    boolean full;

    @Option(names = "--smoke", description = "everything once, for some milliseconds: only shows that it runs")
    boolean smoke;

    @Option(names = "--only", split = ",", paramLabel = "WHAT", description = "scenarios, groups of them, or stores")
    List<String> only = List.of();

    @Option(names = "--peers", split = ",", paramLabel = "PEER", description = "which libraries beside Lockkeeper")
    List<String> peers = List.of();

    @Option(names = "--out", paramLabel = "FOLDER", description = "for the results; none are written without it")
    @Nullable
    Path folder;

    @Option(names = "--list", description = "names all scenarios and peers")
    boolean list;

    @Option(names = "--scale", hidden = true, description = "multiplies all times")
    double scale = 1;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Pace pace = (smoke ? Pace.smoke() : full ? Pace.full() : Pace.quick()).scaled(scale);
        PrintWriter out = spec.commandLine().getOut();
        if (list) {
            Scenarios.all(Pace.full()).forEach(scenario -> out.println(scenario.id()));
            Libraries.ALL.forEach(library -> out.printf("  %-22s %s%n", library.id(), library.title()));
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
        List<Finding> findings = new ArrayList<>();
        try (var stage = new Stage(pace, peers(), progress::say)) {
            Duration planned =
                    chosen.stream().map(scenario -> scenario.estimate(stage)).reduce(Duration.ZERO, Duration::plus);
            progress.begin(chosen.size(), planned);
            for (Scenario scenario : chosen) {
                List<Finding> found = scenario.run(stage);
                findings.addAll(found);
                progress.clear();
                for (Finding finding : found) {
                    out.println(finding.title() + "  [" + finding.id() + "]");
                    out.println(Tables.plain(Tables.of(finding)));
                }
                out.flush();
            }
        }
        progress.end();
        if (folder != null) {
            Files.createDirectories(folder);
            for (Finding finding : findings) {
                Files.writeString(
                        folder.resolve(finding.id().replace('/', '-') + ".json"), Json.of(finding, Machine.describe()));
            }
        }
        return 0;
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
