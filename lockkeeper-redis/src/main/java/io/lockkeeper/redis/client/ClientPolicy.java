package io.lockkeeper.redis.client;

import java.time.Duration;

/** How often and how long connections wait, ask, pause and last. */
public final class ClientPolicy {

    /** A connection that has been idle for this long answers a PING before it is used; see {@link ConnectionPool}. */
    static final Duration PING_WHEN_IDLE_FOR = Duration.ofSeconds(10);

    /** A connection that has been idle for this long is closed. */
    static final Duration CLOSE_WHEN_IDLE_FOR = Duration.ofMinutes(1);

    /** How long the connection of a subscription may take to open, if an application's client lends it. */
    public static final Duration SUBSCRIPTION_OPENING = Duration.ofSeconds(5);

    /** How often a subscription asks its server whether it is there. */
    public static final Duration SUBSCRIPTION_PING = Duration.ofSeconds(3);

    /** How long a subscription waits for an answer of its server. */
    static final Duration SUBSCRIPTION_ANSWER = Duration.ofSeconds(2);

    /** How long a subscription may look for the server that it should be on. */
    static final Duration SUBSCRIPTION_LOOK = Duration.ofMillis(500);

    /** The pause before the next try to subscribe, after a success. */
    static final Duration SHORTEST_SUBSCRIPTION_PAUSE = Duration.ofMillis(20);

    /** The pause before the next try to subscribe, at most. */
    static final Duration LONGEST_SUBSCRIPTION_PAUSE = Duration.ofSeconds(1);

    /** The pause before a further redirection of a cluster is followed. */
    static final Duration REDIRECTION_PAUSE = Duration.ofMillis(20);

    /** How long one node of a cluster is waited for when the table of slots is read, while there are others. */
    static final Duration CLUSTER_NODE_ANSWER = Duration.ofMillis(300);

    /** The pause before the sentinels are asked again for the primary. */
    static final Duration SENTINEL_PAUSE = Duration.ofMillis(25);

    /** How long one sentinel is waited for, while there are others. */
    static final Duration SENTINEL_ANSWER = Duration.ofMillis(500);

    /** What counts as no deadline: longer than any process waits for a server. */
    static final Duration NO_DEADLINE = Duration.ofDays(365);

    private ClientPolicy() {}
}
