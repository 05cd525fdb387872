package io.lockkeeper.spring;

/** What a call does if its lock is lost while the method runs. */
public enum OnLost {
    /**
     * The method runs to its end. A transaction that began under the lock is rolled back in place of its commit, and the call throws
     * {@link io.lockkeeper.LockLostException}.
     */
    THROW,
    /**
     * The thread of the method is interrupted, a {@code Mono} or {@code Flux} is cancelled; then as {@link #THROW}. A method that
     * returns a {@code CompletionStage} is not interrupted once it has returned.
     */
    INTERRUPT,
    /** A warning is logged, and the method goes on as if nothing had happened. Fenced commits are still refused. */
    REPORT
}
