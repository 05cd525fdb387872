package io.lockkeeper;

/**
 * The reading side of a {@link DistributedReadWriteLock}: many may hold it, none while somebody writes.
 *
 * <p>Readers do not overtake a writer that waits, also not within one thread: a thread that holds this by handle and
 * acquires it again by handle while a writer waits, waits for itself. By {@code lock()} it nests.
 */
public interface SharedLock extends OwnedLock<SingleHold, SharedLock> {}
