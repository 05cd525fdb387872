package io.lockkeeper.etcd;

import java.time.Duration;

/** How often, how long and how many: what this module decides by itself. */
final class EtcdPolicy {

    /** The prefix of a URL that names none. */
    static final String DEFAULT_PREFIX = "lockkeeper";

    /** etcd's port. */
    static final int DEFAULT_PORT = 2379;

    /** The shortest lease that is asked for; etcd's own bound is 2 s with its default settings. */
    static final long SHORTEST_SECONDS = 2;

    /** The first requests of a process load many classes, so a store is opened with at least this much time. */
    static final Duration OPENING = Duration.ofSeconds(5);

    /** How long an opening waits for the notifications; without them waiters poll. */
    static final Duration WATCH_OPENING = Duration.ofSeconds(2);

    /** Between two attempts to open a lease or to renew it, while the store cannot be reached. */
    static final Duration RETRY = Duration.ofMillis(50);

    /** How long closing a store waits for the end of its leases; what it could not end etcd ends by itself. */
    static final Duration CLOSING = Duration.ofSeconds(1);

    /** A lease of another length than the keeper's own is ended when nothing was claimed in it for this long. */
    static final Duration UNUSED = Duration.ofMinutes(1);

    /** How long a guard may take. */
    static final Duration GUARD = Duration.ofSeconds(5);

    /** How often an attempt looks again if what it read has changed meanwhile. */
    static final int LOOKS = 20;

    /** The tokens of one grant: what fits below the revision in which its key was created. */
    static final int TOKEN_BITS = 10;

    /** So many keys are looked at one by one; above it their whole lease is. etcd takes 128 requests in a transaction. */
    static final int READ_AT_ONCE = 100;

    /** How many keys a list reads at once. */
    static final int PAGE = 1000;

    /** The size of a semaphore that claims gave is written again by its users this often, so that it is kept. */
    static final Duration SIZE_REFRESH = Duration.ofHours(6);

    /** The most notifications that wait to be sent; what is more is lost, and costs its receiver a poll. */
    static final int MOST_MAIL = 10_000;

    private EtcdPolicy() {}
}
