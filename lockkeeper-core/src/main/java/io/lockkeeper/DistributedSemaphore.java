package io.lockkeeper;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A number of permits that all processes share. Permits are leased like locks: those of a crashed process come back by
 * themselves, and nobody can release what he does not have. Waiting claims are served in order, so a claim for many
 * permits is not starved by claims for one; on a store that keeps no queue (a quorum) in the order within each process.
 */
public interface DistributedSemaphore extends Acquirable<Permit>, Leased<DistributedSemaphore> {

    String name();

    /** The number of permits this object was made with, or last resized to; no I/O. */
    int permits();

    /** @param permits how many at once, from 1 to {@link #permits()} */
    Permit acquire(int permits) throws InterruptedException;

    @Nullable
    Permit tryAcquire(int permits);

    @Nullable
    Permit tryAcquire(int permits, Duration wait) throws InterruptedException;

    CompletableFuture<Permit> acquireAsync(int permits);

    CompletableFuture<@Nullable Permit> tryAcquireAsync(int permits);

    CompletableFuture<@Nullable Permit> tryAcquireAsync(int permits, Duration wait);

    /** A view that fails once the store has been silent for this long; see {@link OwnedLock#giveUpAfter}. */
    DistributedSemaphore giveUpAfter(Duration silence);

    /**
     * A view whose permits are never handed on inside the process, so that their {@link SingleHold#id()} may be given to another
     * process, which can release them with {@link Lockkeeper#release(Resource, String)}. All permits that were acquired
     * together are one hold with one id.
     *
     * @throws UnsupportedFeatureException if the store cannot do that
     */
    DistributedSemaphore portable();

    /** How many permits nobody holds just now; asks the store. */
    int availablePermits();

    /** Who holds permits and how many claims wait; empty if nobody does. Asks the store. */
    Optional<ResourceState> inspect();

    /** Like {@link #inspect()} without blocking the caller. */
    CompletableFuture<Optional<ResourceState>> inspectAsync();

    CompletableFuture<Integer> availablePermitsAsync();

    /**
     * Changes the number of permits in the store and of this object. Fewer takes nothing away from holders: it is
     * reached as they release. Processes that still use another number are refused, with both numbers.
     */
    void resize(int permits);

    CompletableFuture<@Nullable Void> resizeAsync(int permits);
}
