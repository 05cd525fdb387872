package io.lockkeeper.spring;

/** What a call does if the lock was not acquired within its wait. */
public enum WhenBusy {
    /** Throws {@link io.lockkeeper.LockTimeoutException}, which names the lock, its holder and both times. */
    THROW,
    /** Returns without running the method: null, an empty {@code Optional}, an empty {@code Mono} or {@code Flux}. */
    SKIP,
    /** Calls another method of the same class, see {@link Locked#fallback}. */
    FALLBACK
}
