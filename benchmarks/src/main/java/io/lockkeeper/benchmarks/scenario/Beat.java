package io.lockkeeper.benchmarks.scenario;

import java.time.Duration;

/**
 * How long each library is measured.
 *
 * @param warmUp thrown away
 */
record Beat(Duration warmUp, int rounds, Duration round) {

    static Beat millis(int warmUp, int rounds, int round) {
        return new Beat(Duration.ofMillis(warmUp), rounds, Duration.ofMillis(round));
    }

    /** The whole of it, with what preparing a round costs. */
    Duration total() {
        return warmUp.plus(round.multipliedBy(rounds))
                .plus(Duration.ofMillis(60).multipliedBy(rounds + 1));
    }

    Beat scaled(double factor) {
        return new Beat(scaled(warmUp, factor), rounds, scaled(round, factor));
    }

    static Duration scaled(Duration time, double factor) {
        return Duration.ofNanos((long) (time.toNanos() * factor));
    }
}
