package io.lockkeeper;

/** A listener's registration; closing it removes the listener. */
public interface Registration extends AutoCloseable {
    @Override
    void close();
}
