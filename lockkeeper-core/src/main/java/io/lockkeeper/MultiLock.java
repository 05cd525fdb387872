package io.lockkeeper;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.shell.MultiLocks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * Several locks acquired together, all or none, within one timeout. The locks are acquired in an order that is the same in
 * every process (name, then family, then the store's own id), so overlapping sets cannot deadlock.
 *
 * <p>Like a single lock it can be owned by handle, see {@link Acquirable}, or as a {@link Lock}, by thread and re-entrantly.
 * {@link #lock()} locks each member for the thread as {@link OwnedLock#lock()} does, so a thread may nest the same set, another
 * set, and the single locks in each other; a member that the thread has already is only counted. {@link #unlock()} unlocks each
 * member once.
 *
 * <p><b>What is not promised.</b> The order is that of one call. A thread that holds some lock and then waits for a set that
 * sorts before it can deadlock with another thread, as with any two locks: lock everything in one call.
 */
public interface MultiLock extends Acquirable<MultiHold>, Leased<MultiLock>, Lock {

    /**
     * Several locks as one: exclusive locks, read locks and write locks, of one keeper or several.
     *
     * @throws IllegalArgumentException if there are none, or if two of them are the same resource, as both halves of one
     *     read-write lock are
     */
    static MultiLock of(OwnedLock<?, ?>... locks) {
        given(locks, "locks");
        return MultiLocks.of(List.of(locks));
    }

    /** A view that gives up once the store has not answered for this long; see {@link OwnedLock#giveUpAfter}. */
    MultiLock giveUpAfter(Duration silence);

    /**
     * The holds that the current thread has by {@link #lock()}, for their tokens.
     *
     * @throws LockLostException if one of them was lost and is not unlocked yet
     * @throws IllegalMonitorStateException if the thread does not have all of them
     */
    MultiHold currentHold();

    /** Whether the current thread has all of the locks by {@code lock()} and has lost none of them; no I/O. */
    boolean isHeldByCurrentThread();

    /** How often the current thread has nested all of the locks; 0 if it does not have one of them; no I/O. */
    int holdCount();

    /**
     * Acquires all locks uninterruptibly; the interrupt flag is preserved. A lock that the thread has already is counted once
     * more; one that it had and lost is acquired afresh.
     *
     * @throws IllegalStateException if the thread reads one of them and asks to write it, which could never end; then it has
     *     what it had before
     */
    @Override
    void lock();

    /** Like {@link #lock()}, unless the thread is interrupted; then it has what it had before. */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /** Locks all of them if each is free now, or the thread's own; otherwise the thread has what it had before. */
    @Override
    boolean tryLock();

    /**
     * Undoes the latest {@code lock()} of each of the locks, the last first.
     *
     * @throws LockLostException if one of them was lost; all of them are undone all the same
     * @throws IllegalMonitorStateException if the thread does not have one of them; those that it has are undone all the same, so
     *     an {@code unlock()} must pair up with a {@code lock()} of the same set
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
