package io.lockkeeper.benchmarks.report;

import java.util.Arrays;
import java.util.Collection;

/** A figure over the rounds: the median, and how far they were apart. */
public record Spread(double median, double least, double most) {

    /** @throws IllegalArgumentException if there are none */
    public static Spread of(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("A median needs at least one value");
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    public static Spread of(double value) {
        return new Spread(value, value, value);
    }
}
