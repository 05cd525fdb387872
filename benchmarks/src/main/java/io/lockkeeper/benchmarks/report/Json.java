package io.lockkeeper.benchmarks.report;

import io.lockkeeper.benchmarks.report.Finding.Growth;
import io.lockkeeper.benchmarks.report.Finding.Race;
import io.lockkeeper.benchmarks.report.Finding.Sheet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Findings as JSON. */
public final class Json {

    private Json() {}

    /** One finding, with where it was found. */
    public static String of(Finding finding, Map<String, String> machine) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("id", finding.id());
        all.put("title", finding.title());
        all.put("measures", finding.sentence());
        all.put("machine", machine);
        if (finding instanceof Race race) {
            all.put("unit", race.unit().name());
            all.put("more_is_better", race.unit().more());
            all.put("load_before", race.load());
            all.put("entries", race.entries().stream().map(Json::entry).toList());
        } else if (finding instanceof Growth growth) {
            all.put("grows", growth.grows());
            all.put("unit", growth.unit().name());
            all.put("more_is_better", growth.unit().more());
            all.put("lines", growth.lines().stream().map(Json::line).toList());
        } else if (finding instanceof Sheet sheet) {
            all.put("columns", sheet.columns());
            all.put("rows", sheet.rows());
        }
        return value(all) + "\n";
    }

    private static Map<String, Object> entry(Finding.Entry entry) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("library", entry.library());
        fields.put("median", entry.value().median());
        fields.put("least", entry.value().least());
        fields.put("most", entry.value().most());
        fields.putAll(entry.columns());
        return fields;
    }

    private static Map<String, Object> line(Finding.Line line) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("library", line.library());
        fields.put("points", line.points());
        return fields;
    }

    private static String value(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> quoted(entry.getKey().toString()) + ": " + value(entry.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Json::value).collect(Collectors.joining(",\n  ", "[\n  ", "]"));
        }
        if (value instanceof Double number) {
            return Double.isFinite(number) ? String.format(Locale.ROOT, "%.6g", number) : "null";
        }
        return value instanceof Number || value instanceof Boolean ? value.toString() : quoted(value.toString());
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
