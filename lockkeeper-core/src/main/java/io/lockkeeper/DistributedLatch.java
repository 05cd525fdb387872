package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A counter in the store that threads of all processes can wait on until it reaches zero. A latch that was never set, or was
 * deleted, is at zero. Each setting begins a new generation: a late {@code countDown} of the previous one changes nothing, and
 * a {@code countDown} whose reply was lost counts once however often it is sent again.
 */
public interface DistributedLatch {

    /** The name of the latch. */
    String name();

    /**
     * Sets the count if it is at zero.
     *
     * @param count at least 1
     * @return whether this call set it
     */
    boolean trySetCount(int count);

    /** Like {@link #trySetCount} without blocking the caller. */
    CompletableFuture<Boolean> trySetCountAsync(int count);

    /** The current count; asks the store. */
    int count();

    /** Like {@link #count()} without blocking the caller. */
    CompletableFuture<Integer> countAsync();

    /**
     * Decrements the count; does nothing at zero.
     *
     * @throws CountPendingException if the store did not answer after the request was sent: it is counted in the background,
     *     once, so do not repeat it
     * @throws StoreUnavailableException of any other kind if the store did not answer before that: nothing was counted, and
     *     nothing will be, so try again
     */
    void countDown();

    /** Like {@link #countDown()} without blocking the caller; the future fails with the same exceptions. */
    CompletableFuture<@Nullable Void> countDownAsync();

    /** Waits until the count is zero, or the latch is deleted. */
    void await() throws InterruptedException;

    /**
     * Waits for at most this time; a negative duration counts as zero.
     *
     * @return whether the count reached zero in time
     */
    boolean await(Duration wait) throws InterruptedException;

    /** Like {@link #await()} without blocking the caller. */
    CompletableFuture<@Nullable Void> awaitAsync();

    /** Like {@link #await(Duration)} without blocking the caller. */
    CompletableFuture<Boolean> awaitAsync(Duration wait);

    /** Deletes the latch; its waiters return. */
    void delete();

    /** Like {@link #delete()} without blocking the caller. */
    CompletableFuture<@Nullable Void> deleteAsync();
}
