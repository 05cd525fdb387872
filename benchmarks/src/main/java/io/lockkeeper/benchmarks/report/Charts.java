package io.lockkeeper.benchmarks.report;

import io.lockkeeper.benchmarks.report.Finding.Entry;
import io.lockkeeper.benchmarks.report.Finding.Growth;
import io.lockkeeper.benchmarks.report.Finding.Line;
import io.lockkeeper.benchmarks.report.Finding.Race;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;

/** Findings as pictures. */
public final class Charts {

    private static final int WIDTH = 720;
    private static final int LABELS = 190;
    private static final int FIGURES = 90;
    private static final int ROW = 24;
    private static final int TOP = 34;
    private static final Set<String> FLOORS = Set.of("jedis", "lettuce", "reentrantlock");

    private Charts() {}

    /** A bar for each library, as long as its median, and a line from the least to the most. */
    public static String bars(Race race) {
        var svg = new Svg(
                WIDTH,
                TOP + ROW * race.entries().size() + 8,
                race.title() + " — " + race.unit().name() + (race.unit().more() ? "" : ", less is better"));
        double most = race.entries().stream()
                .mapToDouble(entry -> entry.value().most())
                .max()
                .orElse(1);
        double scale = (WIDTH - LABELS - FIGURES) / Math.max(most, 1e-9);
        int y = TOP;
        for (Entry entry : race.entries()) {
            svg.text(LABELS - 8, y + 14, "end", entry.title());
            svg.bar(LABELS, y + 3, entry.value().median() * scale, ROW - 8, kind(entry.library()));
            double middle = y + ROW / 2.0 - 1;
            svg.line(
                    LABELS + entry.value().least() * scale,
                    middle,
                    LABELS + entry.value().most() * scale,
                    middle,
                    "grid");
            svg.text(
                    LABELS + entry.value().most() * scale + 6,
                    y + 14,
                    "",
                    Numbers.of(entry.value().median()));
            y += ROW;
        }
        return svg.toString();
    }

    /** From the median to the greater percentiles of each library, on a logarithmic scale. */
    public static String percentiles(Race race) {
        var axis = Axis.over(race.entries().stream().flatMapToDouble(Charts::percentilesOf), LABELS, WIDTH - FIGURES);
        int bottom = TOP + ROW * race.entries().size();
        var svg = new Svg(WIDTH, bottom + 24, race.title() + " — µs, median and percentiles, logarithmic");
        for (double mark : axis.marks()) {
            svg.line(axis.at(mark), TOP, axis.at(mark), bottom, "grid");
            svg.text(axis.at(mark), bottom + 16, "middle", Numbers.of(mark));
        }
        int y = TOP;
        for (Entry entry : race.entries()) {
            double middle = y + ROW / 2.0 - 1;
            double[] all = percentilesOf(entry).toArray();
            svg.text(LABELS - 8, y + 14, "end", entry.title());
            svg.line(axis.at(all[0]), middle, axis.at(all[all.length - 1]), middle, kind(entry.library()) + " line");
            for (double value : all) {
                svg.dot(axis.at(value), middle, kind(entry.library()));
            }
            svg.text(axis.at(all[all.length - 1]) + 8, y + 14, "", Numbers.of(all[all.length - 1]));
            y += ROW;
        }
        return svg.toString();
    }

    /** Whether there are percentiles. */
    public static boolean hasPercentiles(Race race) {
        return race.unit().name().contains("p50");
    }

    private static DoubleStream percentilesOf(Entry entry) {
        return DoubleStream.concat(
                DoubleStream.of(entry.value().median()),
                entry.columns().entrySet().stream()
                        .filter(column -> column.getKey().startsWith("p9"))
                        .mapToDouble(Map.Entry::getValue));
    }

    /** A line for each library, both scales logarithmic. */
    public static String curves(Growth growth) {
        int height = 300;
        int bottom = height - 40;
        var x = Axis.over(
                growth.lines().stream()
                        .flatMap(line -> line.points().keySet().stream())
                        .mapToDouble(Integer::doubleValue),
                60,
                WIDTH - 130);
        var y = Axis.over(
                growth.lines().stream()
                        .flatMap(line -> line.points().values().stream())
                        .mapToDouble(Double::doubleValue),
                bottom,
                TOP);
        var svg = new Svg(
                WIDTH,
                height,
                growth.title() + " — " + growth.unit().name() + " per pair, less is better, logarithmic");
        for (double mark : x.marks()) {
            svg.line(x.at(mark), TOP, x.at(mark), bottom, "grid");
            svg.text(x.at(mark), bottom + 16, "middle", Numbers.of(mark));
        }
        for (double mark : y.marks()) {
            svg.line(60, y.at(mark), WIDTH - 130, y.at(mark), "grid");
            svg.text(54, y.at(mark) + 4, "end", Numbers.of(mark));
        }
        svg.text((60 + WIDTH - 130) / 2.0, bottom + 34, "middle", growth.grows());
        growth.lines().forEach(line -> curve(svg, x, y, line));
        return svg.toString();
    }

    private static void curve(Svg svg, Axis x, Axis y, Line line) {
        String kind = kind(line.library());
        double lastX = Double.NaN;
        double lastY = Double.NaN;
        for (Map.Entry<Integer, Double> point : line.points().entrySet()) {
            double px = x.at(point.getKey());
            double py = y.at(point.getValue());
            if (!Double.isNaN(lastX)) {
                svg.line(lastX, lastY, px, py, kind + " line");
            }
            svg.dot(px, py, kind);
            lastX = px;
            lastY = py;
        }
        if (!Double.isNaN(lastX)) {
            svg.text(lastX + 10, lastY + 4, "", line.title());
        }
    }

    private static String kind(String library) {
        return library.startsWith("lockkeeper") ? "ours" : FLOORS.contains(library) ? "floor" : "peer";
    }
}
