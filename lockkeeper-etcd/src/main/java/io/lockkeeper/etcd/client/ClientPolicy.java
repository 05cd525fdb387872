package io.lockkeeper.etcd.client;

import java.time.Duration;

/** How often, how long and how many: what the client decides by itself. */
final class ClientPolicy {

    /** A deadline is not further away than this. */
    static final Duration LONGEST = Duration.ofDays(365);

    /** A connection that was idle for this long is not used again: routers forget such connections without a word. */
    static final Duration IDLE = Duration.ofSeconds(50);

    /** How long the opening of a watch may take. */
    static final Duration WATCH_OPENING = Duration.ofSeconds(5);

    /** The pauses before a watch that ended is opened again; they double. */
    static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);

    static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** The most connections for requests to one server. */
    static final int CONNECTIONS = 16;

    /** The most connections for leases and mail. */
    static final int LEASE_CONNECTIONS = 3;

    private ClientPolicy() {}
}
