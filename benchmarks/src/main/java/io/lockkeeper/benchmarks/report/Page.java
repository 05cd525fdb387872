package io.lockkeeper.benchmarks.report;

import io.lockkeeper.benchmarks.report.Finding.Entry;
import io.lockkeeper.benchmarks.report.Finding.Growth;
import io.lockkeeper.benchmarks.report.Finding.Race;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The page, its pictures and the raw figures, in a folder. */
public final class Page {

    private static final String INTRODUCTION = """
            Lockkeeper beside what else is used, measured in one run on the same servers, on one machine that also runs the
            servers. `./bench --full` makes this page; `./bench --quick` takes three to four minutes, `./bench --only contended --peers
            redisson` measures a part, `./bench --list` names everything.

            - Each library works in JVMs of its own (G1, 1 GB of heap at most), with its default settings; leases are 30 s
              everywhere. Redisson has its 64 connections, raw Jedis a pool of 64, raw Lettuce and Spring one shared connection.
            - Libraries are warmed up, with `--full` until little is compiled any more (five times at most), which is thrown away; then they take turns, round by round, and another begins each
              time. Told are medians and, in parentheses, the least and the most of all rounds.
            - “Lockkeeper is 3×” says that it is three times as good as that row: three times the throughput, or a third of the
              time. Below 1× it is worse. Goals are those of the project's design.
            - Every lock guards a plain number in memory that all processes share. A lost update, a second owner inside or a
              token that does not grow fails the run.
            - The raw rows are floors and no locks to use: `SET NX PX`, a poll every millisecond where others wait, a script
              that deletes; no renewal, no token, no order.
            - Threads ask again as soon as they have released, so waits of contended rows are those of a closed loop: they tell
              how long a thread waits there, not what an open stream of requests would see.
            - Columns: *wait* is the time inside the call that takes the lock; *commands* are those that came over the wire for
              each (counted in a round of its own); *CPU* is processor time for each, of the client's JVMs and of the server.
            """;

    /** What stands after this line was written by hand, and stays when the page is made anew. */
    static final String BY_HAND = "<!-- Written by hand from here on; `./bench` keeps it. -->\n";

    private final Map<String, String> machine;
    private final String pace;

    public Page(Map<String, String> machine, String pace) {
        this.machine = machine;
        this.pace = pace;
    }

    /** @param failures scenarios that failed, and why */
    public void write(Path folder, List<Finding> findings, Map<String, String> failures, boolean complete)
            throws IOException {
        Path raw = folder.resolve("benchmarks");
        Files.createDirectories(raw);
        var text = new StringBuilder("# Benchmarks\n\n" + INTRODUCTION + "\n");
        text.append("Measured ")
                .append(machine.get("date"))
                .append(" (`--")
                .append(pace)
                .append("`");
        text.append(complete ? ").\n\n" : "; the run is not complete).\n\n");
        text.append("| | |\n|---|---|\n");
        machine.forEach((name, value) ->
                text.append("| ").append(name).append(" | ").append(value).append(" |\n"));
        text.append('\n');
        failures.forEach((id, why) ->
                text.append("**Failed:** ").append(id).append(": ").append(why).append("\n\n"));
        goals(text, findings);
        for (Finding finding : findings) {
            String file = finding.id().replace('/', '-');
            text.append("## ").append(finding.title()).append("\n\n");
            text.append(finding.sentence()).append("\n\n");
            String chart = chart(finding);
            if (!chart.isEmpty()) {
                Files.writeString(raw.resolve(file + ".svg"), chart);
                text.append("![")
                        .append(finding.title())
                        .append("](benchmarks/")
                        .append(file);
                text.append(".svg)\n\n");
            }
            text.append(Tables.markdown(Tables.of(finding))).append('\n');
            Files.writeString(raw.resolve(file + ".json"), Json.of(finding, machine));
            text.append("[raw](benchmarks/").append(file).append(".json)\n\n");
        }
        Path page = folder.resolve("benchmarks.md");
        text.append(byHand(page));
        Files.writeString(page, text.toString());
    }

    private static String byHand(Path page) throws IOException {
        String before = Files.exists(page) ? Files.readString(page) : "";
        int from = before.indexOf(BY_HAND);
        return from < 0 ? "" : before.substring(from);
    }

    private static String chart(Finding finding) {
        if (finding instanceof Growth growth) {
            return Charts.curves(growth);
        }
        if (finding instanceof Race race) {
            return Charts.hasPercentiles(race) ? Charts.percentiles(race) : Charts.bars(race);
        }
        return "";
    }

    private static void goals(StringBuilder text, List<Finding> findings) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "against", "measured", "goal", ""));
        for (Finding finding : findings) {
            if (finding instanceof Race race) {
                for (Goal goal : race.goals()) {
                    row(rows, race, goal);
                }
            }
        }
        if (rows.size() > 1) {
            text.append("## The goals of the design\n\n")
                    .append(Tables.markdown(rows))
                    .append("\nWhy goals are missed is said under [Speed](#speed).\n\n");
        }
    }

    private static void row(List<List<String>> rows, Race race, Goal goal) {
        Entry ours = Tables.ours(race);
        if (goal.column()) {
            Double value = ours.columns().get(goal.against());
            if (value != null) {
                rows.add(List.of(
                        race.title(),
                        goal.against(),
                        Numbers.of(value),
                        (goal.atMost() ? "≤ " : "≥ ") + Numbers.of(goal.limit()),
                        goal.reached(value) ? "reached" : "**missed**"));
            }
            return;
        }
        for (Entry entry : race.entries()) {
            if (entry.library().equals(goal.against())) {
                double ratio =
                        race.unit().ratio(ours.value().median(), entry.value().median());
                rows.add(List.of(
                        race.title(),
                        entry.title(),
                        Numbers.times(ratio),
                        Numbers.times(goal.limit()),
                        goal.reached(ratio) ? "reached" : "**missed**"));
            }
        }
    }
}
