package io.lockkeeper;

/** The registration of a listener; closing it removes the listener. */
public interface Registration extends AutoCloseable {
    /** Removes the listener. A notification that is already being delivered is completed. */
    @Override
    void close();
}
