package io.lockkeeper.benchmarks.peer;

/** What a library may offer. */
public enum Feature {
    LOCK,
    /** Its locks are re-entrant. */
    REENTRANT,
    /** Its exclusive locks have fencing tokens. */
    TOKENS,
    FAIR,
    READ_WRITE,
    SEMAPHORE,
    LATCH,
    /** Keeps its locks alive by itself. */
    RENEWAL
}
