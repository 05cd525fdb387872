package io.lockkeeper.benchmarks.scenario;

import io.lockkeeper.benchmarks.crew.Child;
import io.lockkeeper.benchmarks.crew.StartUp;
import io.lockkeeper.benchmarks.peer.Feature;
import io.lockkeeper.benchmarks.peer.Library;
import io.lockkeeper.benchmarks.report.Finding;
import io.lockkeeper.benchmarks.report.Numbers;
import io.lockkeeper.benchmarks.report.Spread;
import io.lockkeeper.benchmarks.report.Unit;
import io.lockkeeper.benchmarks.site.Site;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How long it takes to have the first lock, and what a client weighs. */
record Starting(List<String> libraries) implements Scenario {

    @Override
    public String id() {
        return "startup";
    }

    @Override
    public String backend() {
        return "redis";
    }

    private static int runs(Stage stage) {
        return stage.pace().smokes() ? 1 : stage.pace().all() ? 3 : 2;
    }

    private List<Library> cast(Stage stage) {
        return stage.cast(libraries, Feature.LOCK);
    }

    @Override
    public Duration estimate(Stage stage) {
        return Duration.ofMillis(1500)
                .multipliedBy((long) runs(stage) * cast(stage).size());
    }

    @Override
    public List<Finding> run(Stage stage) throws IOException {
        Site site = stage.site(backend());
        double load = Stage.load();
        List<Library> cast = cast(stage);
        List<List<Start>> starts = new ArrayList<>();
        cast.forEach(library -> starts.add(new ArrayList<>()));
        for (int i = 0; i < runs(stage); i++) {
            for (int j = 0; j < cast.size(); j++) {
                stage.say("Start-up: " + cast.get(j).title());
                starts.get(j).add(start(cast.get(j), site));
            }
        }
        List<Finding.Entry> times = new ArrayList<>();
        List<List<String>> weights = new ArrayList<>();
        for (int j = 0; j < cast.size(); j++) {
            Library library = cast.get(j);
            List<Start> its = starts.get(j);
            Map<String, Double> columns = new LinkedHashMap<>();
            columns.put(
                    "second client ms",
                    Spread.of(its.stream().map(Start::second).toList()).median());
            times.add(new Finding.Entry(
                    library.id(),
                    library.title(),
                    Spread.of(its.stream().map(Start::first).toList()),
                    columns));
            Weight weight = Weight.of(library);
            weights.add(List.of(
                    library.title(),
                    Integer.toString(weight.jars()),
                    Numbers.of(weight.bytes() / 1000.0),
                    Integer.toString(its.get(0).threads()),
                    Integer.toString(its.get(0).connections())));
        }
        return List.of(
                new Finding.Race(
                        id(),
                        "Start-up",
                        "A fresh JVM, from the first line of its main method until a lock was taken and given back for the"
                                + " first time: loading of classes, connecting, handshakes; then the same once more with a"
                                + " second client in that JVM.",
                        new Unit("ms", false),
                        times,
                        List.of(),
                        load),
                new Finding.Sheet(
                        "footprint",
                        "Footprint",
                        "What Maven adds for it (with all that it needs at run time), and what the first client has in the"
                                + " process and at the server after its first lock.",
                        List.of("", "jars", "KB", "threads", "connections"),
                        weights));
    }

    /** In milliseconds. */
    private record Start(double first, double second, int threads, int connections) {}

    private static Start start(Library library, Site site) {
        int before = site.connections();
        try (Child child = Child.start(StartUp.class, library.id(), site.url())) {
            String[] first = child.expect("first").split(" ");
            int connections = site.connections() - before;
            child.send("on");
            long second = Long.parseLong(child.expect("second"));
            return new Start(Long.parseLong(first[0]) / 1e6, second / 1e6, Integer.parseInt(first[1]), connections);
        }
    }
}
