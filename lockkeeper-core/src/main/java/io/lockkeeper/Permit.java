package io.lockkeeper;

/** Permits of a semaphore, taken together. They come back when released, and by themselves when their lease ends. */
public interface Permit extends SingleHold {

    /** How many permits this still stands for. */
    int permits();

    /**
     * Gives some of them back and keeps the others.
     *
     * @param permits from 1 to {@link #permits()}; all of them is {@link #release()}
     * @throws LockLostException if they were lost
     */
    ReleaseOutcome release(int permits);
}
