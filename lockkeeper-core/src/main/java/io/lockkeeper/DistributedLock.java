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
     * A view that keeps the lock in this process for {@code keep} after a release, in case it is needed again: acquiring it again
     * then takes no request to the store. It suits a process that acquires the same lock again and again while others need it
     * rarely.
     *
     * <p><b>When the lock is kept.</b> Only while nobody else wants it. When another process requests it (including
     * {@link #tryAcquire()} and {@link #tryLock()}), this process is notified and returns it at once, or as soon as the current
     * holder releases it without a hand-off to another thread here. Each hold has its own, greater token. A crash frees the lock
     * within its lease, as always, and closing the keeper returns it. All lock objects of this name in this keeper may take a lock
     * that is kept; it is kept again if the last of them was sticky.
     *
     * <p><b>What it costs the others.</b> They wait a little longer, for the time of one notification. A lost notification is
     * repeated, after 100 ms at first and then at growing intervals of up to a second, so in the worst case they wait as if this
     * view still held the lock for {@code keep}. A client that cannot send the notification, such as one that uses the key in Redis
     * by hand, always waits that long. {@code tryAcquire()} and {@code tryLock()} of others, which otherwise send a single request,
     * repeat it for up to 100 ms while the lock is only kept. In the store, and to {@link #isLocked()} and {@link #inspect()}, a lock
     * that is kept looks held.
     *
     * <p><b>What is not promised.</b> If the store loses a grant, by a failover or by force, this process may begin holds until it
     * learns of that, at the latest a third of the lease and one command timeout after its last request. Their tokens are smaller
     * than those granted since, so guards reject them.
     *
     * @param keep at most a third of the lease, since a grant that nobody holds is not renewed
     * @throws IllegalArgumentException if it is longer than that, or not positive
     * @throws UnsupportedFeatureException if the store does not offer it (memory, Redis and PostgreSQL do), or if this lock is fair, portable
     *     or has a fixed lease
     */
    @Experimental
    DistributedLock sticky(Duration keep);
}
