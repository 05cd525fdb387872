package io.lockkeeper.quorum;

import io.lockkeeper.spi.LeaseTimes;
import io.lockkeeper.spi.RetentionTimes;
import io.lockkeeper.spi.WaiterTimes;
import java.time.Duration;

/**
 * How often and how long a quorum waits and looks. Leases and their margins are in {@link LeaseTimes}, tombstones in {@link
 * RetentionTimes}, the polls of waiters in {@link WaiterTimes}: members and keepers share them.
 */
final class QuorumPolicy {

    /** The default timeout of a request to one member. */
    static final Duration NODE_TIMEOUT = Duration.ofMillis(50);

    /** The shortest timeout of a request to one member that can be chosen. */
    static final Duration SHORTEST_NODE_TIMEOUT = Duration.ofMillis(1);

    /** The default for the longest lease, and so for how long a member that was restarted does not vote. */
    static final Duration LONGEST_LEASE = Duration.ofSeconds(60);

    /** The default bounds of the random pause after a round without a majority. */
    static final Duration SHORTEST_BACK_OFF = Duration.ofMillis(5);

    static final Duration LONGEST_BACK_OFF = Duration.ofMillis(200);

    /** How much longer a request may wait for a thread on a busy machine: that is not the member's silence. */
    static final Duration OWN_DELAY = Duration.ofSeconds(1);

    /** How long closing waits for the requests that are under way, and in which steps. */
    static final Duration CLOSING = Duration.ofSeconds(1);

    static final Duration CLOSING_STEP = Duration.ofMillis(1);

    /** An idle thread of a member ends after this time. */
    static final Duration IDLE_THREAD = Duration.ofSeconds(5);

    /** The pause after an attempt to open a member again has failed. */
    static final Duration REPAIR_PAUSE = Duration.ofSeconds(1);

    /** The longest pause between two tries of a single attempt that was split. */
    static final Duration LONGEST_RETRY_PAUSE = Duration.ofMillis(10);

    /** The lease of a turn: as long as a waiter counts as alive without being heard of. */
    static final Duration TURN = WaiterTimes.SILENT_AFTER;

    /** Against a hold of this length the look at the turn costs little, and shorter holds leave gaps enough. */
    static final Duration SHORTEST_HOLD_WITH_TURN = Duration.ofMillis(5);

    /** A holder that comes back later than this leaves a gap that polls meet. */
    static final Duration COMES_BACK = Duration.ofMillis(200);

    private QuorumPolicy() {}
}
