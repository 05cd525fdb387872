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
     * @param of how many the semaphore has; another size than the store's is refused
     */
    record Permits(int count, int of) implements Mode {}
}
