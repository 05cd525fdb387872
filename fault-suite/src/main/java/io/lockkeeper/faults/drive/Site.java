package io.lockkeeper.faults.drive;

import java.util.List;

/** A store with its servers, set up for a run. */
public interface Site extends AutoCloseable {

    /** The URL by which a client reaches the store; from 1. Faults between that client and the store are done on this way. */
    default String url(int client) {
        return url();
    }

    /** The URL by which this process reaches the store, past all faults between clients and store. */
    String url();

    /** Whether a lock is free again a lease after its holder was stopped; otherwise only after the holder goes on. */
    default boolean leased() {
        return true;
    }

    /** What can be done to this store and the ways to it, beside what can be done to any client. */
    List<Fault> faults();

    /** Ends its servers. */
    @Override
    void close();
}
