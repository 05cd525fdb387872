package io.lockkeeper.file;

import io.lockkeeper.spi.LeaseTimes;
import io.lockkeeper.spi.RetentionTimes;
import io.lockkeeper.spi.WaiterTimes;
import java.time.Duration;

/**
 * How often and how long the file store waits, polls and keeps. Leases are in {@link LeaseTimes}, tombstones in {@link
 * RetentionTimes}, and when a waiter counts as dead in {@link WaiterTimes}: keepers of several processes rely on them.
 */
final class FilePolicy {

    /** The default for how long the file of a name that nobody uses is kept. */
    static final Duration RETENTION = Duration.ofDays(7);

    /** The shortest retention that can be chosen. */
    static final Duration SHORTEST_RETENTION = Duration.ofMinutes(1);

    /** The interval at which unused files are looked for, over all processes. */
    static final Duration PURGE_EVERY = Duration.ofDays(1);

    /** The timeout of deleting one file. */
    static final Duration PURGE_OF_ONE = Duration.ofSeconds(1);

    /** The timeout of listing; reading a folder with very many names takes long. */
    static final Duration LISTING = Duration.ofSeconds(30);

    /** The pauses between two attempts to lock a file; they double. */
    static final Duration SHORTEST_LOCK_PAUSE = Duration.ofNanos(20_000);

    static final Duration LONGEST_LOCK_PAUSE = Duration.ofMillis(2);

    /** The longest pause between two attempts to be the first of this JVM that opens a folder. */
    static final Duration LONGEST_OPENING_PAUSE = Duration.ofMillis(1);

    /** The bounds of a waiter's polls; within them they grow with the time it has waited. */
    static final Duration SHORTEST_POLL = Duration.ofMillis(1);

    /** The longest pause between two polls of the first of the queue. */
    static final Duration LONGEST_POLL_OF_FIRST = Duration.ofMillis(25);

    static final Duration LONGEST_POLL = Duration.ofMillis(50);

    /** A waiter lets newcomers pass for this long; without that the resource would be idle between any two polls. */
    static final long LETS_PASS_MILLIS = 20;

    /** An idle thread for file operations ends after this time. */
    static final Duration IDLE_THREAD = Duration.ofSeconds(5);

    /** The timeout of work that must be finished even when nobody waits for it any more. */
    static final Duration LONGEST_WORK = Duration.ofDays(1);

    private FilePolicy() {}
}
