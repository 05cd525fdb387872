package io.lockkeeper.benchmarks.scenario;

import io.lockkeeper.benchmarks.jmh.PairBenchmark;
import io.lockkeeper.benchmarks.peer.Feature;
import io.lockkeeper.benchmarks.peer.Library;
import io.lockkeeper.benchmarks.report.Finding;
import io.lockkeeper.benchmarks.report.Spread;
import io.lockkeeper.benchmarks.report.Unit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/**
 * Single operations of one thread, measured by JMH: each library in a JVM of its own, one after the other.
 *
 * @param benchmark a method of {@link PairBenchmark}
 * @param sampled whether each operation's time was taken, so that there are percentiles
 */
record Single(
        String id,
        String title,
        String sentence,
        String backend,
        Feature feature,
        List<String> libraries,
        String benchmark,
        boolean sampled)
        implements Scenario {

    private static final int WARM_UPS = 3;

    @Override
    public Duration estimate(Stage stage) {
        Beat beat = stage.pace().variant();
        return beat.total()
                .plusSeconds(2)
                .multipliedBy(stage.cast(libraries, feature).size());
    }

    @Override
    public List<Finding> run(Stage stage) throws RunnerException {
        double load = Stage.load();
        List<Finding.Entry> times = new ArrayList<>();
        List<Finding.Entry> bytes = new ArrayList<>();
        for (Library library : stage.cast(libraries, feature)) {
            stage.say(title + ": " + library.title());
            RunResult result = measure(stage, library);
            times.add(time(library, result.getPrimaryResult().getStatistics()));
            Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
            if (allocated != null) {
                bytes.add(new Finding.Entry(
                        library.id(), library.title(), spread(allocated.getStatistics(), 1), Map.of()));
            }
        }
        Unit unit = new Unit(sampled ? "µs p50" : "ns", false);
        return List.of(
                new Finding.Race(id, title, sentence, unit, times, List.of(), load),
                new Finding.Race(
                        id + "/bytes",
                        title + ": allocation",
                        "Bytes allocated on the heap for each, by all threads of the JVM, in the same run.",
                        new Unit("bytes", false),
                        bytes,
                        List.of(),
                        load));
    }

    private RunResult measure(Stage stage, Library library) throws RunnerException {
        Beat beat = stage.pace().variant();
        boolean smokes = stage.pace().smokes();
        var options = new OptionsBuilder()
                .include(PairBenchmark.class.getName().replace(".", "\\.") + "\\." + benchmark + "$")
                .param("library", library.id())
                .param("url", stage.site(library.backend()).url())
                .forks(1)
                .warmupIterations(smokes ? 0 : WARM_UPS)
                .warmupTime(TimeValue.nanoseconds(Math.max(1, beat.warmUp().toNanos() / WARM_UPS)))
                .measurementIterations(beat.rounds())
                .measurementTime(TimeValue.nanoseconds(beat.round().toNanos()))
                .addProfiler(GCProfiler.class)
                .jvmArgs("-Xmx1g", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error")
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        return new Runner(options).runSingle();
    }

    private Finding.Entry time(Library library, Statistics statistics) {
        if (!sampled) {
            return new Finding.Entry(library.id(), library.title(), spread(statistics, 1), Map.of());
        }
        Map<String, Double> columns = new LinkedHashMap<>();
        columns.put("p90 µs", statistics.getPercentile(90) / 1000);
        columns.put("p99 µs", statistics.getPercentile(99) / 1000);
        columns.put("p99.9 µs", statistics.getPercentile(99.9) / 1000);
        double median = statistics.getPercentile(50) / 1000;
        return new Finding.Entry(library.id(), library.title(), Spread.of(median), columns);
    }

    private static Spread spread(Statistics statistics, double factor) {
        return new Spread(
                statistics.getPercentile(50) * factor, statistics.getMin() * factor, statistics.getMax() * factor);
    }
}
