package io.lockkeeper.benchmarks.job;

import java.util.StringJoiner;

/** Counts durations in classes that are 1/32 of their value wide; from 0 to 292 years in nanoseconds. */
public final class Histogram {

    private static final int SUB_BITS = 5;
    private static final int SUB = 1 << SUB_BITS;

    private final long[] counts = new long[(64 - SUB_BITS) * SUB];
    private long total;

    public void record(long nanos) {
        counts[index(Math.max(0, nanos))]++;
        total++;
    }

    public void add(Histogram other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        total += other.total;
    }

    public long total() {
        return total;
    }

    /** @return the middle of the class in which the given part (0 to 1) of all durations is reached; 0 if there are none */
    public double quantile(double part) {
        long rank = Math.max(1, (long) Math.ceil(part * total));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (counts[i] > 0 && seen >= rank) {
                return lowest(i) + (width(i) - 1) / 2.0;
            }
        }
        return 0;
    }

    private static int index(long value) {
        if (value < SUB) {
            return (int) value;
        }
        int shift = 63 - SUB_BITS - Long.numberOfLeadingZeros(value);
        return ((shift + 1) << SUB_BITS) + (int) (value >>> shift) - SUB;
    }

    private static long lowest(int index) {
        if (index < SUB) {
            return index;
        }
        int shift = (index >> SUB_BITS) - 1;
        return (long) (SUB + (index & (SUB - 1))) << shift;
    }

    private static long width(int index) {
        return index < SUB ? 1 : 1L << ((index >> SUB_BITS) - 1);
    }

    /** One word, which {@link #parse} understands. */
    @Override
    public String toString() {
        var words = new StringJoiner(",");
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                words.add(i + ":" + counts[i]);
            }
        }
        return words.toString();
    }

    public static Histogram parse(String text) {
        var histogram = new Histogram();
        for (String word : text.split(",")) {
            int colon = word.indexOf(':');
            if (colon > 0) {
                long count = Long.parseLong(word.substring(colon + 1));
                histogram.counts[Integer.parseInt(word.substring(0, colon))] = count;
                histogram.total += count;
            }
        }
        return histogram;
    }
}
