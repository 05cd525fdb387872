package io.lockkeeper;

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
public interface DistributedLock extends OwnedLock<ExclusiveHold, DistributedLock> {}
