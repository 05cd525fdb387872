package io.lockkeeper.benchmarks.peer;

/**
 * A library in this process, connected to its store. It implements what its {@link Library#features()} name. Leases are
 * {@link #LEASE_MILLIS} everywhere.
 */
public interface Peer extends AutoCloseable {

    /** Lockkeeper's and Redisson's default; the others are set to it. */
    int LEASE_MILLIS = 30_000;

    default Mutex lock(String name) {
        throw cannot("lock");
    }

    default Mutex fairLock(String name) {
        throw cannot("fair lock");
    }

    /** Asks for a lock once and does not wait; it is given back if it was had. */
    default boolean tryOnce(String name) throws Exception {
        throw cannot("attempt");
    }

    /** A lock that the thread has already may be taken again. */
    default Mutex reentrantLock(String name) {
        return lock(name);
    }

    default ReadWrite readWrite(String name) {
        throw cannot("read-write lock");
    }

    default Mutex semaphore(String name, int permits) {
        throw cannot("semaphore");
    }

    default Latch latch(String name) {
        throw cannot("latch");
    }

    @Override
    void close();

    private IllegalStateException cannot(String what) {
        return new IllegalStateException(getClass().getSimpleName() + " has no " + what);
    }
}
