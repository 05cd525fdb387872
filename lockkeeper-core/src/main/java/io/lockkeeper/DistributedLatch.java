package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A count that goes down to zero, and those who wait for it. A latch that was never set, or was deleted, stands at
 * zero. Each setting begins a new generation: a late {@code countDown} of the last one changes nothing, and one whose
 * reply was lost counts once however often it is sent again.
 */
public interface DistributedLatch {

    String name();

    /**
     * Sets the count if it stands at zero.
     *
     * @param count at least 1
     * @return whether this call set it
     */
    boolean trySetCount(int count);

    CompletableFuture<Boolean> trySetCountAsync(int count);

    /** The count now; asks the store. */
    int count();

    CompletableFuture<Integer> countAsync();

    /**
     * Takes one off the count; nothing happens at zero.
     *
     * @throws CountPendingException if the store did not answer after it was sent: it is counted in the background, once, so
     *     do not repeat it
     * @throws StoreUnavailableException of any other kind if the store did not answer before that: nothing was counted, and
     *     nothing will be, so try again
     */
    void countDown();

    /** The same without blocking; the future fails with the same exceptions. */
    CompletableFuture<@Nullable Void> countDownAsync();

    /** Waits until the count is zero, or the latch is deleted. */
    void await() throws InterruptedException;

    /**
     * Waits at most this long; a negative duration counts as zero.
     *
     * @return whether the count reached zero in time
     */
    boolean await(Duration wait) throws InterruptedException;

    CompletableFuture<@Nullable Void> awaitAsync();

    CompletableFuture<Boolean> awaitAsync(Duration wait);

    /** Forgets the latch; those who wait go on. */
    void delete();

    CompletableFuture<@Nullable Void> deleteAsync();
}
