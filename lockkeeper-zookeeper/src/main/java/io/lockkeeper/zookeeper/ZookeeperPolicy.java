package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.LeaseTimes;
import java.time.Duration;

/** How often, how long and how many: what this module decides by itself. */
final class ZookeeperPolicy {

    /** The root of a URL that names none. */
    static final String DEFAULT_ROOT = "/lockkeeper";

    /** A session is waited for at least this long when a store is opened: the first connection of a process loads many classes. */
    static final Duration OPENING = Duration.ofSeconds(5);

    /** Between two attempts to open a session or to be in contact, while the store cannot be reached. */
    static final Duration RETRY = Duration.ofMillis(50);

    /** How long closing a store waits for the end of its session; after that it goes on in the background. */
    static final Duration CLOSING = Duration.ofSeconds(2);

    /** A node that the keeper itself should have deleted at the end of a fixed lease is deleted this much later. */
    static final Duration OVERDUE = Duration.ofSeconds(1);

    /** What was observed is remembered for this long after the last look at it. */
    static final Duration OBSERVATION_KEPT = Duration.ofMinutes(10);

    /** How often an attempt looks again if what it read has changed meanwhile. */
    static final int LOOKS = 20;

    /** The tokens of one grant: what fits below the number of its transaction. */
    static final int TOKEN_BITS = 10;

    /**
     * Names of a session are asked for in parts of about this many bytes. The client takes 1 MB at most; and the server copies all
     * names of the session for each part, so that many small parts would keep it busy.
     */
    static final int PART = 700_000;

    /** How many requests of a list are under way at once. */
    static final int LISTED_AT_ONCE = 200;

    /** What counts as no deadline: longer than any process waits for a server. */
    static final Duration NO_DEADLINE = Duration.ofDays(365);

    private ZookeeperPolicy() {}

    /**
     * For how many nanoseconds a node with that lease has to be seen unchanged before it is deleted: longer than the lease by what two
     * clocks may run apart, since its owner and the observer each have one.
     */
    static long observed(Duration lease) {
        long nanos = lease.toNanos();
        return nanos + (long) (nanos * 2 * LeaseTimes.CLOCK_DRIFT) + 2 * LeaseTimes.CLOCK_STEP.toNanos();
    }
}
