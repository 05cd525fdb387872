package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock by name: cheap to make, thread-safe, without state of its own. What is held is known per keeper and resource,
 * shared by all lock objects and views of that name.
 *
 * <p>It can be owned in two ways. By handle, see {@link Acquirable}; or the way of the JDK ({@link #lock()},
 * {@link #tryLock()}, {@link #unlock()}), owned by the thread and re-entrant. Nesting is a counter in memory, without
 * I/O, and is checked against the hold first: it never says yes after a loss. A thread that owns it by {@code lock()}
 * and asks by handle for what that excludes fails at once with an {@link IllegalStateException}, since waiting could
 * not end.
 *
 * @param <H> what acquiring gives
 * @param <L> the type of this lock
 */
public interface OwnedLock<H extends Hold, L extends OwnedLock<H, L>> extends Acquirable<H>, Lock {

    /** The name of the resource. */
    String name();

    /**
     * A view whose holds have this lease, renewed every third of it until released. The default is the keeper's, 30
     * seconds. A short lease frees a crashed holder's lock sooner and tolerates a shorter pause.
     *
     * @param lease at least 100 ms; below one second it is warned about
     */
    L withLease(Duration lease);

    /** A view whose holds are never renewed and end by themselves after this time, as {@link Loss.Reason#EXPIRED}. */
    L withFixedLease(Duration lease);

    /**
     * A view whose holds may be kept for so long and no longer.
     *
     * @param whenOverdue what happens to a hold that is kept longer
     */
    L withMaxHold(Duration longest, Overdue whenOverdue);

    /**
     * A view whose {@link #acquire()} and {@link #lock()} fail with {@link StoreUnavailableException} once the store has
     * not answered for this long, instead of asking until it is back. It does not limit the wait for a holder.
     */
    L giveUpAfter(Duration silence);

    /** A view whose {@code lock()}, {@code tryLock()} and {@code unlock()} nest by this owner, not by thread. */
    L ownedBy(String owner);

    /**
     * A view whose holds are never handed on or shared inside the process, so that their {@link Hold#id()} may be given
     * to another process, which can release them with {@link Lockkeeper#release(String, String)}.
     *
     * @throws UnsupportedFeatureException if the store can not do that
     */
    L portable();

    /**
     * The hold that the current thread (or the owner of an {@link #ownedBy} view) has by {@code lock()}.
     *
     * @throws IllegalMonitorStateException if it has none
     */
    H currentHold();

    /** Whether the current thread, or the owner, has this by {@code lock()} and has not lost it; no I/O. */
    boolean isHeldByCurrentThread();

    /** How often the current thread, or the owner, has nested {@code lock()}; 0 if it was lost; no I/O. */
    int holdCount();

    /**
     * Waits until acquired, deaf to interrupts (the flag is kept). Nests at once if the owner has it.
     *
     * @throws LockLostException if the owner had it and lost it: unlock first
     */
    @Override
    void lock();

    /** Like {@link #lock()}, heeding interrupts. */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /** Nests, or acquires if it is free now. Never waits for a holder. */
    @Override
    boolean tryLock();

    /**
     * Undoes one {@code lock()}; the last one releases.
     *
     * @throws IllegalMonitorStateException if the owner never had it
     * @throws LockLostException if the owner had it and lost it; the count goes down all the same
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
