package io.lockkeeper.engine;

import io.lockkeeper.spi.LeaseTimes;
import io.lockkeeper.spi.RetentionTimes;
import io.lockkeeper.spi.WaiterTimes;
import java.time.Duration;

/**
 * How often, how long and how many: the keeper's own pacing. No store and no other keeper relies on these values. Those that
 * they do rely on are in {@link LeaseTimes}, {@link WaiterTimes} and {@link RetentionTimes}. What a user may choose is in {@code
 * LockkeeperBuilder}; its defaults are here.
 */
public final class KeeperPolicy {

    // Defaults of the builder.

    /** The lease of a lock for which none was chosen. */
    public static final Duration LEASE = Duration.ofSeconds(30);

    /** The timeout of one request to the store. */
    public static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);

    /** The shortest timeout of a request that can be chosen. */
    public static final Duration SHORTEST_COMMAND_TIMEOUT = Duration.ofMillis(1);

    // Waiting for the store.

    /**
     * The interval of the polls of a fair waiter that is not the first. The first polls for all of them, which is enough while
     * the store has them in the same order. A store that lost its queue may have got them in another order.
     */
    public static final Duration SLOW_POLL = Duration.ofSeconds(10);

    /** While at most this many fair waiters wait, each checks the time once a second; of more, only the first. */
    public static final int FEW_WAITERS = 16;

    /** The first pause before an attempt that failed is repeated; it doubles up to {@link WaiterTimes#LONGEST_POLL}. */
    public static final Duration FIRST_RETRY = Duration.ofMillis(20);

    /** How long {@code tryAcquire()} waits for another keeper to return a sticky grant that was recalled. */
    public static final Duration RECALL_WAIT = Duration.ofMillis(100);

    /** The first pause between two attempts of {@code tryAcquire()} while it waits for a recalled grant; it doubles. */
    public static final Duration FIRST_RECALL_PAUSE = Duration.ofMillis(1);

    /** Tokens of a sticky grant, one for each time it is taken; stores take them from a clock with a million a second. */
    public static final int STICKY_TOKENS = 1024;

    /** The pause before a request of the caller, such as {@code countDown}, is repeated. */
    public static final Duration REQUEST_RETRY = Duration.ofMillis(50);

    /** How many times a request of the caller is sent in all. */
    public static final int REQUEST_TRIES = 4;

    /** The bounds of the random pause between two attempts for a request id; it doubles. */
    public static final Duration FIRST_REQUEST_ID_PAUSE = Duration.ofMillis(2);

    public static final Duration LONGEST_REQUEST_ID_PAUSE = Duration.ofMillis(200);

    /** The interval at which a multi-lock that waits requests a lock again while it holds others. */
    public static final Duration MULTI_LOCK_RETRY = Duration.ofMillis(100);

    /** The interval at which a multi-lock that waits reads the ids of the stores, which give the order of its locks. */
    public static final Duration MULTI_LOCK_ORDER_CHECK = Duration.ofSeconds(2);

    /** The bounds of the random pause between two rounds of a majority lock; it doubles. */
    public static final Duration SHORTEST_MAJORITY_PAUSE = Duration.ofMillis(5);

    public static final Duration LONGEST_MAJORITY_PAUSE = Duration.ofMillis(200);

    /** Rounds of a single try of a majority lock: claims of the same moment may split the locks between them. */
    public static final int MAJORITY_ROUNDS_OF_A_TRY = 3;

    /** The interval at which a wait for any segment tries the others. */
    public static final Duration SEGMENT_ROUND = Duration.ofMillis(50);

    /** How long a candidate waits after a failure before it stands for election again. */
    public static final Duration ELECTION_RETRY = Duration.ofMillis(500);

    /** The longest time for which {@code leave()} waits until its listeners were notified. */
    public static final Duration ELECTION_NOTICE = Duration.ofSeconds(30);

    /** The interval at which a keeper that is being drained checks whether it still holds anything. */
    public static final Duration DRAIN_CHECK = Duration.ofMillis(10);

    /** A thread that has waited this long for what it may itself hold by another handle is told so in the log. */
    public static final Duration SELF_DEADLOCK_CHECK = Duration.ofSeconds(1);

    // Renewal and loss.

    /** A fixed grant is confirmed by the store at least this often, since leases of a day are not rare there. */
    public static final Duration LONGEST_UNCONFIRMED = Duration.ofMinutes(1);

    /** Grants that are due within this time are renewed together with the one that is due now. */
    public static final Duration LONGEST_EARLY_RENEWAL = Duration.ofMillis(2500);

    /** Grants in one request to renew. */
    public static final int RENEWAL_BATCH = 1000;

    /** A renewal that failed is repeated this many times within the time between two renewals. */
    public static final int RENEWAL_RETRIES = 8;

    /** A wall clock that gained this much on the monotonic one was set, or the machine was suspended. */
    public static final Duration CLOCK_JUMP = Duration.ofMillis(1);

    /** While anything is held the timer reads the clocks this often: the monotonic clock of a suspended machine stands still. */
    public static final Duration CLOCK_CHECK = Duration.ofMillis(250);

    /** A lease that is shorter than this is logged as a risk. */
    public static final Duration RISKY_LEASE = Duration.ofSeconds(1);

    // Releases in the background.

    /** The first pause before a release in the background is repeated; it doubles. */
    public static final Duration FIRST_RELEASE_RETRY = Duration.ofMillis(50);

    /** How many times the pause of {@link #FIRST_RELEASE_RETRY} doubles. */
    public static final int RELEASE_RETRY_DOUBLINGS = 6;

    /** The pauses in which closing waits for releases in the background; they double. */
    public static final Duration FIRST_CLOSING_PAUSE = Duration.ofMillis(2);

    public static final Duration LONGEST_CLOSING_PAUSE = Duration.ofMillis(50);

    // Threads.

    /** Threads that send requests for callers without a thread of their own. */
    public static final int MOST_REQUEST_THREADS = 64;

    /** Threads that run code of the application, unless all of them stand still. */
    public static final int MOST_CALLBACK_THREADS = 32;

    /** An idle thread for requests or callbacks ends after this time. */
    public static final Duration IDLE_THREAD = Duration.ofSeconds(2);

    /** An idle thread for renewals ends after this time. */
    public static final Duration IDLE_RENEWAL_THREAD = Duration.ofSeconds(15);

    /** The pause before a thread that could not be started is tried again. */
    public static final Duration THREAD_RETRY = Duration.ofMillis(100);

    /** When all callback threads have stood still for this long, one more is started. */
    public static final Duration STANDSTILL = Duration.ofSeconds(1);

    private KeeperPolicy() {}
}
