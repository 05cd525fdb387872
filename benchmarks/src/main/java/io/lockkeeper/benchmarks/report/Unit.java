package io.lockkeeper.benchmarks.report;

/**
 * What is counted.
 *
 * @param more whether more of it is better
 */
public record Unit(String name, boolean more) {

    public static final Unit PAIRS = new Unit("pairs/s", true);

    /** How many times better the first is. */
    public double ratio(double ours, double theirs) {
        return more ? ours / theirs : theirs / ours;
    }
}
