package io.lockkeeper.testkit.sim;

import java.util.EnumSet;
import java.util.Set;

/** What can go wrong in a run. Each run has a random part of these. */
public enum SimFaults {
    /** Requests or replies get lost: the caller does not know which. */
    LOST_MESSAGES,
    /** Messages take long, so that they overtake each other. */
    SLOW_MESSAGES,
    /** A request is executed long after its caller gave up, or twice. */
    LATE_REQUESTS,
    LOST_SIGNALS,
    /** A keeper and the store, or one store of several, do not reach each other for a while. */
    PARTITIONS,
    /** Processes are stopped for a while; their clocks go on. */
    PAUSES,
    /** Machines are suspended: the monotonic clock stands still, the wall clock goes on. */
    SUSPENSIONS,
    CRASHES,
    /** Threads run long after they were woken. */
    SLOW_THREADS,
    WALL_JUMPS_FORWARD,
    WALL_JUMPS_BACK,
    /** Clock rates up to 10 % off, more than leases allow for. */
    WILD_CLOCKS,
    STORE_PAUSES,
    /** The store restarts and has everything it had. */
    STORE_RESTARTS,
    STORE_RESTARTS_EMPTY,
    /** A copy of the store takes over that lags behind. */
    LOSSY_FAILOVERS,
    STORE_CLOCK_JUMPS,
    FORCED_RELEASES,
    /** A server of several does not reach the one that ends sessions, and answers reads all the same. */
    FOLLOWERS_CUT_OFF;

    /** After these a lease may end in the store while its holder rightly counts on it. */
    private static final Set<SimFaults> BREAK_LEASES =
            EnumSet.of(WILD_CLOCKS, STORE_RESTARTS_EMPTY, LOSSY_FAILOVERS, STORE_CLOCK_JUMPS, FORCED_RELEASES);

    /** After these the store may have forgotten that an id was released. */
    private static final Set<SimFaults> LOSE_MEMORY =
            EnumSet.of(STORE_RESTARTS_EMPTY, LOSSY_FAILOVERS, STORE_CLOCK_JUMPS);

    /** Whether at most one may believe to hold at any time. */
    static boolean leavesLeases(Plan plan) {
        Set<SimFaults> troubles = EnumSet.noneOf(SimFaults.class);
        troubles.addAll(plan.troubles());
        if (plan.store() == Plan.StoreKind.QUORUM) {
            // A minority that forgets is what a quorum is there for.
            troubles.remove(STORE_RESTARTS_EMPTY);
            troubles.remove(LOSSY_FAILOVERS);
        }
        return troubles.stream().noneMatch(BREAK_LEASES::contains)
                // Set back while the other one stands still: no clock is left to see that time passed.
                && !(troubles.contains(SUSPENSIONS) && troubles.contains(WALL_JUMPS_BACK));
    }

    static boolean leavesMemory(Set<SimFaults> troubles) {
        return troubles.stream().noneMatch(LOSE_MEMORY::contains);
    }
}
