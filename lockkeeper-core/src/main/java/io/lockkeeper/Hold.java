package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Something the application currently holds, until it is released or lost.
 *
 * <p><b>What is promised.</b> {@link #state()} is computed locally, without I/O, from the time the last successful request was
 * <em>sent</em>. While the process runs at all and clocks run within one percent of each other, {@link HoldState#HELD} ends
 * before the store may grant the resource to anybody else.
 *
 * <p><b>What is not promised.</b> No lease can guarantee exclusion to a program that may be paused between checking the state
 * and acting on it. Data that must never be written by a stale holder needs the {@linkplain ExclusiveHold#token() fencing
 * token} and a {@link Fencing guard} beside the data.
 */
public interface Hold extends AutoCloseable {

    /** What {@link #remaining()} returns when there is no lease: {@link Long#MAX_VALUE} nanoseconds, about 292 years. */
    Duration UNLIMITED = Duration.ofNanos(Long.MAX_VALUE);

    /** The state of the hold as far as it is known here; a local check without I/O. */
    HoldState state();

    /**
     * Whether this is still held: its {@link #state()} is {@link HoldState#HELD} or {@link HoldState#UNCERTAIN}. A local check
     * without I/O. The answer may be out of date as soon as it is given, see above.
     */
    default boolean isHeld() {
        HoldState now = state();
        return now == HoldState.HELD || now == HoldState.UNCERTAIN;
    }

    /**
     * The time for which the hold is guaranteed valid without another renewal; zero when it is lost or released. A local check
     * without I/O. The holds of a store without leases, whose grants end only with a release or with the process, return
     * {@link #UNLIMITED}.
     */
    Duration remaining();

    /**
     * Throws if this is not held any more; a local check without I/O, cheap enough for inner loops.
     *
     * @throws LockLostException if it was lost
     * @throws IllegalStateException if it was released
     */
    void ensureHeld();

    /**
     * A future that completes when the hold is lost, and never if it is released. Each call returns a new future, so completing
     * it from outside affects nothing else. While the application refers to the future, or something depends on it, the hold is
     * not considered {@linkplain Leaks forgotten}. That it is an argument of {@link CompletableFuture#allOf} or {@link
     * CompletableFuture#anyOf}, a future does not know: refer to the hold, or to its future, beside their result.
     */
    CompletableFuture<Loss> lost();

    /**
     * Calls the listener when the hold is lost, at once if it already is, and never after a release. The listener runs on the
     * keeper's callback executor and may block or throw without affecting any lock. While the application refers to the
     * registration, the hold is not considered forgotten.
     */
    Registration onLost(Consumer<? super Loss> listener);

    /**
     * Releases the hold. It counts as not held from the moment this call begins, whatever the outcome. Calling it again returns
     * the first outcome.
     */
    ReleaseOutcome release();

    /** Like {@link #release()} without blocking the caller. */
    CompletableFuture<ReleaseOutcome> releaseAsync();

    /** Releases the hold. Never throws, so that it cannot mask an exception of the body; a loss is logged. */
    @Override
    void close();
}
