package io.lockkeeper.testkit.sim;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came of a run.
 *
 * @param plan what was to happen
 * @param events how many events there were
 * @param virtualNanos how long it took in virtual time
 * @param hash the fingerprint of everything that happened
 * @param troubles what went wrong how often
 * @param grants how often a store granted something
 * @param losses how many holders lost what they had
 * @param overlaps how often two believed to hold when that could not be helped
 * @param accepted writes under a lock that the register took
 * @param refused writes of stale holders that it refused
 * @param violation the promise that was broken; null if none was
 * @param trace the last events, if they were recorded
 */
public record Run(
        Plan plan,
        long events,
        long virtualNanos,
        long hash,
        Map<SimFaults, Integer> troubles,
        long grants,
        long losses,
        long overlaps,
        long accepted,
        long refused,
        @Nullable Violation violation,
        List<String> trace) {}
