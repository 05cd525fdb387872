package io.lockkeeper.redis.client;

import io.lockkeeper.LockkeeperException;

/** Where the one server is that all keys are on. */
interface Primary {

    /**
     * The connections to it.
     *
     * @throws LockkeeperException if it cannot be found in time; nothing of the caller's was sent then
     */
    ConnectionPool pool(Deadline until);

    /**
     * Hears that something went wrong there: it may not be the primary any more.
     *
     * @return whether it is worth to look for it again, should the request surely not have been executed
     */
    boolean doubt(ConnectionPool pool, RuntimeException trouble);

    /** Makes sure, where it can be asked, that a server is still the primary; false if it is known not to be. */
    boolean isStill(Address server, Deadline until);

    /** How it is entered. */
    ConnectionSettings access();

    String describe();

    void close();
}
