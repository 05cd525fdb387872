package io.lockkeeper.faults;

import io.lockkeeper.faults.check.Figures;
import io.lockkeeper.faults.check.Rule;
import io.lockkeeper.faults.check.Verdict;
import io.lockkeeper.faults.drive.Plan;
import io.lockkeeper.faults.history.History;
import io.lockkeeper.faults.history.Incident;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** What the run on one store came to, by the names of the columns. */
record Row(String store, Plan plan, Map<String, Long> faults, Verdict verdict, double seconds) {

    static Row of(String store, Plan plan, History history, Verdict verdict, double seconds) {
        Map<String, Long> faults = new TreeMap<>();
        for (Incident incident : history.incidents()) {
            faults.merge(incident.kind(), 1L, Long::sum);
        }
        return new Row(store, plan, faults, verdict, seconds);
    }

    /** The columns of the table, in their order. */
    Map<String, String> columns() {
        Figures figures = verdict.figures();
        Map<String, String> columns = new LinkedHashMap<>();
        columns.put("store", store);
        columns.put(
                "faults",
                Long.toString(
                        faults.values().stream().mapToLong(Long::longValue).sum()));
        columns.put("acquired", Long.toString(figures.acquired()));
        columns.put("lost", Long.toString(figures.lost()));
        columns.put("overlaps", count(Rule.OVERLAP));
        columns.put("after lost grants", count(Rule.OVERLAP_EXPLAINED));
        columns.put("longest", millis(figures.longestOverlap()));
        columns.put("tokens twice", count(Rule.DUPLICATE_TOKEN));
        columns.put("out of order", count(Rule.OUT_OF_ORDER));
        columns.put("STALE ON F", Long.toString(verdict.count(Rule.STALE_ADMITTED) + verdict.count(Rule.LOST_ON_F)));
        columns.put("refused by F", Long.toString(figures.refused()));
        columns.put("lost on U", Long.toString(figures.lostUpdates()));
        columns.put("hung", Long.toString(verdict.count(Rule.HUNG) + verdict.count(Rule.LATE)));
        columns.put("stuck", Long.toString(verdict.count(Rule.STUCK) + verdict.count(Rule.NOT_RECOVERED)));
        columns.put("recovery median", millis(figures.medianRecovery()));
        columns.put("max", millis(figures.longestRecovery()));
        return columns;
    }

    private String count(Rule rule) {
        return Long.toString(verdict.count(rule));
    }

    private static String millis(long nanos) {
        return nanos / 1_000_000 + " ms";
    }
}
