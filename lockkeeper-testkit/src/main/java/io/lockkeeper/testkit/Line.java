package io.lockkeeper.testkit;

import io.lockkeeper.spi.Backend;

/**
 * A way of its own to the same store, below everything that the store does by itself. A store that keeps a session alive is not cut
 * off by losing the requests of its keeper: only by losing its connection.
 */
public interface Line extends AutoCloseable {

    /** A line to a server on a port of the loopback address, through a {@link FaultProxy}. */
    static Line through(FaultProxy proxy, Backend backend) {
        return new ProxiedLine(proxy, backend);
    }

    /** The store at the other end. */
    Backend backend();

    /** Connections are broken off, and no new ones are accepted. */
    void cut();

    /** Nothing arrives, in either direction, until it is healed. */
    void hang();

    /** Everything arrives again, also what hung. */
    void heal();

    @Override
    void close();
}
