package io.lockkeeper.quorum;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.spi.Durations;
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

    /**
     * The same delay each time, and a random part on top: what other Redlock clients call retry delay and retry jitter.
     *
     * @param jitter above zero, best as long as the delay
     */
    static BackOff constant(Duration delay, Duration jitter) {
        given(delay, "delay");
        given(jitter, "jitter");
        if (delay.isNegative() || jitter.isNegative() || jitter.isZero()) {
            throw new IllegalArgumentException(
                    "A back-off of " + Durations.text(delay) + " and a random part of up to " + Durations.text(jitter)
                            + " is not possible; the first must not be negative and the second above zero");
        }
        return (failures, random) -> delay.plusNanos(random.nextLong(jitter.toNanos() + 1));
    }

    /** A random time from {@code shortest} to a bound that doubles with each failure, up to {@code longest}. */
    static BackOff exponential(Duration shortest, Duration longest) {
        given(shortest, "shortest");
        given(longest, "longest");
        if (shortest.isNegative() || shortest.isZero() || longest.compareTo(shortest) <= 0) {
            throw new IllegalArgumentException("A back-off from " + Durations.text(shortest) + " to "
                    + Durations.text(longest) + " is no range; the first must be above zero and the second longer");
        }
        return (failures, random) -> {
            Duration doubled = shortest.multipliedBy(2L << Math.min(failures, 20));
            Duration bound = doubled.compareTo(longest) < 0 ? doubled : longest;
            return Duration.ofNanos(random.nextLong(shortest.toNanos(), bound.toNanos() + 1));
        };
    }
}
