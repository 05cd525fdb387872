package io.lockkeeper.faults.check;

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
 * @param recoveries nanoseconds, one for each fault: until every name had been acquired again
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
        List<Long> recoveries) {

    public Figures {
        recoveries = recoveries.stream().sorted().toList();
    }

    /** The middle one, or 0 if there was no fault. */
    public long medianRecovery() {
        return recoveries.isEmpty() ? 0 : recoveries.get(recoveries.size() / 2);
    }

    /** The longest, or 0 if there was no fault. */
    public long longestRecovery() {
        return recoveries.isEmpty() ? 0 : recoveries.get(recoveries.size() - 1);
    }
}
