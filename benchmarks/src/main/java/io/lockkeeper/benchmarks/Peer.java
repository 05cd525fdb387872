package io.lockkeeper.benchmarks;

/** A library whose locks are measured. */
interface Peer extends AutoCloseable {

    String name();

    /** The lock of that name; asked for once per name and thread. */
    Mutex mutex(String name);

    @Override
    void close();

    /** What is timed: a lock is taken, waiting as long as it takes, the work is done, and the lock is given back. */
    interface Mutex {
        void run(Runnable work);
    }
}
