package io.lockkeeper.benchmarks.report;

import io.lockkeeper.benchmarks.report.Finding.Entry;
import io.lockkeeper.benchmarks.report.Finding.Growth;
import io.lockkeeper.benchmarks.report.Finding.Line;
import io.lockkeeper.benchmarks.report.Finding.Race;
import io.lockkeeper.benchmarks.report.Finding.Sheet;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Findings as rows of words; the first row is the head. */
public final class Tables {

    private Tables() {}

    public static List<List<String>> of(Finding finding) {
        if (finding instanceof Race race) {
            return race(race);
        }
        return finding instanceof Growth growth ? growth(growth) : sheet((Sheet) finding);
    }

    private static List<List<String>> race(Race race) {
        Entry ours = ours(race);
        Set<String> columns = new LinkedHashSet<>();
        race.entries().forEach(entry -> columns.addAll(entry.columns().keySet()));
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("", race.unit().name() + " (least–most)", "Lockkeeper is", "goal"));
        head.addAll(columns);
        rows.add(head);
        for (Entry entry : race.entries()) {
            double ratio =
                    race.unit().ratio(ours.value().median(), entry.value().median());
            List<String> row = new ArrayList<>(List.of(
                    entry.title(),
                    Numbers.of(entry.value()),
                    entry.equals(ours) ? "" : Numbers.times(ratio),
                    goal(race, entry, ratio)));
            for (String column : columns) {
                Double value = entry.columns().get(column);
                row.add(
                        value == null
                                ? ""
                                : Numbers.of(value) + (entry.equals(ours) ? verdict(race, column, value) : ""));
            }
            rows.add(row);
        }
        return rows;
    }

    /** The entry that the others are compared with: the first. */
    static Entry ours(Race race) {
        return race.entries().get(0);
    }

    private static String goal(Race race, Entry entry, double ratio) {
        for (Goal goal : race.goals()) {
            if (!goal.column() && goal.against().equals(entry.library())) {
                return Numbers.times(goal.limit()) + (goal.reached(ratio) ? " reached" : " **missed**");
            }
        }
        return "";
    }

    private static String verdict(Race race, String column, double value) {
        for (Goal goal : race.goals()) {
            if (goal.column() && goal.against().equals(column)) {
                return " (" + (goal.atMost() ? "≤ " : "≥ ") + Numbers.of(goal.limit())
                        + (goal.reached(value) ? " reached)" : " **missed**)");
            }
        }
        return "";
    }

    private static List<List<String>> growth(Growth growth) {
        Set<Integer> sizes = new TreeSet<>();
        growth.lines().forEach(line -> sizes.addAll(line.points().keySet()));
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of(growth.unit().name() + ", by " + growth.grows()));
        sizes.forEach(size -> head.add(Numbers.of(size)));
        rows.add(head);
        for (Line line : growth.lines()) {
            List<String> row = new ArrayList<>(List.of(line.title()));
            for (Integer size : sizes) {
                Double value = line.points().get(size);
                row.add(value == null ? "" : Numbers.of(value));
            }
            rows.add(row);
        }
        return rows;
    }

    private static List<List<String>> sheet(Sheet sheet) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(sheet.columns());
        rows.addAll(sheet.rows());
        return rows;
    }

    /** For a terminal. */
    public static String plain(List<List<String>> rows) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).replace("**", "").length());
            }
        }
        var text = new StringBuilder();
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                String word = row.get(i).replace("**", "");
                String fill = " ".repeat(widths[i] - word.length());
                text.append("  ").append(i == 0 ? word + fill : fill + word);
            }
            text.append('\n');
        }
        return text.toString();
    }

    /** For a page. */
    public static String markdown(List<List<String>> rows) {
        var text = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            text.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
            if (i == 0) {
                text.append("|---")
                        .append("|--:".repeat(rows.get(0).size() - 1))
                        .append("|\n");
            }
        }
        return text.toString();
    }
}
