package io.lockkeeper;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.spi.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Something that can be acquired: a lock, a permit, a segment, several locks at once.
 *
 * <p>Ownership is by handle: the code that has the returned object owns the resource, on whatever thread, and any thread may
 * close it. These methods never nest: a thread that acquires twice waits for itself as for any other holder (after a second a
 * warning names both places), because two parts of a program that share a thread, as asynchronous tasks do, must not both
 * believe that they are alone. For nesting use {@link OwnedLock#lock()}.
 *
 * <p>Every form leaves no trace when it ends without the lock: no place in a queue, no entry in the store. If the reply to a
 * request was lost, what the request may have acquired is released in the background.
 *
 * @param <H> what is held
 */
public interface Acquirable<H extends Hold> {

    /**
     * Waits until it is acquired, forever unless a timeout was set with {@code giveUpAfter}. While the store does not answer,
     * the request is retried until the store is back.
     *
     * @throws InterruptedException if the thread is interrupted while waiting. A request that is already sent is not cut short:
     *     the interrupt takes effect right after it, and what the request acquired is released
     * @throws KeeperClosedException if the keeper is closed, before the call or while it waits
     */
    H acquire() throws InterruptedException;

    /**
     * Acquires if it is free now and nobody waits for it. Never waits for a holder, never enters the queue, and sends at most
     * one request to the store (see {@link DistributedLock#sticky} for the exception).
     *
     * <p>Of a plain lock it may also take a grant that a thread of this keeper has just released, before the first local waiter
     * is awake, a few times in a row. While other keepers wait for the lock it is rarely free for a single try: to poll a busy
     * lock use {@link #tryAcquire(Duration)}, which has a place in the queue.
     *
     * @return the hold, or null if it is not free
     * @throws StoreUnavailableException if the store does not answer
     */
    @Nullable
    H tryAcquire();

    /**
     * Waits for at most this time. Zero or a negative duration is a single try, like {@link #tryAcquire()}.
     *
     * @return the hold, or null if the time ran out while another holder had it
     * @throws StoreUnavailableException if the time ran out and the store had not answered at all; thrown at most one command
     *     timeout after {@code wait}
     */
    @Nullable
    H tryAcquire(Duration wait) throws InterruptedException;

    /**
     * Waits for at most this time, and fails if it was not acquired by then. The message names the holder, how long it has been
     * held, and the number of waiters; for that the store is asked once more, after the time is over.
     *
     * @throws LockTimeoutException if the time ran out while another holder had it
     * @throws StoreUnavailableException if the time ran out and the store had not answered at all
     */
    default H acquire(Duration wait) throws InterruptedException {
        H hold = tryAcquire(wait);
        if (hold == null) {
            throw new LockTimeoutException(this + " was not acquired within " + Durations.text(wait), wait, null);
        }
        return hold;
    }

    /**
     * Acquires without blocking the caller. Completing the future from outside ({@code cancel}, {@code orTimeout}, {@code
     * complete}) leaves the queue; a grant that arrives later is released.
     */
    CompletableFuture<H> acquireAsync();

    /** The asynchronous form of {@link #tryAcquire()}: completes with null if it is not free. */
    CompletableFuture<@Nullable H> tryAcquireAsync();

    /** The asynchronous form of {@link #tryAcquire(Duration)}: completes with null when the time ran out. */
    CompletableFuture<@Nullable H> tryAcquireAsync(Duration wait);

    /** Waits until it is acquired, runs the body while holding it, releases it, and returns the result of the body. */
    default <T extends @Nullable Object, X extends Exception> T call(Body<? super H, T, X> body)
            throws X, InterruptedException {
        given(body, "body");
        try (H hold = acquire()) {
            return body.with(hold);
        }
    }

    /** Waits until it is acquired, runs the body while holding it, and releases it. */
    default <X extends Exception> void run(Work<? super H, X> work) throws X, InterruptedException {
        given(work, "work");
        try (H hold = acquire()) {
            work.with(hold);
        }
    }

    /**
     * Waits for at most {@code wait} and runs the body while holding it; empty if it was not acquired in time, or if the body
     * returned null.
     */
    default <T, X extends Exception> Optional<T> tryCall(Duration wait, Body<? super H, ? extends @Nullable T, X> body)
            throws X, InterruptedException {
        given(wait, "wait");
        given(body, "body");
        try (H hold = tryAcquire(wait)) {
            return hold == null ? Optional.empty() : Optional.ofNullable(body.with(hold));
        }
    }

    /**
     * Waits for at most {@code wait} and runs the body while holding it; false if it was not acquired in time, so that the body
     * did not run.
     */
    default <X extends Exception> boolean tryRun(Duration wait, Work<? super H, X> work)
            throws X, InterruptedException {
        given(wait, "wait");
        given(work, "work");
        try (H hold = tryAcquire(wait)) {
            if (hold == null) {
                return false;
            }
            work.with(hold);
            return true;
        }
    }

    /**
     * Acquires without blocking, then calls the body on the keeper's callback executor, and releases when the stage that the
     * body returned is complete. Cancelling the returned future before it was acquired leaves the queue; after that it affects
     * the future only.
     */
    <T extends @Nullable Object> CompletableFuture<T> callAsync(Function<? super H, ? extends CompletionStage<T>> body);

    /** A body that runs while holding, with a result. */
    @FunctionalInterface
    interface Body<H, T extends @Nullable Object, X extends Exception> {
        /** Runs while {@code hold} is held. */
        T with(H hold) throws X;
    }

    /** A body that runs while holding. */
    @FunctionalInterface
    interface Work<H, X extends Exception> {
        /** Runs while {@code hold} is held. */
        void with(H hold) throws X;
    }
}
