package io.lockkeeper;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock by name: cheap to make, thread-safe, without state of its own. What is held is known per keeper and resource,
 * shared by all lock objects and views of that name.
 *
 * <p>It can be owned in two ways. By handle, see {@link Acquirable}; or the way of the JDK ({@link #lock()},
 * {@link #tryLock()}, {@link #unlock()}), owned by the thread and re-entrant. Nesting is a counter in memory, without
 * I/O, and is checked against the hold first: it never says yes after a loss.
 *
 * <p><b>After a loss</b> the owner may lock again at once, whether it has called {@code unlock()} or not: {@code lock()},
 * {@code tryLock()} and the forms by handle acquire afresh, with a new grant and a new token. So {@code if
 * (lock.isHeldByCurrentThread()) lock.unlock();} in a {@code finally} is safe. An {@code unlock()} undoes the latest
 * {@code lock()} of the calling thread that was not undone yet, as with blocks that are nested: first the levels of the hold
 * that the owner has now, and then, once each, those that were lost, by a {@link LockLostException}. A lost level never
 * releases a later hold where locks and unlocks are nested like blocks, or come from different threads of one
 * {@linkplain #ownedBy named owner}. A keeper remembers the lost levels of the latest 64 names for each thread and each
 * named owner; what it has forgotten is like what was never held.
 *
 * <p><b>Waiting for oneself.</b> An owner that reads and asks to write, and a thread that has this by {@code lock()} and asks
 * by handle for what that excludes, can never get it while they have the other. The forms with a limit ({@code tryLock},
 * {@code tryAcquire}) then answer false or null at once; those without one, which would never end, throw
 * {@link IllegalStateException}. A {@code tryAcquireAsync} with a limit waits, since its thread may unlock meanwhile.
 *
 * @param <H> what acquiring gives
 * @param <L> the type of this lock
 */
public interface OwnedLock<H extends SingleHold, L extends OwnedLock<H, L>> extends Acquirable<H>, Leased<L>, Lock {

    /** The name of the resource. */
    String name();

    /**
     * A view whose {@link #acquire()} and {@link #lock()} fail with {@link StoreUnavailableException} once the store has
     * not answered for this long, instead of asking until it is back. It does not limit the wait for a holder.
     */
    L giveUpAfter(Duration silence);

    /** A view whose {@code lock()}, {@code tryLock()} and {@code unlock()} nest by this owner, not by thread. */
    L ownedBy(String owner);

    /**
     * A view whose holds are never handed on or shared inside the process, so that their {@link SingleHold#id()} may be given
     * to another process, which can release them with {@link Lockkeeper#release(String, String)}.
     *
     * @throws UnsupportedFeatureException if the store cannot do that
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
     * Takes the lock away from whoever holds it, in whatever process; see {@link Lockkeeper#forceRelease(Resource)} for what that
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
     * The hold that the current thread (or the owner of an {@link #ownedBy} view) has by {@code lock()}.
     *
     * @throws LockLostException if it was lost and is not unlocked yet
     * @throws IllegalMonitorStateException if it has none
     */
    H currentHold();

    /** Whether the current thread, or the owner, has this by {@code lock()} and has not lost it; no I/O. */
    boolean isHeldByCurrentThread();

    /**
     * Whether this thread of the current process has the lock by {@code lock()} and has not lost it; no I/O. On a view by
     * {@link #ownedBy} too, this asks for the thread and not for the named owner.
     */
    boolean isHeldByThread(Thread thread);

    /** How often the current thread, or the owner, has nested {@code lock()}; 0 if it was lost; no I/O. */
    int holdCount();

    /**
     * Waits until acquired, deaf to interrupts (the flag is kept). Nests at once if the owner has it; acquires afresh if the
     * owner had it and lost it.
     *
     * @throws IllegalStateException if the owner reads and asks to write, which could never end
     */
    @Override
    void lock();

    /** Like {@link #lock()}, heeding interrupts. */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /**
     * Nests, or acquires if it is free now. Never waits for a holder and never queues. While others of this keeper queue for a
     * plain lock, it may take what was just released before the first of them is awake, as {@code lock()} may, a few times in a
     * row; a fair lock it never takes before those that queue. While other keepers queue in the store it is rarely free for a
     * single try: poll a busy lock with {@link #tryLock(long, java.util.concurrent.TimeUnit)}, which has a place in the queue
     * while it waits.
     */
    @Override
    boolean tryLock();

    /**
     * Undoes the latest {@code lock()}; the last one releases.
     *
     * @throws LockLostException if what it undoes was lost; it is undone all the same, so each lost level says so once
     * @throws IllegalMonitorStateException if the owner does not have it; {@code LockLostException} is one too
     */
    @Override
    void unlock();

    /** Not offered: a condition would need a queue in the store. Use a {@link DistributedLatch}. */
    @Override
    default Condition newCondition() {
        throw new UnsupportedOperationException(
                "A distributed lock has no conditions; wait on a latch (keeper.latch(name)) instead");
    }
}
