package io.lockkeeper.faults.history;

/**
 * One fault.
 *
 * @param target who it was done to, for people
 * @param begun before anything was done
 * @param healed after all was well again
 * @param expectedFrom from when on each name should be served again, within a lease or so
 * @param losesGrants whether the store may forget grants by it, so that two may rightly believe to hold for a while
 */
public record Incident(String kind, String target, long begun, long healed, long expectedFrom, boolean losesGrants) {}
