package io.lockkeeper.faults;

import io.lockkeeper.faults.Row.Cell;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows with columns as wide as they need to be; a store's name to the left, numbers to the right. */
final class Table {

    private static final String GAP = "  ";

    private Table() {}

    static void print(List<Row> rows, PrintWriter out) {
        List<List<String>> lines = new ArrayList<>();
        List<Cell> first = rows.get(0).cells();
        lines.add(first.stream().map(Cell::heading).toList());
        for (Row row : rows) {
            lines.add(row.cells().stream().map(Cell::value).toList());
        }
        List<Integer> widths = new ArrayList<>();
        for (int column = 0; column < first.size(); column++) {
            int at = column;
            widths.add(
                    lines.stream().mapToInt(line -> line.get(at).length()).max().orElse(0));
        }
        out.println(groups(first, widths));
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int column = 0; column < line.size(); column++) {
                String cell = line.get(column);
                String blank = " ".repeat(widths.get(column) - cell.length());
                text.append(column == 0 ? cell + blank : GAP + blank + cell);
            }
            out.println(text);
        }
    }

    /** The line above the headings: each group's name over its first column. */
    private static String groups(List<Cell> cells, List<Integer> widths) {
        StringBuilder text = new StringBuilder();
        int end = 0;
        String group = "";
        for (int column = 0; column < cells.size(); column++) {
            String own = cells.get(column).group();
            if (!own.equals(group) && !own.isEmpty()) {
                int width = cells.get(column).heading().length();
                int begin = end + GAP.length() + widths.get(column) - width;
                text.append(" ".repeat(Math.max(0, begin - text.length()))).append(own);
            }
            group = own;
            end += (column == 0 ? 0 : GAP.length()) + widths.get(column);
        }
        return text.toString();
    }
}
