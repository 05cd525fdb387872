package io.lockkeeper.faults.check;

import java.util.Comparator;
import java.util.List;

/**
 * What is counted and not judged.
 *
 * @param acquired calls that got the lock
 * @param nothing calls whose limit passed
 * @param failed calls that threw
 * @param lost holds whose listener was told of their loss
 * @param refused accesses that F refused
 * @param plainWrites writes to U, all of which were acknowledged
 * @param lostUpdates how many of them are missing in its value at the end
 * @param longestOverlap nanoseconds
 * @param recoveries one for each fault, the shortest first
 */
public record Figures(
        long acquired,
        long nothing,
        long failed,
        long lost,
        long refused,
        long plainWrites,
        long lostUpdates,
        long longestOverlap,
        List<Recovered> recoveries) {

    /** How many nanoseconds after a fault of some kind every name had been acquired again. */
    public record Recovered(String kind, long nanos) {}

    public Figures {
        recoveries = recoveries.stream()
                .sorted(Comparator.comparingLong(Recovered::nanos))
                .toList();
    }

    /** The middle one, or 0 if there was no fault. */
    public long medianRecovery() {
        return recoveries.isEmpty() ? 0 : recoveries.get(recoveries.size() / 2).nanos();
    }

    /** The longest, or 0 if there was no fault. */
    public long longestRecovery() {
        return recoveries.isEmpty() ? 0 : recoveries.get(recoveries.size() - 1).nanos();
    }
}
