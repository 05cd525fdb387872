package io.lockkeeper.faults;

import io.lockkeeper.faults.check.Figures;
import io.lockkeeper.faults.check.Rule;
import io.lockkeeper.faults.check.Verdict;
import io.lockkeeper.faults.drive.Plan;
import io.lockkeeper.faults.history.History;
import io.lockkeeper.faults.history.Incident;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the run on one store came to. */
record Row(String store, Plan plan, Map<String, Long> faults, Verdict verdict, double seconds) {

    static Row of(String store, Plan plan, History history, Verdict verdict, double seconds) {
        Map<String, Long> faults = new TreeMap<>();
        for (Incident incident : history.incidents()) {
            faults.merge(incident.kind(), 1L, Long::sum);
        }
        return new Row(store, plan, faults, verdict, seconds);
    }

    /** A column of the table, under a heading that it may share with those to its right. */
    record Cell(String group, String heading, String value) {}

    List<Cell> cells() {
        Figures figures = verdict.figures();
        long all = faults.values().stream().mapToLong(Long::longValue).sum();
        long stale = verdict.count(Rule.STALE_ADMITTED) + verdict.count(Rule.LOST_ON_F);
        return List.of(
                new Cell("", "store", store),
                new Cell("", "faults", Long.toString(all)),
                new Cell("", "acquired", Long.toString(figures.acquired())),
                new Cell("", "lost", Long.toString(figures.lost())),
                new Cell("held at once", "unexcused", count(Rule.OVERLAP)),
                new Cell("held at once", "excused", count(Rule.OVERLAP_EXPLAINED)),
                new Cell("held at once", "longest", millis(figures.longestOverlap())),
                new Cell("tokens", "twice", count(Rule.DUPLICATE_TOKEN)),
                new Cell("tokens", "disorder", count(Rule.OUT_OF_ORDER)),
                new Cell("F", "STALE", Long.toString(stale)),
                new Cell("F", "refused", Long.toString(figures.refused())),
                new Cell("U", "lost", Long.toString(figures.lostUpdates())),
                new Cell("", "hung", Long.toString(verdict.count(Rule.HUNG) + verdict.count(Rule.LATE))),
                new Cell("", "stuck", Long.toString(verdict.count(Rule.STUCK) + verdict.count(Rule.NOT_RECOVERED))),
                new Cell("recovery", "median", millis(figures.medianRecovery())),
                new Cell("recovery", "max", millis(figures.longestRecovery())));
    }

    private String count(Rule rule) {
        return Long.toString(verdict.count(rule));
    }

    private static String millis(long nanos) {
        return nanos / 1_000_000 + " ms";
    }
}
