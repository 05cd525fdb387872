package io.lockkeeper.spi;

import io.lockkeeper.Resource;

/**
 * A store that has latches. A latch is a generation, a target, and the set of operations that counted it down. The count is
 * the target less the size of the set, so an operation that is sent again counts once.
 *
 * <p>All calls block, for at most {@link Keeper#commandTimeout}. Threads of the application and of the keeper make them, and any of
 * them may overlap. A call that was not answered is repeated with the same operation, which changes nothing more.
 *
 * @see Capability#LATCH
 */
public non-sealed interface LatchStore extends StoreAbility {

    /**
     * What the latch says now.
     *
     * @param wake whether this keeper is to be signalled when the count gets to zero or the latch is deleted; only a hint,
     *     since the keeper polls as well
     */
    State state(Resource latch, boolean wake);

    /**
     * Begins a new generation if the count is zero.
     *
     * @return whether this very operation began the generation that stands, now or when it was sent before
     */
    boolean set(Resource latch, String operation, int count);

    /**
     * Counts that generation down by one, unless this very operation did so before.
     *
     * @return false if another generation stands, so nothing was counted
     */
    boolean countDown(Resource latch, long generation, String operation);

    /** Forgets the latch if that generation stands. */
    void delete(Resource latch, long generation);

    /**
     * @param generation 0 if there is none; never used twice for a name
     * @param count 0 if there is none
     */
    record State(long generation, int count) {}
}
