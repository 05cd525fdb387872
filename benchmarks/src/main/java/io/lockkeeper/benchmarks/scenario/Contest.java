package io.lockkeeper.benchmarks.scenario;

import io.lockkeeper.benchmarks.crew.Crew;
import io.lockkeeper.benchmarks.crew.Round;
import io.lockkeeper.benchmarks.job.Order;
import io.lockkeeper.benchmarks.peer.Feature;
import io.lockkeeper.benchmarks.peer.Library;
import io.lockkeeper.benchmarks.report.Finding;
import io.lockkeeper.benchmarks.report.Goal;
import io.lockkeeper.benchmarks.report.Spread;
import io.lockkeeper.benchmarks.report.Unit;
import io.lockkeeper.benchmarks.site.Site;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Throughput of the same order given to several libraries. Each is warmed up; then they take turns, round by round, and
 * another one begins each time.
 *
 * @param delay of each answer of the store; zero for none
 * @param main whether the design names it, so that it gets more time
 */
record Contest(
        String id,
        String title,
        String sentence,
        String backend,
        Feature feature,
        List<String> libraries,
        Order order,
        int processes,
        Duration delay,
        boolean main,
        Unit unit,
        List<Goal> goals)
        implements Scenario {

    private Beat beat(Stage stage) {
        return main ? stage.pace().main() : stage.pace().variant();
    }

    @Override
    public Duration estimate(Stage stage) {
        // A second for starting each JVM, once.
        return beat(stage)
                .total()
                .plusMillis(600)
                .multipliedBy(stage.cast(libraries, feature).size());
    }

    @Override
    public Finding run(Stage stage) {
        Site direct = stage.site(backend);
        Site site = delay.isZero() ? direct : direct.delayed(delay);
        List<Library> cast = stage.cast(libraries, feature);
        double load = Stage.load();
        direct.clear();
        Map<Library, List<Turn>> turns = new LinkedHashMap<>();
        for (Library library : cast) {
            stage.say(title + ": " + library.title() + " warms up");
            stage.crew(library, site).muster(processes);
            if (!beat(stage).warmUp().isZero()) {
                turn(stage, library, site, beat(stage).warmUp());
            }
        }
        for (int i = 0; i < beat(stage).rounds(); i++) {
            for (int j = 0; j < cast.size(); j++) {
                Library library = cast.get((i + j) % cast.size());
                stage.say(title + ": round " + (i + 1) + ", " + library.title());
                turns.computeIfAbsent(library, any -> new ArrayList<>())
                        .add(turn(stage, library, site, beat(stage).round()));
            }
        }
        if (!delay.isZero()) {
            stage.dismiss(site);
        }
        List<Finding.Entry> entries = new ArrayList<>();
        cast.forEach(library -> entries.add(entry(library, turns.getOrDefault(library, List.of()))));
        return new Finding.Race(id, title, sentence, unit, entries, goals, load);
    }

    /** A round and what it cost. */
    private record Turn(Round round, double commands, double clientMicros, double serverMicros) {}

    private Turn turn(Stage stage, Library library, Site site, Duration time) {
        Crew crew = stage.crew(library, site);
        long commands = site.commands(library.wire());
        Duration client = crew.cpu();
        Duration server = site.cpu();
        Round round = crew.round(order.with("name", id), processes, time);
        double all = Math.max(1, round.all());
        return new Turn(
                round,
                (site.commands(library.wire()) - commands) / all,
                crew.cpu().minus(client).toNanos() / 1000.0 / all,
                site.cpu().minus(server).toNanos() / 1000.0 / all);
    }

    private Finding.Entry entry(Library library, List<Turn> turns) {
        Map<String, Double> columns = new LinkedHashMap<>();
        if (order.threads() > 1) {
            columns.put("least/mean thread", median(turns, turn -> turn.round().leastThread()));
        }
        if (processes > 1) {
            columns.put("least/mean process", median(turns, turn -> turn.round().leastProcess()));
        }
        columns.put("wait p50 µs", median(turns, turn -> turn.round().waits().quantile(0.5) / 1000));
        columns.put("p99 µs", median(turns, turn -> turn.round().waits().quantile(0.99) / 1000));
        columns.put("commands", median(turns, Turn::commands));
        columns.put("client CPU µs", median(turns, Turn::clientMicros));
        columns.put("server CPU µs", median(turns, Turn::serverMicros));
        return new Finding.Entry(
                library.id(),
                library.title(),
                Spread.of(turns.stream().map(turn -> turn.round().perSecond()).toList()),
                columns);
    }

    private static double median(List<Turn> turns, ToDoubleFunction<Turn> figure) {
        return Spread.of(turns.stream().map(turn -> figure.applyAsDouble(turn)).toList())
                .median();
    }
}
