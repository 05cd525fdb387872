package io.lockkeeper;

/**
 * The read half of a {@link DistributedReadWriteLock}: many readers may hold it at once, and none while a writer does.
 *
 * <p>A reader never overtakes a waiting writer, not even in the same thread: a thread that holds this lock by handle and acquires
 * it again by handle while a writer waits, waits for itself. By {@code lock()} it nests.
 */
public interface SharedLock extends OwnedLock<SingleHold, SharedLock> {}
