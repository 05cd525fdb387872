package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Keeper;
import java.time.Duration;
import org.apache.zookeeper.Watcher;

/** Where sessions come from: a connection of our own, or a client of the application. */
interface SessionSource {

    /** The servers for people, never with a password. */
    String describe();

    /**
     * Opens a session, or uses the one that there is, and returns when it surely lasts for a while.
     *
     * @param events is told what becomes of the session
     * @throws io.lockkeeper.StoreUnavailableException if there is none in time
     */
    LiveSession open(Keeper keeper, Layout layout, Watcher events, Deadline until);

    /** Whether sessions have the timeout that the keeper asked for. */
    boolean isTimeoutKept(Keeper keeper, Duration timeout);

    /** The session is not used any more. It returns soon, and what the session has may go a little later. */
    void close(LiveSession session);
}
