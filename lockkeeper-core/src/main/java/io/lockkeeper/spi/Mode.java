package io.lockkeeper.spi;

/** How a resource is claimed. */
public sealed interface Mode {

    Mode EXCLUSIVE = new Exclusive();
    Mode SHARED = new Shared();

    static Mode permits(int count, int of) {
        return new Permits(count, of);
    }

    /** Alone. */
    record Exclusive() implements Mode {}

    /** Together with others that share. */
    record Shared() implements Mode {}

    /**
     * @param count how many permits
     * @param of how many the semaphore has; another number than the store's is refused, unless that was {@linkplain SizeStore
     *     set}. 0 for as many as the store says: such a claim waits while the store has no number
     */
    record Permits(int count, int of) implements Mode {}
}
