package io.lockkeeper.spi;

import java.time.Duration;
import java.util.Set;

/** A store that grants can be kept in. Several keepers may open it. */
public interface Backend extends AutoCloseable {

    /** Names the store to people, as a URL where there is one; never with a password. */
    String describe();

    /** What it can do beyond exclusive claims. */
    Set<Capability> capabilities();

    /** Longer leases are refused before anything is sent. */
    default Duration longestLease() {
        return Protocol.LONGEST_LEASE;
    }

    /**
     * Opens it for one keeper.
     *
     * @throws io.lockkeeper.StoreUnavailableException if it can not be reached
     */
    Store open(Keeper keeper);

    /** Frees what this object itself holds (clients, threads). Stores that were opened are closed by their keepers. */
    @Override
    void close();
}
