package io.lockkeeper;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A number of permits that all processes share. Permits are leased like locks: those of a crashed process come back by
 * themselves, and only their holder can release them; the ids of {@linkplain #portable() portable} ones can be passed to
 * another process, which releases them there. Waiting claims are served in order, so a claim for many permits is not starved by
 * claims for one; on a store without a queue (a quorum) in the order within each process.
 *
 * <p>The number of permits is either in the code of each process ({@link Lockkeeper#semaphore(String, int)}) or in the store
 * ({@link #trySetPermits}, {@link #addPermits}, {@link #resize}). A number that was set in the store counts: processes that
 * were started with another number continue with the one in the store, waiting ones included. As long as nobody has set it, a
 * process with another number than the first one is rejected with {@link ClaimRefusedException}, since one of the two is a
 * mistake. A number that was set stays in the store until {@link #clearPermits}; one that came from the code is forgotten about
 * a day after the last use. The store keeps only the number: on a server without persistence it is lost with everything else.
 *
 * <p>Fewer permits take nothing away from holders: released permits stay in the store until fewer are held than there are.
 * Inside a process a permit may still be handed off to a waiting thread, within the bounds of {@link HandOff}. A claim for more
 * permits than there are now waits until there are enough; claims of other processes pass it in the meantime, those of its own
 * process do not.
 */
public interface DistributedSemaphore extends Acquirable<Permit>, Leased<DistributedSemaphore> {

    /** The name of the semaphore. */
    String name();

    /**
     * The number of permits that this object was made with, or last changed it to; 0 if it was made without one. No I/O, so it
     * may differ from {@link #storedPermits()}.
     */
    int permits();

    /**
     * Waits until this many permits are acquired together.
     *
     * @param permits how many at once, at least 1; at most {@link #permits()} if this object was made with a number
     * @throws IllegalArgumentException if it is another number
     */
    Permit acquire(int permits) throws InterruptedException;

    /** Like {@link #tryAcquire()} for several permits, all or none. */
    @Nullable
    Permit tryAcquire(int permits);

    /** Like {@link #tryAcquire(Duration)} for several permits, all or none. */
    @Nullable
    Permit tryAcquire(int permits, Duration wait) throws InterruptedException;

    /** Like {@link #acquire(int)} without blocking the caller. */
    CompletableFuture<Permit> acquireAsync(int permits);

    /** Like {@link #tryAcquire(int)} without blocking the caller. */
    CompletableFuture<@Nullable Permit> tryAcquireAsync(int permits);

    /** Like {@link #tryAcquire(int, Duration)} without blocking the caller. */
    CompletableFuture<@Nullable Permit> tryAcquireAsync(int permits, Duration wait);

    /** A view that gives up once the store has not answered for this time; see {@link OwnedLock#giveUpAfter}. */
    DistributedSemaphore giveUpAfter(Duration silence);

    /**
     * A view whose permits are never handed off inside the process, so that their {@link SingleHold#id()} may be passed to
     * another process, which can release them with {@link Lockkeeper#release(Resource, String)}. All permits that were acquired
     * together are one hold with one id.
     *
     * @throws UnsupportedFeatureException if the store does not offer it
     */
    DistributedSemaphore portable();

    /** The number of permits that are free now; asks the store. */
    int availablePermits();

    /** The holders of permits and the number of waiting claims; empty if there are none. Asks the store. */
    Optional<ResourceState> inspect();

    /** Like {@link #inspect()} without blocking the caller. */
    CompletableFuture<Optional<ResourceState>> inspectAsync();

    /** Like {@link #availablePermits()} without blocking the caller. */
    CompletableFuture<Integer> availablePermitsAsync();

    /**
     * The number of permits in the store, also while nobody holds or waits for one; empty if the store has none, because it was
     * not set and the semaphore was not used, or not for about a day. Asks the store.
     *
     * @throws UnsupportedFeatureException if the store keeps no numbers of permits
     */
    OptionalInt storedPermits();

    /** Like {@link #storedPermits()} without blocking the caller. */
    CompletableFuture<OptionalInt> storedPermitsAsync();

    /**
     * Sets the number of permits in the store if it has none; wakes waiters. This object keeps its own.
     *
     * @return true if this call set it; false if the store has a number already, which stays
     * @throws IllegalArgumentException if it is less than 1
     * @throws StoreUnavailableException if the store did not answer; it may have been set
     * @throws UnsupportedFeatureException if the store keeps no numbers of permits
     */
    boolean trySetPermits(int permits);

    /** Like {@link #trySetPermits} without blocking the caller. */
    CompletableFuture<Boolean> trySetPermitsAsync(int permits);

    /**
     * Changes the number of permits in the store by this amount, in one step: additions of several processes all count. More
     * permits wake waiters, fewer take nothing away from holders. If the store has no number, it is added to {@link
     * #permits()}.
     *
     * @param change how many more; negative for fewer
     * @return the number of permits in the store now
     * @throws IllegalArgumentException if fewer than 1 would be left; then nothing changes
     * @throws StoreUnavailableException if the store did not answer; it may have been changed, once
     * @throws UnsupportedFeatureException if the store keeps no numbers of permits
     */
    int addPermits(int change);

    /** Like {@link #addPermits} without blocking the caller. */
    CompletableFuture<Integer> addPermitsAsync(int change);

    /**
     * Acquires all permits that are free, as one hold. Others may be faster between counting and acquiring; then it counts
     * again.
     *
     * @return null if none is free, or if other claims wait for them
     */
    @Nullable
    Permit drainPermits();

    /** Like {@link #drainPermits()} without blocking the caller. */
    CompletableFuture<@Nullable Permit> drainPermitsAsync();

    /**
     * Deletes the number of permits in the store; the next process that acquires with a number of its own sets it anew. Holders
     * keep what they have; semaphores that were made without a number wait until there is one.
     *
     * @throws UnsupportedFeatureException if the store keeps no numbers of permits
     */
    void clearPermits();

    /** Like {@link #clearPermits()} without blocking the caller. */
    CompletableFuture<@Nullable Void> clearPermitsAsync();

    /**
     * Sets the number of permits in the store and of this object. More permits wake waiters. Fewer take nothing away from
     * holders: the number is reached as they release.
     *
     * <p>Processes that use another number continue with this one. On a store that keeps no numbers of permits (a quorum) they
     * are rejected instead, with both numbers, waiting ones included, until they use the new number too.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    void resize(int permits);

    /** Like {@link #resize} without blocking the caller. */
    CompletableFuture<@Nullable Void> resizeAsync(int permits);
}
