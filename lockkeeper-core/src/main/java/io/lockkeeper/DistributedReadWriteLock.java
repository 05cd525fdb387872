package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * A lock that many readers or one writer may hold. The write half is the same resource as {@link Lockkeeper#lock} of the same
 * name. A waiting writer goes before readers that arrive after it; on a store without a queue (a quorum) usually, not always.
 *
 * <p>An owner of the write lock may take the read lock by {@code lock()} and then unlock the write lock: the hold is downgraded
 * in one step, and no other writer gets in between. The opposite, requesting to write while reading, is refused at once, since
 * two readers that did it would wait for each other forever: {@code tryLock} returns false, as in the JDK, and {@code lock}
 * throws {@link IllegalStateException}.
 */
public interface DistributedReadWriteLock extends ReadWriteLock, Leased<DistributedReadWriteLock> {

    /** The name of the resource. */
    String name();

    /** The read half. */
    @Override
    SharedLock readLock();

    /** The write half. */
    @Override
    DistributedLock writeLock();

    /** A view of both halves that give up once the store has not answered for this long; see {@link OwnedLock#giveUpAfter}. */
    DistributedReadWriteLock giveUpAfter(Duration silence);

    /**
     * Turns a write hold into a read hold, in one step and with the same token; waiting readers are let in. The write hold
     * counts as released.
     *
     * @throws LockLostException if it was lost
     */
    SingleHold downgrade(ExclusiveHold writeHold);

    /** Like {@link #downgrade} without blocking the caller. */
    CompletableFuture<SingleHold> downgradeAsync(ExclusiveHold writeHold);
}
