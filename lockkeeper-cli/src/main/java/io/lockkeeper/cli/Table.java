package io.lockkeeper.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns as wide as they need; a heading that begins with {@code >} sets its column to the right. */
public final class Table {

    private final boolean[] right;
    private final List<String[]> rows = new ArrayList<>();

    public Table(String... headings) {
        right = new boolean[headings.length];
        String[] first = headings.clone();
        for (int i = 0; i < first.length; i++) {
            right[i] = first[i].startsWith(">");
            first[i] = right[i] ? first[i].substring(1) : first[i];
        }
        rows.add(first);
    }

    public void row(String... cells) {
        if (cells.length != right.length) {
            throw new IllegalArgumentException(cells.length + " cells for " + right.length + " columns");
        }
        rows.add(cells);
    }

    /** The text with control characters spelled out, so that a name can neither break a line nor move the cursor. */
    public static String visible(String text) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            shown.append(Character.isISOControl(c) ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        }
        return shown.toString();
    }

    @Override
    public String toString() {
        int[] width = new int[right.length];
        for (String[] row : rows) {
            for (int i = 0; i < width.length; i++) {
                width[i] = Math.max(width[i], length(row[i]));
            }
        }
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < width.length; i++) {
                String pad = " ".repeat(width[i] - length(row[i]));
                line.append(i == 0 ? "" : "  ").append(right[i] ? pad + row[i] : row[i] + pad);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
