package io.lockkeeper.quorum;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long a claim waits before it asks a quorum again. */
@FunctionalInterface
public interface BackOff {

    /**
     * Random by nature: claimants that come back at the same time split the members between them again, and nobody gets a
     * majority.
     *
     * @param failures how often in a row this claim got nothing, from 1
     * @param random where chance comes from
     */
    Duration delay(int failures, RandomGenerator random);

    /** A random time from {@code shortest} to a bound that doubles with each failure, up to {@code longest}. */
    static BackOff exponential(Duration shortest, Duration longest) {
        if (shortest.isNegative() || shortest.isZero() || longest.compareTo(shortest) <= 0) {
            throw new IllegalArgumentException("A back-off from " + shortest + " to " + longest
                    + " is no range; the first must be above zero and the second longer");
        }
        return (failures, random) -> {
            Duration doubled = shortest.multipliedBy(2L << Math.min(failures, 20));
            Duration bound = doubled.compareTo(longest) < 0 ? doubled : longest;
            return Duration.ofNanos(random.nextLong(shortest.toNanos(), bound.toNanos() + 1));
        };
    }
}
