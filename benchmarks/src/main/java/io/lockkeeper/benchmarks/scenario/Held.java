package io.lockkeeper.benchmarks.scenario;

import io.lockkeeper.benchmarks.crew.Crew;
import io.lockkeeper.benchmarks.crew.Meter;
import io.lockkeeper.benchmarks.job.Order;
import io.lockkeeper.benchmarks.peer.Feature;
import io.lockkeeper.benchmarks.peer.Library;
import io.lockkeeper.benchmarks.report.Finding;
import io.lockkeeper.benchmarks.report.Goal;
import io.lockkeeper.benchmarks.report.Numbers;
import io.lockkeeper.benchmarks.report.Spread;
import io.lockkeeper.benchmarks.report.Unit;
import io.lockkeeper.benchmarks.site.Site;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Many locks are held for a while; what their renewal costs. */
record Held(List<String> libraries) implements Scenario {

    private static final int THREADS = 16;

    @Override
    public String id() {
        return "held";
    }

    @Override
    public String backend() {
        return "redis";
    }

    private static int locks(Stage stage) {
        return stage.pace().smokes() ? 200 : 10_000;
    }

    @Override
    public Duration estimate(Stage stage) {
        // Taking and releasing them needs a few seconds.
        return stage.pace()
                .held()
                .plus(warmUp(stage))
                .plusSeconds(stage.pace().smokes() ? 0 : 4)
                .multipliedBy(cast(stage).size());
    }

    /** How long they are held before the measurement starts: taking them, and the first renewals of a process, cost more. */
    private static Duration warmUp(Stage stage) {
        return stage.pace().held().dividedBy(2);
    }

    private List<Library> cast(Stage stage) {
        return stage.cast(libraries, Feature.RENEWAL);
    }

    @Override
    public List<Finding> run(Stage stage) {
        Site site = stage.site(backend());
        site.clear();
        double load = Stage.load();
        Duration time = stage.pace().held();
        double minutes = time.toNanos() / 60e9;
        List<Finding.Entry> entries = new ArrayList<>();
        for (Library library : cast(stage)) {
            stage.say(library.title() + " holds " + locks(stage) + " locks");
            Crew crew = stage.crew(library, site);
            crew.muster(1);
            var cpu = new CpuMeter(crew, site);
            var scripts = new ScriptMeter(site, cpu);
            Order order = Order.of("held")
                    .with("name", id())
                    .with("held", locks(stage))
                    .with("settle", warmUp(stage).toMillis())
                    .with("threads", THREADS);
            crew.round(order, 1, time, scripts);
            Map<String, Double> columns = new LinkedHashMap<>();
            columns.put("server CPU ms/min", cpu.server().toMillis() / minutes);
            columns.put("script calls/min", scripts.calls / minutes);
            columns.put("lost", 0.0);
            entries.add(new Finding.Entry(
                    library.id(), library.title(), Spread.of(cpu.client().toMillis() / minutes), columns));
        }
        return List.of(new Finding.Race(
                id(),
                Numbers.of(locks(stage)) + " locks held for " + time.toSeconds() + " s",
                "One JVM holds " + Numbers.of(locks(stage))
                        + " locks of 30 s, which the library renews, for a warm-up of "
                        + warmUp(stage).toSeconds() + " s and then for " + time.toSeconds()
                        + " s, of which the figures are; after it each must still be held.",
                new Unit("client CPU ms/min", false),
                entries,
                List.of(Goal.times("redisson", 1)),
                load));
    }

    private static final class ScriptMeter implements Meter {

        private final Site site;
        private final Meter further;
        private long calls;

        ScriptMeter(Site site, Meter further) {
            this.site = site;
            this.further = further;
        }

        @Override
        public void begin() {
            calls = site.scripts();
            further.begin();
        }

        @Override
        public void end() {
            further.end();
            calls = site.scripts() - calls;
        }
    }
}
