package io.lockkeeper.jdbc;

import io.lockkeeper.spi.LeaseTimes;
import io.lockkeeper.spi.RetentionTimes;
import io.lockkeeper.spi.WaiterTimes;
import java.time.Duration;

/**
 * How often and how long this store waits, polls and keeps. Leases are in {@link LeaseTimes}, tombstones in {@link
 * RetentionTimes}, and when a waiter counts as dead in {@link WaiterTimes}: keepers of several processes rely on them.
 */
final class JdbcPolicy {

    /** How long opening may take: the first connection of a process loads classes and negotiates TLS. */
    static final Duration OPENING = Duration.ofSeconds(10);

    /** How long a list of names may take; with many names that is longer than a command. */
    static final Duration LISTING = Duration.ofMinutes(1);

    /** The pause after a collision with another request, at first. */
    static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

    /** The pause after a collision, at most. */
    static final Duration LONGEST_PAUSE = Duration.ofMillis(20);

    /** The pause between two tries to make the tables, at first. */
    static final Duration CREATING_PAUSE = Duration.ofMillis(20);

    /** Without notifications, a claim that begins to wait is polled for after this time. */
    static final Duration FIRST_POLL = Duration.ofMillis(5);

    /** Without notifications, a claim that waits is polled for after this time at the latest. */
    static final Duration LONGEST_POLL = Duration.ofMillis(250);

    /** A connection that was used within this time is taken for alive. */
    static final Duration TRUSTED_FOR = Duration.ofSeconds(5);

    /** How long an idle connection may take to say that it is alive. */
    static final Duration VALIDATION = Duration.ofSeconds(1);

    /** How long a notification to oneself may take. */
    static final Duration PROBE = Duration.ofSeconds(1);

    /** How often the connection that listens is checked. */
    static final Duration LIVENESS_CHECK = Duration.ofSeconds(5);

    /** The pause before a broken connection that listens is replaced, at first. */
    static final Duration SHORTEST_RECONNECT = Duration.ofMillis(250);

    /** The pause before a broken connection that listens is replaced, at most. */
    static final Duration LONGEST_RECONNECT = Duration.ofSeconds(30);

    /** How often a process looks for idle rows, at most. */
    static final Duration PURGE_EVERY = Duration.ofHours(1);

    /** How long deleting idle rows may take. */
    static final Duration PURGE_TIMEOUT = Duration.ofMinutes(1);

    /** For how long a row is unused before it is deleted, unless it is set otherwise. */
    static final Duration IDLE_ROWS = Duration.ofDays(7);

    /** The shortest time after which idle rows may be deleted. */
    static final Duration SHORTEST_IDLE_ROWS = Duration.ofDays(1);

    /** How long an update by version is attempted, unless it is set otherwise. */
    static final Duration UPDATE_BUDGET = Duration.ofSeconds(5);

    /**
     * The end of a claim with a longer lease than this is on disk before it is answered. A shorter one may be forgotten by a crash
     * of the server, and then holds its lock for no longer than this.
     */
    static final Duration LONGEST_FORGOTTEN = Duration.ofMinutes(1);

    /** How long a notification may take that proves that a connection has a session of its own. */
    static final Duration SESSION_PROBE = Duration.ofSeconds(3);

    /** While session locks are held, the server is asked this often whether their connection is still there. */
    static final Duration SESSION_PING = Duration.ofMillis(250);

    /** A claim that is next for a session lock is polled for this often: it alone polls for that lock. */
    static final Duration TURN_POLL = Duration.ofMillis(20);

    /** How long the end of a session may take, in which all its locks are given back. */
    static final Duration SESSION_CLOSING = Duration.ofSeconds(1);

    /** What counts as no deadline: longer than any process waits for a server. */
    static final Duration NO_DEADLINE = Duration.ofDays(365);

    private JdbcPolicy() {}
}
