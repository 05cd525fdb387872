package io.lockkeeper.faults;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Rows with columns as wide as they need to be; a store's name to the left, numbers to the right. */
final class Table {

    private Table() {}

    static void print(List<Row> rows, PrintWriter out) {
        List<List<String>> lines = new ArrayList<>();
        for (Row row : rows) {
            Map<String, String> columns = row.columns();
            if (lines.isEmpty()) {
                lines.add(List.copyOf(columns.keySet()));
            }
            lines.add(List.copyOf(columns.values()));
        }
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int column = 0; column < line.size(); column++) {
                int width = width(lines, column);
                String cell = line.get(column);
                String blank = " ".repeat(width - cell.length());
                text.append(column == 0 ? cell + blank : "  " + blank + cell);
            }
            out.println(text.toString().stripTrailing());
        }
    }

    private static int width(List<List<String>> lines, int column) {
        return lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
    }
}
