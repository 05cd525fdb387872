package io.lockkeeper.benchmarks.report;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** What a scenario found out. */
public sealed interface Finding {

    /** How it is called on the command line and in files. */
    String id();

    String title();

    /** What is measured, in a sentence or two. */
    String sentence();

    /**
     * Libraries side by side.
     *
     * @param load what else the machine had to do when it began: the load average
     */
    record Race(String id, String title, String sentence, Unit unit, List<Entry> entries, List<Goal> goals, double load)
            implements Finding {}

    /**
     * One library's figure.
     *
     * @param columns further figures
     */
    record Entry(String library, String title, Spread value, Map<String, Double> columns) {}

    /** The same as something grows; a line for each library. */
    record Growth(String id, String title, String sentence, String grows, Unit unit, List<Line> lines)
            implements Finding {}

    /** One library's line, by the size of what grows. */
    record Line(String library, String title, SortedMap<Integer, Double> points) {}

    /** A table that needs no ratios. */
    record Sheet(String id, String title, String sentence, List<String> columns, List<List<String>> rows)
            implements Finding {}
}
