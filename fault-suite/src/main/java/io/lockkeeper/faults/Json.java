package io.lockkeeper.faults;

import io.lockkeeper.faults.check.Figures;
import io.lockkeeper.faults.check.Finding;
import io.lockkeeper.faults.check.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The rows as JSON: an array of objects, times in milliseconds. */
final class Json {

    /** The number of findings that are written in full; all of them are counted. */
    private static final int FULL = 50;

    private Json() {}

    static String of(List<Row> rows) {
        return "[" + rows.stream().map(row -> value(fields(row))).collect(Collectors.joining(",\n")) + "]\n";
    }

    private static Map<String, Object> fields(Row row) {
        Figures figures = row.verdict().figures();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("store", row.store());
        all.put("seed", row.plan().seed());
        all.put("seconds", Math.round(row.seconds()));
        all.put("lease_ms", row.plan().lease().toMillis());
        all.put("clients", row.plan().clients());
        all.put("threads", row.plan().threads());
        all.put("faults", row.faults());
        all.put("acquired", figures.acquired());
        all.put("timed_out", figures.nothing());
        all.put("failed", figures.failed());
        all.put("lost", figures.lost());
        all.put("refused_by_f", figures.refused());
        all.put("writes_to_u", figures.plainWrites());
        all.put("lost_on_u", figures.lostUpdates());
        all.put("longest_overlap_ms", figures.longestOverlap() / 1_000_000);
        for (Rule rule : Rule.values()) {
            all.put(rule.name().toLowerCase(Locale.ROOT), row.verdict().count(rule));
        }
        Map<String, List<Long>> recoveries = new TreeMap<>();
        for (Figures.Recovered recovered : figures.recoveries()) {
            recoveries
                    .computeIfAbsent(recovered.kind(), kind -> new ArrayList<>())
                    .add(recovered.nanos() / 1_000_000);
        }
        all.put("recovery_ms", recoveries);
        all.put(
                "findings",
                row.verdict().findings().stream()
                        .limit(FULL)
                        .map(Finding::toString)
                        .toList());
        return all;
    }

    private static String value(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> quoted(entry.getKey().toString()) + ": " + value(entry.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Json::value).collect(Collectors.joining(", ", "[", "]"));
        }
        return value instanceof Number ? value.toString() : quoted(value.toString());
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
