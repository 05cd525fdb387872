package io.lockkeeper.spi;

import io.lockkeeper.Resource;

/**
 * The counter behind a latch: a generation, a target, and the set of operations that counted it down. The count is the
 * target less the size of the set, so an operation that is sent again counts once.
 */
public interface LatchStore {

    /**
     * @param wake whether this keeper is to be signalled when the count gets to zero or the latch is deleted; only a hint,
     *     it is asked again anyway
     */
    State state(Resource latch, boolean wake);

    /**
     * Begins a new generation if the count is zero.
     *
     * @return whether this very operation began the generation that stands, now or when it was sent before
     */
    boolean set(Resource latch, String operation, int count);

    /** @return false if another generation stands, so nothing was counted */
    boolean countDown(Resource latch, long generation, String operation);

    /** Forgets the latch if that generation stands. */
    void delete(Resource latch, long generation);

    /**
     * @param generation 0 if there is none; never used twice for a name
     * @param count 0 if there is none
     */
    record State(long generation, int count) {}
}
