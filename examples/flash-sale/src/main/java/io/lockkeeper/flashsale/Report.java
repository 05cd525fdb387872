package io.lockkeeper.flashsale;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Results as a table of text. */
final class Report {

    private static final List<String> HEADINGS = List.of(
            "WAY", "SAFE", "SOLD", "OVERSOLD", "NO STOCK", "ATTEMPTS", "FAILURES", "P99", "PER SECOND", "STANDSTILL");

    private Report() {}

    /** @param missing ways that were left out, and why */
    static String table(List<Result> results, List<String> missing) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADINGS);
        results.forEach(result -> rows.add(cells(result)));
        int[] width = new int[HEADINGS.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < width.length; i++) {
                width[i] = Math.max(width[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            for (int i = 0; i < width.length; i++) {
                String pad = " ".repeat(width[i] - row.get(i).length());
                text.append("  ").append(i < 2 ? row.get(i) + pad : pad + row.get(i));
            }
            text.append('\n');
        }
        missing.forEach(line -> text.append("  ").append(line).append('\n'));
        return text.toString();
    }

    private static List<String> cells(Result result) {
        return List.of(
                result.way().title(),
                result.isSafe() ? "yes" : "no",
                Integer.toString(result.sold()),
                Integer.toString(result.oversold()),
                Integer.toString(result.withoutStock()),
                Integer.toString(result.tally().attempts()),
                Integer.toString(result.tally().failures()),
                String.format(Locale.ROOT, "%.0f ms", result.tally().p99()),
                String.format(Locale.ROOT, "%.0f", result.perSecond()),
                String.format(Locale.ROOT, "%.1f s", result.standstill().toMillis() / 1_000.0));
    }
}
