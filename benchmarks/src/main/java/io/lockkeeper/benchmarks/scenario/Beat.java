package io.lockkeeper.benchmarks.scenario;

import java.time.Duration;

/**
 * How long each library is measured.
 *
 * @param warmUp thrown away
 * @param warmUps how many at most, until little is compiled any more
 */
record Beat(Duration warmUp, int warmUps, int rounds, Duration round) {

    /** The number of warm-ups that is mostly enough: some libraries have worked in other scenarios before. */
    private static final int MOSTLY = 3;

    static Beat millis(int warmUp, int warmUps, int rounds, int round) {
        return new Beat(Duration.ofMillis(warmUp), warmUps, rounds, Duration.ofMillis(round));
    }

    /** The whole of it, with what preparing a round costs. */
    Duration total() {
        return warmUp.multipliedBy(Math.min(warmUps, MOSTLY))
                .plus(round.multipliedBy(rounds))
                .plus(Duration.ofMillis(60).multipliedBy(rounds + 1));
    }

    Beat scaled(double factor) {
        return new Beat(scaled(warmUp, factor), warmUps, rounds, scaled(round, factor));
    }

    static Duration scaled(Duration time, double factor) {
        return Duration.ofNanos((long) (time.toNanos() * factor));
    }
}
