package io.lockkeeper.redis.client;

/** A connection of an application's own client, borrowed for one request. Closing it gives it back. */
public interface BorrowedConnection extends ServerConnection, AutoCloseable {

    @Override
    void close();
}
