package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * A lock that many read or one writes. Writing is the same resource as {@link Lockkeeper#lock} of the same name. A
 * writer that waits goes before readers that come after it; on a store that keeps no queue (a quorum) as a rule, not
 * always.
 *
 * <p>An owner of the write lock may take the read lock by {@code lock()} and then unlock the write lock: it is
 * downgraded in one step, and no other writer comes in between. The opposite, asking to write while reading, fails at
 * once with an {@link IllegalStateException}: two readers that did it would wait for each other for ever.
 */
public interface DistributedReadWriteLock extends ReadWriteLock, Leased<DistributedReadWriteLock> {

    String name();

    @Override
    SharedLock readLock();

    @Override
    DistributedLock writeLock();

    /** A view of both halves that give up once the store has not answered for this long; see {@link OwnedLock#giveUpAfter}. */
    DistributedReadWriteLock giveUpAfter(Duration silence);

    /**
     * Turns a write hold into a read hold, in one step and with the same token; readers that waited come in. The write
     * hold counts as released.
     *
     * @throws LockLostException if it was lost
     */
    SingleHold downgrade(ExclusiveHold writeHold);

    CompletableFuture<SingleHold> downgradeAsync(ExclusiveHold writeHold);
}
