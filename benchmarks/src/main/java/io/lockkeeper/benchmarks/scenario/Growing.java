package io.lockkeeper.benchmarks.scenario;

import io.lockkeeper.benchmarks.crew.Crew;
import io.lockkeeper.benchmarks.crew.Meter;
import io.lockkeeper.benchmarks.job.Order;
import io.lockkeeper.benchmarks.peer.Feature;
import io.lockkeeper.benchmarks.peer.Library;
import io.lockkeeper.benchmarks.report.Finding;
import io.lockkeeper.benchmarks.report.Spread;
import io.lockkeeper.benchmarks.report.Unit;
import io.lockkeeper.benchmarks.site.Site;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a pair costs as something grows.
 *
 * @param grows what it is, in the plural
 */
record Growing(
        String id, String title, String sentence, String grows, List<String> libraries, List<Integer> sizes, Step step)
        implements Scenario {

    /** What is done at a certain size. */
    interface Step {
        double perSecond(Crew crew, Site site, Library library, int size, Duration time);
    }

    private static final int MANY = 1_000;

    @Override
    public String backend() {
        return "redis";
    }

    @Override
    public Duration estimate(Stage stage) {
        Beat beat = stage.pace().variant();
        long much = sizes.stream().filter(size -> size >= MANY).count();
        return beat.round()
                .multipliedBy(2)
                .plusMillis(500)
                .multipliedBy(sizes.size())
                .plusSeconds(much * (stage.pace().all() ? 3 : 1))
                .multipliedBy(cast(stage).size());
    }

    private List<Library> cast(Stage stage) {
        return stage.cast(libraries, Feature.LOCK);
    }

    @Override
    public List<Finding> run(Stage stage) {
        Site site = stage.site(backend());
        List<Library> cast = cast(stage);
        List<SortedMap<Integer, Double>> lines = new ArrayList<>();
        cast.forEach(library -> lines.add(new TreeMap<>()));
        var notes = new StringBuilder(sentence);
        for (int size : sizes) {
            for (int i = 0; i < cast.size(); i++) {
                Library library = cast.get(i);
                stage.say(title + ": " + size + " " + grows + ", " + library.title());
                site.clear();
                try {
                    double cost = cost(stage, library, site, size);
                    if (Double.isFinite(cost)) {
                        // Otherwise nobody came through in time.
                        lines.get(i).put(size, cost);
                    }
                } catch (IllegalStateException e) {
                    if (!String.valueOf(e.getMessage()).contains("hangs")) {
                        throw e;
                    }
                    notes.append(" ")
                            .append(library.title())
                            .append(" did not come to an end at ")
                            .append(size);
                    notes.append(".");
                    stage.dismiss(library, site);
                }
            }
        }
        List<Finding.Line> all = new ArrayList<>();
        for (int i = 0; i < cast.size(); i++) {
            all.add(new Finding.Line(cast.get(i).id(), cast.get(i).title(), lines.get(i)));
        }
        return List.of(new Finding.Growth(id, title, notes.toString(), grows, new Unit("µs", false), all));
    }

    /** The first of the rounds is thrown away, unless there is time for one only. */
    private double cost(Stage stage, Library library, Site site, int size) {
        Crew crew = stage.crew(library, site);
        Duration time = stage.pace().variant().round();
        int rounds = stage.pace().smokes() || size >= MANY ? 1 : 3;
        List<Double> costs = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            double perSecond = step.perSecond(crew, site, library, size, time);
            if (i > 0 || rounds == 1) {
                costs.add(1e6 / perSecond);
            }
        }
        return Spread.of(costs).median();
    }

    /** The threads of one process all want one name. */
    static double waiters(Crew crew, Site site, Library library, int size, Duration time) {
        Order order = Order.of("lock").with("name", "growth/waiters").with("threads", size);
        return crew.round(order, 1, time, Meter.NONE).perSecond();
    }

    /** The threads of that many processes, one each, all want one name. */
    static double processes(Crew crew, Site site, Library library, int size, Duration time) {
        Order order = Order.of("lock").with("name", "growth/processes");
        return crew.round(order, size, time, Meter.NONE).perSecond();
    }

    /** One thread locks and unlocks while its process holds that many others. */
    static double held(Crew crew, Site site, Library library, int size, Duration time) {
        Order order = Order.of("held")
                .with("name", "growth/held")
                .with("held", size)
                .with("busy", 1)
                .with("threads", Math.min(size, 16));
        return crew.round(order, 1, time, Meter.NONE).perSecond();
    }

    /** One thread takes any of that many names, all of which were used before. */
    static double names(Crew crew, Site site, Library library, int size, Duration time) {
        Order order = Order.of("lock").with("share", "own");
        crew.round(order.with("name", "growth/seed"), 1, Duration.ofMillis(20), Meter.NONE);
        site.multiply("growth/seed/0", "growth/names/0/", size);
        return crew.round(order.with("name", "growth/names").with("names", size), 1, time, Meter.NONE)
                .perSecond();
    }
}
