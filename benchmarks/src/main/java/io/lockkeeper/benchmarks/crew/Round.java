package io.lockkeeper.benchmarks.crew;

import io.lockkeeper.benchmarks.job.Histogram;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * What came of one round.
 *
 * @param time how long it was
 * @param shares how often each thread did its work within that time, by process
 * @param waits how long they waited, each time
 * @param compiling how long the compilers of all processes worked meanwhile
 */
public record Round(Duration time, List<long[]> shares, Histogram waits, Duration compiling) {

    public double perSecond() {
        return count() / (time.toNanos() / 1e9);
    }

    /** How often all did their work within that time. */
    public double count() {
        return shares.stream().flatMapToLong(Arrays::stream).sum();
    }

    /** How many processors the compilers had, on average: while it is much, what is measured is the beginning. */
    public double compilers() {
        return (double) compiling.toNanos() / time.toNanos();
    }

    /** The share of the thread that had least, as a part of the mean. */
    public double leastThread() {
        double least = shares.stream().flatMapToLong(Arrays::stream).min().orElse(0);
        long threads = shares.stream().flatMapToLong(Arrays::stream).count();
        return count() == 0 ? 0 : least * threads / count();
    }

    /** The share of the process that had least, as a part of the mean. */
    public double leastProcess() {
        double least = shares.stream()
                .mapToLong(each -> Arrays.stream(each).sum())
                .min()
                .orElse(0);
        return count() == 0 ? 0 : least * shares.size() / count();
    }
}
