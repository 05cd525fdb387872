package io.lockkeeper.benchmarks.report;

/**
 * What the design asks of our own figure.
 *
 * @param against a library, with the ratio to it; or a column of our own row, with its value
 * @param limit the least ratio or value; the greatest if {@code atMost}
 */
public record Goal(String against, double limit, boolean column, boolean atMost) {

    /** How many times as good as that library. */
    public static Goal times(String library, double ratio) {
        return new Goal(library, ratio, false, false);
    }

    /** At least so much in that column of our own. */
    public static Goal atLeast(String column, double value) {
        return new Goal(column, value, true, false);
    }

    /** At most so much in that column of our own. */
    public static Goal atMost(String column, double value) {
        return new Goal(column, value, true, true);
    }

    public boolean reached(double figure) {
        return atMost ? figure <= limit : figure >= limit;
    }
}
