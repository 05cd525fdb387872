package io.lockkeeper.benchmarks.report;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.DoubleStream;

/** A logarithmic scale from one whole power of ten to another. */
record Axis(int low, int high, double from, double to) {

    /** One that holds all these values, which are greater than zero, between two points of the picture. */
    static Axis over(DoubleStream values, double from, double to) {
        DoubleSummaryStatistics all = values.filter(value -> value > 0).summaryStatistics();
        if (all.getCount() == 0) {
            return new Axis(0, 1, from, to);
        }
        int low = (int) Math.floor(Math.log10(all.getMin()) + 1e-9);
        int high = (int) Math.ceil(Math.log10(all.getMax()) - 1e-9);
        return new Axis(low, Math.max(high, low + 1), from, to);
    }

    double at(double value) {
        double part = (Math.log10(Math.max(value, Math.pow(10, low))) - low) / (high - low);
        return from + (to - from) * part;
    }

    /** The powers of ten. */
    List<Double> marks() {
        List<Double> marks = new ArrayList<>();
        for (int i = low; i <= high; i++) {
            marks.add(Math.pow(10, i));
        }
        return marks;
    }
}
