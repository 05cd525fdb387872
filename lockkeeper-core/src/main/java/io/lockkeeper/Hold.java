package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Having something acquired, until it is released or lost.
 *
 * <p><b>What is promised.</b> {@link #state()} is computed here, without asking anyone, from the moment the last
 * successful request was <em>sent</em>. While the process runs at all and clocks run within one percent of each other,
 * {@link HoldState#HELD} ends before the store may give the same thing to somebody else.
 *
 * <p><b>What is not.</b> No lease can promise exclusion to a program that may be paused between looking at the state
 * and acting on it. What must never be written by a stale holder needs the {@linkplain ExclusiveHold#token() fencing
 * token} and a {@link Fencing guard} beside the data.
 */
public interface Hold extends AutoCloseable {

    /** What {@link #remaining()} returns when there is no lease: {@link Long#MAX_VALUE} nanoseconds, about 292 years. */
    Duration UNLIMITED = Duration.ofNanos(Long.MAX_VALUE);

    /** What is known of it now; a local check. */
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
     * Fails if this is not surely held any more; a local check without I/O, cheap enough for inner loops.
     *
     * @throws LockLostException if it was lost
     * @throws IllegalStateException if it was released
     */
    void ensureHeld();

    /**
     * Completes when it is lost; never when it is released properly. Each call returns a new future, so that
     * completing it from outside harms nobody. A program that keeps the future keeps the hold: it is not taken for {@linkplain Leaks
     * forgotten}.
     */
    CompletableFuture<Loss> lost();

    /**
     * Calls the listener when this is lost, at once if it already is; never after a proper release. It runs on the
     * keeper's callback executor and may block or throw without harm to any lock. A program that keeps the
     * registration keeps the hold.
     */
    Registration onLost(Consumer<? super Loss> listener);

    /**
     * Gives it back. It counts as not held from the moment this call begins, whatever the outcome. Calling it again
     * returns the first outcome.
     */
    ReleaseOutcome release();

    /** Like {@link #release()} without blocking the caller. */
    CompletableFuture<ReleaseOutcome> releaseAsync();

    /** Releases. Never throws, so that it can not mask an exception of the body; a loss is logged. */
    @Override
    void close();
}
