package io.lockkeeper.flashsale;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What sellers did, as they saw it.
 *
 * @param attempts how often it was tried to sell a piece
 * @param failures customers that were sent away though there may have been something left
 * @param micros how long each customer waited that was served or failed
 */
record Tally(int attempts, int failures, List<Long> micros) {

    static Tally sum(Collection<Tally> tallies) {
        int attempts = 0;
        int failures = 0;
        List<Long> micros = new ArrayList<>();
        for (Tally one : tallies) {
            attempts += one.attempts;
            failures += one.failures;
            micros.addAll(one.micros);
        }
        return new Tally(attempts, failures, micros);
    }

    String line() {
        return attempts + " " + failures + " "
                + micros.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    static Tally parse(String line) {
        String[] parts = line.split(" ");
        List<Long> micros = parts.length < 3
                ? List.of()
                : Stream.of(parts[2].split(",")).map(Long::valueOf).toList();
        return new Tally(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), micros);
    }

    /** What 99 of 100 customers did not wait longer for, in milliseconds. */
    double p99() {
        if (micros.isEmpty()) {
            return 0;
        }
        List<Long> sorted = micros.stream().sorted().toList();
        return sorted.get((int) Math.ceil(sorted.size() * 0.99) - 1) / 1_000.0;
    }
}
