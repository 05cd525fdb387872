package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Locks that are owned by an id of the application, such as the id of a request: {@code tryLock(key, requestId, lease)} and
 * {@code unlock(key, requestId)}. The store keeps that id, so every process that knows it owns the lock. Obtained from {@link
 * Lockkeeper#requests()}.
 *
 * <pre>{@code
 * if (keeper.requests().tryLock("order:42", requestId, Duration.ofSeconds(30))) {
 *     try {
 *         work();
 *     } finally {
 *         keeper.requests().unlock("order:42", requestId);
 *     }
 * }
 * }</pre>
 *
 * <p>The resource is the same as {@link Lockkeeper#lock(String)} of that name: the two exclude each other. On Redis the string
 * key of the lock has the id as its value, so a hand-written {@code SET key id NX PX} with compare-and-delete takes part.
 *
 * <p><b>What is promised.</b> While one id holds a key, the store grants it to no other id and to no other lock of that name.
 * The same id is granted again, from any process, and its lease begins anew; that never makes a lease shorter. {@code unlock}
 * ends only what this id holds. Every grant has its fencing token in the store, which {@link Lockkeeper#inspect} shows.
 *
 * <p><b>What is not promised.</b> Nothing is renewed, and nobody is notified of a loss: count the lease from before the call.
 * Ownership is not counted: one {@code unlock} ends it for all callers that share the id. Waiting is polling, without a place
 * in any queue, so a thread that waits by {@code keeper.lock(key)} goes first.
 *
 * <p><b>Without an answer.</b> A call that fails with {@link StoreUnavailableException} may have been executed, or may still be
 * executed, even after a later call. For a {@code tryLock} that means a lock that nobody knows of, until its lease ends: repeat
 * the call with the same id, or unlock. For an {@code unlock} it means that what this id locks afterwards may be unlocked by
 * it: after an unlock without an answer, <em>use another id</em>, or wait for the lease to end. A lock by handle ({@link
 * DistributedLock#acquire()}) has neither problem, since its ids are never used twice; prefer it where the id need not be
 * yours.
 */
public interface RequestLocks {

    /**
     * Locks if it is free now and nobody waits for it, or if this id has it already; then its lease begins anew. Never waits
     * for a holder.
     *
     * @param key the name of the lock
     * @param requestId 1 to 255 bytes of UTF-8 without blanks and control characters, unique to its owner
     * @param lease how long it lasts, at least 100 ms
     * @return whether this id has it
     * @throws StoreUnavailableException if the store did not answer
     * @throws ClaimRefusedException if the store rejects the request, with the reason
     */
    boolean tryLock(String key, String requestId, Duration lease);

    /**
     * Retries until it is locked, for at most {@code wait}. Requests that are not answered are retried too.
     *
     * @return false if the time ran out while another owner had it
     * @throws StoreUnavailableException if the time ran out and the last request was not answered
     * @throws InterruptedException if the thread is interrupted between two requests; what they acquired stays until its lease
     *     ends
     */
    boolean lock(String key, String requestId, Duration lease, Duration wait) throws InterruptedException;

    /**
     * Unlocks what this id holds. The id of a {@linkplain OwnedLock#portable() portable} hold is for {@link
     * Lockkeeper#release(String, String)}: unlocked here, its holder learns of the loss at its next renewal, and not always the
     * reason.
     *
     * @return false if this id does not hold it: nobody does, or another id, which is left alone
     * @throws StoreUnavailableException if the store did not answer: it may be unlocked now, or later; see above
     */
    boolean unlock(String key, String requestId);

    /** Like {@link #tryLock} without blocking the caller. */
    CompletableFuture<Boolean> tryLockAsync(String key, String requestId, Duration lease);

    /** Like {@link #lock} without blocking the caller. Completing the future from outside ends the retries. */
    CompletableFuture<Boolean> lockAsync(String key, String requestId, Duration lease, Duration wait);

    /** Like {@link #unlock} without blocking the caller. */
    CompletableFuture<Boolean> unlockAsync(String key, String requestId);
}
