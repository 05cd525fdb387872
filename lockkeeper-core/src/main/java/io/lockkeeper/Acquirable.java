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
 * <p>Ownership is by handle: whoever has the returned object owns what it stands for, whatever thread it is used on,
 * and any thread may close it. These methods never nest: a thread that acquires twice waits for itself like for
 * anyone else (a warning names both places after a second), because two parts of a program that share a thread, as
 * asynchronous tasks do, must not both believe that they are alone. For nesting use {@link OwnedLock#lock()}.
 *
 * <p>Every form leaves no trace when it ends without the lock: no place in a queue, no entry in the store. A reply
 * that was lost on the way is settled in the background.
 *
 * @param <H> what is held
 */
public interface Acquirable<H extends Hold> {

    /**
     * Waits until it is acquired, for ever unless a limit was set with {@code giveUpAfter}. A store that does not
     * answer is asked again until it is back.
     *
     * @throws InterruptedException if the thread is interrupted while waiting. A request under way is not cut short:
     *     the interrupt is honoured right after it, and what it got is given back
     * @throws KeeperClosedException if the keeper is closed, also while waiting
     */
    H acquire() throws InterruptedException;

    /**
     * Acquires if it is free now and nobody queues for it, or if this keeper has it and it is open: just released, while the
     * first of those that queue here is being woken (a few times in a row, plain locks only). Where other keepers queue it is
     * rarely free for a single try; {@link #tryAcquire(Duration)} has a place in the queue. Never waits for a holder and never
     * queues; asks the store
     * at most once, except that a lock which another process only keeps for later ({@link DistributedLock#sticky}) is asked
     * back and waited for, up to 100 ms.
     *
     * @return what is held, or null if somebody else has it
     * @throws StoreUnavailableException if the store does not answer
     */
    @Nullable
    H tryAcquire();

    /**
     * Waits at most this long. Zero, or less, asks once, like {@link #tryAcquire()}.
     *
     * @return what is held, or null if the time ran out while somebody else had it
     * @throws StoreUnavailableException if the time ran out and the store had not answered at all; at most one command
     *     limit after {@code wait}
     */
    @Nullable
    H tryAcquire(Duration wait) throws InterruptedException;

    /**
     * Waits at most this long, and fails if that was not enough. The message says who holds it, for how long, and how many
     * wait; for that the store is asked once more, after the time is over.
     *
     * @throws LockTimeoutException if the time ran out while somebody else had it
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
     * Acquires without blocking the caller. Completing the future from outside ({@code cancel}, {@code orTimeout},
     * {@code complete}) leaves the queue; a grant that arrives later is given back.
     */
    CompletableFuture<H> acquireAsync();

    /** The asynchronous form of {@link #tryAcquire()}: completes with null if somebody else has it. */
    CompletableFuture<@Nullable H> tryAcquireAsync();

    /** The asynchronous form of {@link #tryAcquire(Duration)}: completes with null when the time ran out. */
    CompletableFuture<@Nullable H> tryAcquireAsync(Duration wait);

    /** Waits, runs the body while holding, releases, and returns what the body returned. */
    default <T extends @Nullable Object, X extends Exception> T call(Body<? super H, T, X> body)
            throws X, InterruptedException {
        given(body, "body");
        try (H hold = acquire()) {
            return body.with(hold);
        }
    }

    /** Waits, runs the body while holding, releases. */
    default <X extends Exception> void run(Work<? super H, X> work) throws X, InterruptedException {
        given(work, "work");
        try (H hold = acquire()) {
            work.with(hold);
        }
    }

    /** Waits at most {@code wait}; empty if it was not acquired in time (or the body returned null). */
    default <T, X extends Exception> Optional<T> tryCall(Duration wait, Body<? super H, ? extends @Nullable T, X> body)
            throws X, InterruptedException {
        given(wait, "wait");
        given(body, "body");
        try (H hold = tryAcquire(wait)) {
            return hold == null ? Optional.empty() : Optional.ofNullable(body.with(hold));
        }
    }

    /** Waits at most {@code wait}; false if it was not acquired in time and the body did not run. */
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
     * Acquires without blocking, then calls the body, and releases when the stage that the body returned is complete.
     * The body runs on the keeper's callback executor. Cancelling the returned future before the lock was acquired
     * leaves the queue; later it changes nothing but the future.
     */
    <T extends @Nullable Object> CompletableFuture<T> callAsync(Function<? super H, ? extends CompletionStage<T>> body);

    /** A piece of work done while holding, with a result. */
    @FunctionalInterface
    interface Body<H, T extends @Nullable Object, X extends Exception> {
        T with(H hold) throws X;
    }

    /** A piece of work done while holding. */
    @FunctionalInterface
    interface Work<H, X extends Exception> {
        void with(H hold) throws X;
    }
}
