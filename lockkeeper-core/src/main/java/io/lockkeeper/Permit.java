package io.lockkeeper;

/**
 * Permits of a semaphore, acquired together. They return to the semaphore when they are released, and by themselves when their
 * lease ends.
 */
public interface Permit extends SingleHold {

    /** The number of permits that this still holds. */
    int permits();

    /**
     * Releases some of the permits and keeps the others.
     *
     * @param permits from 1 to {@link #permits()}; all of them is {@link #release()}
     * @throws LockLostException if they were lost
     */
    ReleaseOutcome release(int permits);
}
