package io.lockkeeper;

import java.time.Duration;

/**
 * Something whose holds have a lease: locks, semaphores, multi-locks, segmented locks and elections. The methods return
 * <em>views</em>: objects for the same resource that differ in one setting. The object itself does not change, views can be
 * combined, and everything that is held is shared by all views of a resource.
 *
 * @param <V> the type of the views
 */
public interface Leased<V> {

    /**
     * A view whose holds have this lease, renewed every third of it until released. The default is the keeper's lease, 30
     * seconds unless set otherwise. A short lease frees the lock of a crashed process sooner, and tolerates only shorter
     * pauses of a live one.
     *
     * @param lease at least 100 ms; a lease below one second is logged as a warning
     */
    V withLease(Duration lease);

    /**
     * A view whose holds are never renewed: they end by themselves after this time, as {@link Loss.Reason#EXPIRED}. Such a hold
     * need not be released: the handle may be dropped, and an owner by {@code tryLock()} need not unlock. A loss before that
     * time is noticed as with a renewed lease: the keeper asks the store, without extending anything, when the store signals a
     * change and every third of the lease, but at least once a minute.
     *
     * @param lease at least 100 ms; a lease below one second is logged as a warning
     */
    V withFixedLease(Duration lease);

    /**
     * A view whose holds may be kept for at most this time. The lease is still renewed until then.
     *
     * @param longest how long the application may keep a hold
     * @param whenOverdue what happens to a hold that is kept longer
     */
    V withMaxHold(Duration longest, Overdue whenOverdue);
}
