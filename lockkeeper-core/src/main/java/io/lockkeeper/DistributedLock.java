package io.lockkeeper;

import java.time.Duration;

/**
 * An exclusive lock.
 *
 * <pre>{@code
 * try (ExclusiveHold hold = lock.acquire()) {
 *     ledger.append(entry, hold.token());
 * }
 * }</pre>
 *
 * @see OwnedLock for the ways to own it
 */
public interface DistributedLock extends OwnedLock<ExclusiveHold, DistributedLock> {

    /**
     * A view that keeps the lock in this process for so long after it was released, in case that it is wanted here again:
     * taking it then needs no request to the store. For a process that takes the same lock again and again while others
     * want it seldom.
     *
     * <p><b>What is kept.</b> While nobody else wants it, only: another process that asks for the lock, {@link #tryAcquire()}
     * and {@link #tryLock()} included, has this one told, which gives it back at once, or as soon as its holder releases it
     * without handing it on here. Each hold has its own, greater token. A crash frees the lock within its lease, as ever, and
     * closing the keeper gives it back. All lock objects of this name in this keeper may take what is kept; it is kept again
     * if the last of them was sticky.
     *
     * <p><b>What it costs.</b> Others wait a little longer, for the time it takes to ask. A word that gets lost is said again
     * within 100 ms at first, then ever more seldom up to a second, so in the worst case they wait as if this view were
     * still held for {@code keep}. That is also how long a client waits that can not ask, such as one that uses the key in
     * Redis by hand. {@code tryAcquire()} of others waits up to 100 ms for an answer before it says no. In the store the
     * lock looks held while it is kept. If the store loses a grant, by a failover or by force, this process may still begin
     * holds until it hears of that, which is at the latest a third of the lease and a command limit after it last asked;
     * their tokens are smaller than those given since, so guards refuse them.
     *
     * @param keep at most a third of the lease, since what nobody holds is not renewed
     * @throws IllegalArgumentException if it is more than that, or not positive
     * @throws UnsupportedFeatureException if the store has no such locks (memory and Redis have), or if this lock is fair,
     *     portable or of a fixed lease
     */
    DistributedLock sticky(Duration keep);
}
