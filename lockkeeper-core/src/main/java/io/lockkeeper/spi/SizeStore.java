package io.lockkeeper.spi;

import io.lockkeeper.Resource;

/**
 * A store in which the sizes of semaphores can be set, instead of by each process that uses the semaphore.
 *
 * <p>A semaphore gets a size by its first {@linkplain Mode.Permits claim} that names one, and keeps that for about a day after
 * the last use; claims that name another number are refused. A size that is <em>set</em> by this interface stays until {@link
 * #clear}, and claims that name any number are accepted: the number in the store counts. A claim for more permits than the
 * semaphore has now waits until it has enough, and does not hold up claims of other keepers that are behind it.
 *
 * <p>Calls block for one exchange with the store, within {@link Keeper#commandTimeout}, on threads of the application and of the
 * keeper, and any of them may overlap. An operation is known by its id: one that
 * is sent again, because its reply was lost, changes nothing again. A store remembers at least the last 50 operations of a
 * semaphore. {@link SemaphoreSize} has these rules for stores that are written in Java.
 *
 * @see Capability#SIZES
 */
public non-sealed interface SizeStore extends StoreAbility {

    /** The number of permits that the semaphore has, also while nobody uses it; 0 if the store knows of none. */
    int size(Resource semaphore);

    /**
     * Sets the size if the store knows of none.
     *
     * @return whether this very operation set it, now or when it was sent before
     */
    boolean trySet(Resource semaphore, String operation, int permits);

    /**
     * Sets the size, whatever it was. Growing wakes waiters; shrinking ends no grant.
     *
     * @param permits at least 1
     */
    void set(Resource semaphore, int permits);

    /**
     * Adds to the size in one step, or subtracts from it. Growing wakes waiters; shrinking ends no grant.
     *
     * @param change how many more; negative for fewer
     * @param ifNone the size to begin with if the store knows of none; 0 or more
     * @return the size now
     * @throws IllegalArgumentException if the result would be less than 1 or more than an int; then nothing changes
     */
    int add(Resource semaphore, String operation, int change, int ifNone);

    /** Forgets the size; the next claim that names one gives it anew. Grants are not touched. */
    void clear(Resource semaphore);
}
