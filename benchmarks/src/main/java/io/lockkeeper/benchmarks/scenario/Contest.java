package io.lockkeeper.benchmarks.scenario;

import io.lockkeeper.benchmarks.crew.Crew;
import io.lockkeeper.benchmarks.crew.Meter;
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
 * The same order given to several libraries. Each is warmed up; then they take turns, round by round, and another one
 * begins each time.
 */
final class Contest implements Scenario {

    /** A library is warm when its compilers have less than this part of a processor. */
    private static final double SETTLED = 0.1;

    private static final Duration WATCHED = Duration.ofMillis(200);

    private final String backend;
    private final String id;
    private final String title;
    private final String sentence;
    private final Order order;
    private final List<String> libraries;
    private Feature feature = Feature.LOCK;
    private int processes = 1;
    private Duration delay = Duration.ZERO;
    private boolean main;
    private Unit unit = Unit.PAIRS;
    private ToDoubleFunction<Round> figure = Round::perSecond;
    private List<Goal> goals = List.of();

    /** Counts pairs a second of the mutex by one process, unless told otherwise below. */
    Contest(String backend, String id, String title, String sentence, Order order, List<String> libraries) {
        this.backend = backend;
        this.id = id;
        this.title = title;
        this.sentence = sentence;
        this.order = order;
        this.libraries = List.copyOf(libraries);
    }

    Contest of(Feature kind) {
        feature = kind;
        return this;
    }

    Contest by(int jvms) {
        processes = jvms;
        return this;
    }

    /** Each answer of the store comes so much later. */
    Contest delayedBy(Duration time) {
        delay = time;
        return this;
    }

    /** The design names it, so it gets more time. */
    Contest main() {
        main = true;
        return this;
    }

    Contest counting(Unit what, ToDoubleFunction<Round> ofRound) {
        unit = what;
        figure = ofRound;
        return this;
    }

    Contest goals(Goal... all) {
        goals = List.of(all);
        return this;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String backend() {
        return backend;
    }

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
    public List<Finding> run(Stage stage) {
        Site direct = stage.site(backend);
        Site site = delay.isZero() ? direct : direct.delayed(delay);
        List<Library> cast = stage.cast(libraries, feature);
        double load = Stage.load();
        direct.clear();
        Map<Library, List<Turn>> turns = new LinkedHashMap<>();
        for (Library library : cast) {
            stage.say(title + ": " + library.title() + " warms up");
            stage.crew(library, site).muster(stage.processes(processes));
            warmUp(stage, library, site);
        }
        for (int i = 0; i < beat(stage).rounds(); i++) {
            for (int j = 0; j < cast.size(); j++) {
                Library library = cast.get((i + j) % cast.size());
                stage.say(title + ": round " + (i + 1) + ", " + library.title());
                turns.computeIfAbsent(library, any -> new ArrayList<>())
                        .add(turn(stage, library, site, beat(stage).round()));
            }
        }
        List<Finding.Entry> entries = new ArrayList<>();
        for (Library library : cast) {
            double commands = commands(stage, library, site);
            entries.add(entry(library, turns.getOrDefault(library, List.of()), commands));
        }
        if (!delay.isZero()) {
            stage.dismiss(site);
        }
        return List.of(new Finding.Race(id, title, sentence, unit, entries, goals, load));
    }

    /** Where little happens in a second, as in a hand-over, one warm-up would not do: the compilers work much longer. */
    private void warmUp(Stage stage, Library library, Site site) {
        Beat beat = beat(stage);
        for (int i = 0; i < beat.warmUps(); i++) {
            if (turn(stage, library, site, beat.warmUp()).round().compilers() < SETTLED) {
                return;
            }
        }
    }

    /** A round and what it cost, in microseconds of processors. */
    private record Turn(Round round, double client, double server) {}

    private Turn turn(Stage stage, Library library, Site site, Duration time) {
        Crew crew = stage.crew(library, site);
        var meter = new CpuMeter(crew, site);
        Round round = crew.round(order.with("name", id), stage.processes(processes), time, meter);
        double count = Math.max(1, round.count());
        return new Turn(
                round, meter.client().toNanos() / 1000.0 / count, meter.server().toNanos() / 1000.0 / count);
    }

    /** How many commands went over the wire for each time, in a round of its own: watching them costs the server time. */
    private double commands(Stage stage, Library library, Site site) {
        try (Site.Tally tally = site.tally()) {
            if (tally.count() == Site.Tally.UNKNOWN) {
                return Double.NaN;
            }
            var meter = new Meter() {
                private long count;

                @Override
                public void begin() {
                    count = tally.count();
                }

                @Override
                public void end() {
                    count = tally.count() - count;
                }
            };
            Round round =
                    stage.crew(library, site).round(order.with("name", id), stage.processes(processes), WATCHED, meter);
            return meter.count / Math.max(1, round.count());
        }
    }

    private Finding.Entry entry(Library library, List<Turn> turns, double commands) {
        Map<String, Double> columns = new LinkedHashMap<>();
        if (order.threads() > 1) {
            columns.put("least/mean thread", median(turns, turn -> turn.round().leastThread()));
        }
        if (processes > 1) {
            columns.put("least/mean process", median(turns, turn -> turn.round().leastProcess()));
        }
        columns.put("wait p50 µs", median(turns, turn -> turn.round().waits().quantile(0.5) / 1000));
        columns.put("p99 µs", median(turns, turn -> turn.round().waits().quantile(0.99) / 1000));
        if (!Double.isNaN(commands)) {
            columns.put("commands", commands);
        }
        columns.put("client CPU µs", median(turns, Turn::client));
        columns.put("server CPU µs", median(turns, Turn::server));
        return new Finding.Entry(
                library.id(),
                library.title(),
                Spread.of(turns.stream()
                        .map(turn -> figure.applyAsDouble(turn.round()))
                        .toList()),
                columns);
    }

    private static double median(List<Turn> turns, ToDoubleFunction<Turn> figure) {
        return Spread.of(turns.stream().map(turn -> figure.applyAsDouble(turn)).toList())
                .median();
    }
}
