package io.lockkeeper.spi;

import io.lockkeeper.Resource;

/**
 * A store that has semaphores, whose size it keeps.
 *
 * @see Capability#PERMITS
 */
public non-sealed interface SemaphoreStore extends StoreAbility {

    /**
     * Changes the size of a semaphore. Growing signals the waiters that are let in; shrinking takes nothing from holders.
     *
     * <p>It blocks, for at most {@link Keeper#commandTimeout}, on the thread of the application. Calls may overlap, and the last one
     * that arrives decides; a repeat sets the same size again.
     *
     * @throws IllegalArgumentException if the size is less than 1
     */
    void resize(Resource semaphore, int permits);
}
