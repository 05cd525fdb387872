package io.lockkeeper.spi;

/** How a resource is claimed. */
public sealed interface Mode {

    /** The resource for one claim alone. */
    Mode EXCLUSIVE = new Exclusive();
    /** The resource together with other claims that share it. */
    Mode SHARED = new Shared();

    /** A number of permits of a semaphore. */
    static Mode permits(int count, int of) {
        return new Permits(count, of);
    }

    /** The resource for one claim alone. */
    record Exclusive() implements Mode {}

    /** The resource together with other claims that share it. */
    record Shared() implements Mode {}

    /**
     * Some permits of a semaphore.
     *
     * @param count how many permits
     * @param of how many the semaphore has; another number than the store's is refused, unless that was {@linkplain SizeStore
     *     set}. 0 for as many as the store says: such a claim waits while the store has no number
     */
    record Permits(int count, int of) implements Mode {}
}
