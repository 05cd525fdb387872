package io.lockkeeper.benchmarks.report;

import java.util.Locale;

/** Figures for people: three digits that count, and commas. */
public final class Numbers {

    private Numbers() {}

    public static String of(double value) {
        double size = Math.abs(value);
        if (size >= 100 || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f", value);
    }

    public static String of(Spread spread) {
        return of(spread.median()) + " (" + of(spread.least()) + "–" + of(spread.most()) + ")";
    }

    /** A ratio. */
    public static String times(double ratio) {
        return String.format(Locale.ROOT, ratio >= 100 ? "%,.0f×" : ratio >= 10 ? "%.1f×" : "%.2f×", ratio);
    }
}
