package io.lockkeeper.benchmarks.peer;

/** A lock, or one permit of a semaphore. Each thread has an object of its own and takes it once at a time. */
public interface Mutex {

    /**
     * Takes it, waiting as long as it takes.
     *
     * @return its fencing token; 0 where there is none
     */
    long acquire() throws Exception;

    /** Gives it back; fails if it was not held any more, as far as the library tells. */
    void release() throws Exception;
}
