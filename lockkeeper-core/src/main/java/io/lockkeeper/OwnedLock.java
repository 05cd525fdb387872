package io.lockkeeper;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A lock by name. Lock objects are cheap, thread-safe and stateless: what is held is known per keeper and resource, and shared
 * by all lock objects and views of that name.
 *
 * <p>It can be owned in two ways: by handle, see {@link Acquirable}, or as a {@link Lock} ({@link #lock()}, {@link #tryLock()},
 * {@link #unlock()}), owned by the thread and re-entrant. Nesting is a counter in memory, without I/O, and the hold is checked
 * first: nesting never succeeds after a loss.
 *
 * <p><b>After a loss</b> the owner may lock again at once, whether it has called {@code unlock()} or not: {@code lock()},
 * {@code tryLock()} and the forms by handle acquire afresh, with a new grant and a new token. So {@code if
 * (lock.isHeldByCurrentThread()) lock.unlock();} in a {@code finally} is safe. An {@code unlock()} undoes the latest {@code
 * lock()} of the calling thread that was not undone yet, as with nested blocks: first the levels of the hold that the owner has
 * now, and then, once each, those that were lost, by a {@link LockLostException}. A lost level never releases a later hold
 * where locks and unlocks are nested like blocks, or come from different threads of one {@linkplain #ownedBy named owner}. A
 * keeper remembers the lost levels of the latest 64 names for each thread and each named owner; a forgotten level is treated as
 * one that was never held.
 *
 * <p><b>Waiting for oneself.</b> An owner that reads and requests to write, and a thread that has this lock by {@code lock()}
 * and requests by handle what that excludes, cannot succeed while they keep what they have. The forms with a timeout ({@code
 * tryLock}, {@code tryAcquire}) then return false or null at once; those without one, which would never end, throw {@link
 * IllegalStateException}. A {@code tryAcquireAsync} with a timeout waits, since its thread may unlock in the meantime.
 *
 * @param <H> what acquiring returns
 * @param <L> the type of this lock
 */
public interface OwnedLock<H extends SingleHold, L extends OwnedLock<H, L>> extends Acquirable<H>, Leased<L>, Lock {

    /** The name of the resource. */
    String name();

    /**
     * A view whose {@link #acquire()} and {@link #lock()} fail with {@link StoreUnavailableException} once the store has not
     * answered for this time, instead of retrying until it is back. It does not limit the wait for a holder.
     */
    L giveUpAfter(Duration silence);

    /**
     * A view whose {@code lock()}, {@code tryLock()} and {@code unlock()} are owned by this name instead of by the thread, so
     * that several threads can nest as one owner.
     */
    L ownedBy(String owner);

    /**
     * A view whose holds are never handed off or shared inside the process, so that their {@link SingleHold#id()} may be passed
     * to another process, which can release them with {@link Lockkeeper#release(String, String)}.
     *
     * @throws UnsupportedFeatureException if the store does not offer it
     */
    L portable();

    /**
     * Whether anybody holds this lock now, in any process; asks the store. Of a read-write lock each half answers for itself:
     * the write lock is locked while somebody writes, the read lock while somebody reads. The answer may be out of date when it
     * arrives, so it is for monitoring, not for deciding whether to write.
     *
     * @throws StoreUnavailableException if the store does not answer
     */
    boolean isLocked();

    /** Like {@link #isLocked()} without blocking the caller. */
    CompletableFuture<Boolean> isLockedAsync();

    /**
     * Who holds the resource of this lock and how many claims wait for it; empty if it is free and nobody waits. Asks the store,
     * as {@link Lockkeeper#inspect(Resource)} does. A lock, a fair lock and both halves of a read-write lock of one name are one
     * resource. {@link ResourceState#remaining()} says when it is free at the latest unless it is renewed.
     *
     * @throws StoreUnavailableException if the store does not answer
     */
    Optional<ResourceState> inspect();

    /** Like {@link #inspect()} without blocking the caller. */
    CompletableFuture<Optional<ResourceState>> inspectAsync();

    /**
     * Takes the lock away from its holders, in any process; see {@link Lockkeeper#forceRelease(Resource)} for what that
     * means. Of a read-write lock, only this half: the read lock ends readers and leaves a writer alone, the write lock ends a
     * writer and leaves readers alone. That is checked by a request of its own first; a holder of the other half that is granted
     * between the two requests is ended too.
     *
     * @return whether anybody held it
     * @throws UnsupportedFeatureException if the store cannot do that
     * @throws StoreUnavailableException if the store does not answer
     */
    boolean forceRelease();

    /** Like {@link #forceRelease()} without blocking the caller. */
    CompletableFuture<Boolean> forceReleaseAsync();

    /**
     * The hold that the current thread, or the owner of an {@link #ownedBy} view, has by {@code lock()}.
     *
     * @throws LockLostException if it was lost and is not unlocked yet
     * @throws IllegalMonitorStateException if there is none
     */
    H currentHold();

    /** Whether the current thread, or the named owner, has this lock by {@code lock()} and has not lost it; no I/O. */
    boolean isHeldByCurrentThread();

    /**
     * Whether this thread of the current process has the lock by {@code lock()} and has not lost it; no I/O. On a view by
     * {@link #ownedBy} too, this asks for the thread and not for the named owner.
     */
    boolean isHeldByThread(Thread thread);

    /** How often the current thread, or the named owner, has nested {@code lock()}; 0 if the lock was lost; no I/O. */
    int holdCount();

    /**
     * Acquires the lock uninterruptibly; the interrupt flag is preserved. Nests at once if the owner has the lock; acquires it
     * afresh if the owner had it and lost it.
     *
     * @throws IllegalStateException if the owner reads and requests to write, which could never end
     */
    @Override
    void lock();

    /** Like {@link #lock()}, unless the thread is interrupted. */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /**
     * Nests, or acquires the lock if it is free now. Never waits for a holder and never enters the queue. Of a plain lock it
     * may take a grant that was just released here before the first local waiter is awake, as {@code lock()} may, a few times
     * in a row; a fair lock is never taken before its waiters. While other keepers wait for the lock it is rarely free for a
     * single try: poll a busy lock with {@link #tryLock(long, java.util.concurrent.TimeUnit)}, which has a place in the queue
     * while it waits.
     *
     * @return false if it is not free, also if this owner reads and the lock is the write half
     */
    @Override
    boolean tryLock();

    /**
     * Undoes the latest {@code lock()}; the last one releases the lock.
     *
     * @throws LockLostException if the level that it undoes was lost; it is undone all the same, so each lost level throws once
     * @throws IllegalMonitorStateException if the owner does not have the lock; {@code LockLostException} is a subclass
     */
    @Override
    void unlock();

    /**
     * Acquires the lock for the owner of an {@link #ownedBy} view, without blocking. Nests at once if the owner has the lock, by
     * whichever form; a level that was locked so is undone by {@link #unlockAsync()} or {@link #unlock()}. Cancelling the future
     * ends the wait, and undoes the level if it was granted in the meantime.
     *
     * <p>All asynchronous levels of an owner count as those of one thread: nest them like blocks.
     *
     * @return complete when the owner has the lock; fails with {@link IllegalStateException} if the owner reads and requests to
     *     write, which could never end
     * @throws IllegalStateException if this is no view by {@link #ownedBy}: a thread cannot own what is acquired without it
     */
    CompletableFuture<@Nullable Void> lockAsync();

    /**
     * Nests, or acquires the lock for the owner of an {@link #ownedBy} view if it is free now; see {@link #tryLock()}.
     *
     * @throws IllegalStateException if this is no view by {@link #ownedBy}
     */
    CompletableFuture<Boolean> tryLockAsync();

    /**
     * Like {@link #lockAsync()} for at most that long.
     *
     * @return false if the owner did not get the lock by then, also if it reads and requests to write
     * @throws IllegalStateException if this is no view by {@link #ownedBy}
     */
    CompletableFuture<Boolean> tryLockAsync(Duration wait);

    /**
     * Undoes the latest asynchronous {@code lock} of the owner, or else its latest {@code lock()}, without blocking; the last one
     * releases the lock.
     *
     * @return complete when it is undone and, if it was the last one, released; fails as {@link #unlock()} does
     * @throws IllegalStateException if this is no view by {@link #ownedBy}
     */
    CompletableFuture<@Nullable Void> unlockAsync();

    /** Not offered: a condition would need a queue in the store. Use a {@link DistributedLatch}. */
    @Override
    default Condition newCondition() {
        throw new UnsupportedOperationException(
                "A distributed lock has no conditions; wait on a latch (keeper.latch(name)) instead");
    }
}
