package io.lockkeeper.testkit.sim;

import static io.lockkeeper.testkit.sim.SimFaults.CRASHES;
import static io.lockkeeper.testkit.sim.SimFaults.FOLLOWERS_CUT_OFF;
import static io.lockkeeper.testkit.sim.SimFaults.FORCED_RELEASES;
import static io.lockkeeper.testkit.sim.SimFaults.LATE_REQUESTS;
import static io.lockkeeper.testkit.sim.SimFaults.LOSSY_FAILOVERS;
import static io.lockkeeper.testkit.sim.SimFaults.LOST_MESSAGES;
import static io.lockkeeper.testkit.sim.SimFaults.LOST_SIGNALS;
import static io.lockkeeper.testkit.sim.SimFaults.PARTITIONS;
import static io.lockkeeper.testkit.sim.SimFaults.PAUSES;
import static io.lockkeeper.testkit.sim.SimFaults.SLOW_MESSAGES;
import static io.lockkeeper.testkit.sim.SimFaults.SLOW_THREADS;
import static io.lockkeeper.testkit.sim.SimFaults.STORE_PAUSES;
import static io.lockkeeper.testkit.sim.SimFaults.STORE_RESTARTS_EMPTY;
import static io.lockkeeper.testkit.sim.SimFaults.SUSPENSIONS;
import static io.lockkeeper.testkit.sim.SimFaults.WALL_JUMPS_BACK;

import io.lockkeeper.HandOff;
import io.lockkeeper.testkit.sim.Plan.StoreKind;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Mistakes that lock libraries make. The simulator can be told to make one of them, and must then catch itself. */
public enum PlantedBug {
    /** A release deletes whatever is held, without looking whose it is. */
    BARE_DELETE(StoreKind.LEASED, "I4", PARTITIONS, PAUSES),
    /** A renewal is answered with yes, even if another claim holds. */
    BARE_EXPIRE(StoreKind.LEASED, "I3", FORCED_RELEASES, LOSSY_FAILOVERS),
    /** The holder counts its lease from when the reply came. */
    DEADLINE_FROM_REPLY(StoreKind.LEASED, "I3 I8", SLOW_MESSAGES, PARTITIONS),
    /** The holder counts its lease from when the reply to a renewal came, though not from that to the first request. */
    RENEWAL_COUNTED_FROM_REPLY(StoreKind.LEASED, "I3 I8", SLOW_MESSAGES, PARTITIONS),
    /** The holder allows nothing for clocks that run apart. */
    NO_DRIFT_MARGIN(StoreKind.LEASED, "I3 I8", PARTITIONS, SLOW_THREADS),
    /** The holder looks at its monotonic clock only, which stands still while the machine is suspended. */
    MONOTONIC_CLOCK_ONLY(StoreKind.LEASED, "I3 I8", SUSPENSIONS),
    /** The holder looks at its wall clock only, which can be set back. */
    WALL_CLOCK_ONLY(StoreKind.LEASED, "I3 I8", WALL_JUMPS_BACK, PARTITIONS),
    /** The store is never asked about a fixed lease, so its holder believes in it until it ends. */
    FIXED_NEVER_ASKED_ABOUT(StoreKind.LEASED, "I3", FORCED_RELEASES, LOST_SIGNALS),
    /** The store confirms a lease without extending it, and the holder counts it anew. */
    CONFIRMED_TAKEN_FOR_RENEWED(StoreKind.LEASED, "I3 I8", SLOW_MESSAGES),
    /** A renewal brings a grant back that had ended. */
    RENEWAL_RESURRECTS(StoreKind.LEASED, "I5 I6", PARTITIONS, LATE_REQUESTS, SLOW_MESSAGES),
    /** A request that was not answered is sent again under a new id, and the old one is forgotten. */
    NEW_ID_ON_RETRY(StoreKind.LEASED, "I5 I6", LOST_MESSAGES),
    /** A release never leaves a tombstone, so a late request takes the lock for nobody. */
    NO_TOMBSTONE(StoreKind.LEASED, "I5 I6", LATE_REQUESTS),
    /** A release that was not answered is not sent again. */
    RELEASE_SENT_ONCE(StoreKind.LEASED, "I6", LOST_MESSAGES),
    /** Tokens are counted 1, 2, 3 … in a store that can lose its counter. */
    PLAIN_COUNTER(StoreKind.LEASED, "I1", LOSSY_FAILOVERS),
    /** The guarded resource accepts an equal token from any hold. */
    GUARD_ACCEPTS_EQUAL(StoreKind.LEASED, "I2", LOSSY_FAILOVERS),
    /** Blocks of tokens are given out faster than the clock runs that they are taken from. */
    BLOCKS_AHEAD_OF_CLOCK(StoreKind.LEASED, "I1", STORE_RESTARTS_EMPTY),
    /** A waiter counts on signals and does not ask by itself. */
    NO_POLL(StoreKind.LEASED, "I7", LOST_SIGNALS, CRASHES),
    /** The last to come is the first to be served. */
    LAST_COME_FIRST_SERVED(StoreKind.LEASED, "I7", SLOW_MESSAGES),
    /** A repeated permit claim is counted again. */
    PERMITS_COUNTED_TWICE(StoreKind.LEASED, "I5 I6 I8", LOST_MESSAGES),
    /** A latch counts requests, so that one that is sent again counts twice. */
    LATCH_COUNTS_REQUESTS(StoreKind.LEASED, "I8", LOST_MESSAGES),
    /** Readers get in though a writer waits. */
    READERS_PASS_WRITERS(StoreKind.LEASED, "I7", SLOW_MESSAGES),
    /** A keeper that was asked for a sticky grant while it was held keeps it all the same. */
    KEPT_THOUGH_ASKED_FOR(StoreKind.LEASED, "I9", SLOW_MESSAGES),
    /** The recall of an earlier grant is taken for a recall of this one. */
    ASKED_FOR_ANOTHER(StoreKind.LEASED, "I9", SLOW_MESSAGES),
    /** A grant that nobody holds is sent back in one step, and known to be gone in another. */
    SENT_BACK_IN_TWO_STEPS(StoreKind.LEASED, "I3", SLOW_THREADS),
    /** A newcomer takes an idle sticky grant without checking whether it has ended. */
    TAKEN_PAST_ITS_END(StoreKind.LEASED, "I3", PAUSES, SUSPENSIONS),
    /** A sticky grant is taken again with tokens that nobody reserved for it. */
    STICKY_TOKENS_NOT_RESERVED(StoreKind.LEASED, "I1", SLOW_MESSAGES),
    /** No answer to a release and an attempt in one request: the release is not sent again. */
    PAIR_NOT_RELEASED_AGAIN(StoreKind.LEASED, "I6", LOST_MESSAGES),
    /** No answer to a release and an attempt in one request: the attempt counts as never made. */
    PAIR_NOT_ASKED_AGAIN(StoreKind.LEASED, "I5 I6", LOST_MESSAGES, LATE_REQUESTS),
    /** The release was answered, the attempt along with it was not, and counts as never made. */
    PAIR_HALF_ANSWERED(StoreKind.LEASED, "I5 I6", LOST_MESSAGES, SLOW_THREADS),
    /** The attempt was granted, the release along with it was not answered, and neither counts. */
    PAIR_GRANT_DROPPED(StoreKind.LEASED, "I5 I6", LOST_MESSAGES, SLOW_THREADS),
    /** What is granted along with a release is forgotten if nobody waits any more. */
    PAIR_GRANTED_TO_NOBODY(StoreKind.LEASED, "I6", SLOW_MESSAGES),
    /** The end of a claim that was asked along with a release leaves no tombstone. */
    PAIR_LEAVES_NO_TOMBSTONE(StoreKind.LEASED, "I5 I6", LATE_REQUESTS),
    /** The lease of what is granted along with a release is counted from the reply. */
    PAIR_COUNTED_FROM_REPLY(StoreKind.LEASED, "I3 I8", SLOW_MESSAGES, PARTITIONS, SLOW_THREADS),
    /** The claim that is sent along with a release goes before the store's queue. */
    PAIR_PASSES_QUEUE(StoreKind.LEASED, "I7", SLOW_MESSAGES),
    /** A grant is handed on inside a process for as long as anybody there waits. */
    ROW_WITHOUT_END(StoreKind.LEASED, "I7", SLOW_MESSAGES),
    /** Newcomers take what is released before those who wait, again and again. */
    NEWCOMERS_WITHOUT_END(StoreKind.LEASED, "I7", SLOW_MESSAGES),
    /** A grant is handed on with tokens that the store did not give. */
    TOKENS_BEYOND_THE_BLOCK(StoreKind.LEASED, "I1", SLOW_MESSAGES),
    /** A waiter that is handed a grant does not look at the clock again when it wakes. */
    TAKER_LOOKS_TOO_EARLY(StoreKind.LEASED, "I3", SLOW_THREADS, PAUSES, SUSPENSIONS),
    /** A quorum counts the vote of a server that has just restarted without its memory. */
    FRESH_VOTE(StoreKind.QUORUM, "I3", STORE_RESTARTS_EMPTY, PARTITIONS),
    /** A failed quorum round does not release on the servers that did not answer. */
    SILENT_MEMBERS_NOT_RELEASED(StoreKind.QUORUM, "I5 I6", LOST_MESSAGES, SLOW_MESSAGES),
    /** A node that an old session of the same process made is taken for one's own. */
    OLD_SESSION_ADOPTED(StoreKind.SESSION, "I3 I8", PARTITIONS, PAUSES, SLOW_MESSAGES),
    /** The session's end is counted from reads too, which a follower answers that is cut off from its leader. */
    READS_COUNT_AS_CONTACT(StoreKind.SESSION, "I3 I8", FOLLOWERS_CUT_OFF),
    /** Nodes of a session that belong to no claim are left where they are. */
    NO_RECONCILING(StoreKind.SESSION, "I6 I7", LATE_REQUESTS, LOST_MESSAGES),
    /** Such nodes are looked for only when something is renewed, and nothing is while nothing is held. */
    RECONCILED_ONLY_WHEN_RENEWED(StoreKind.SESSION, "I6 I7", LATE_REQUESTS, LOST_MESSAGES),
    /** The end of a session is counted from when the answer to its last contact came. */
    CONTACT_COUNTED_FROM_REPLY(StoreKind.SESSION, "I3 I8", SLOW_MESSAGES, PARTITIONS, STORE_PAUSES),
    /** The last contact that was answered is enough, though its server may have been cut off before it passed it on. */
    LAST_CONTACT_IS_ENOUGH(StoreKind.SESSION, "I3 I8", FOLLOWERS_CUT_OFF, PAUSES, SLOW_THREADS),
    /** A contact that was passed on by a follower counts like one that reached the leader. */
    RELAYED_TAKEN_FOR_DIRECT(StoreKind.SESSION, "I3 I8", FOLLOWERS_CUT_OFF),
    /** A grant lasts for its lease, though its session is shorter. */
    LEASE_OUTLIVES_SESSION(StoreKind.SESSION, "I3 I8", PARTITIONS, PAUSES),
    /** A grant is promised for what is left of the session and renewed by its lease, which is longer. */
    PROMISED_BY_SESSION_RENEWED_BY_LEASE(StoreKind.SESSION, "I7"),
    /** Holders are not told that their session has ended before each of them is renewed. */
    SESSION_END_NOT_TOLD(StoreKind.SESSION, "I3", FORCED_RELEASES);

    private final StoreKind store;
    /** Separated by spaces. */
    private final String rules;

    // In the order of the enum, so that a run is the same in every JVM; nobody changes it.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<SimFaults> shownBy;

    PlantedBug(StoreKind store, String rules, SimFaults... shownBy) {
        this.store = store;
        this.rules = rules;
        this.shownBy = EnumSet.noneOf(SimFaults.class);
        this.shownBy.addAll(List.of(shownBy));
    }

    /** The invariants that it breaks. */
    public List<String> rules() {
        return List.of(rules.split(" ", -1));
    }

    /** A run in which the mistake is made, with the troubles that bring it to light. */
    public Plan plan(long seed) {
        // Only every second plan has pairs.
        boolean pairs = name().startsWith("PAIR_");
        Plan plan = Plan.random(pairs ? 2 * seed : seed, store).with(shownBy).with(this);
        return switch (this) {
            case BLOCKS_AHEAD_OF_CLOCK -> plan.hurried(new HandOff(1_000, Duration.ZERO));
            case ROW_WITHOUT_END, NEWCOMERS_WITHOUT_END, TOKENS_BEYOND_THE_BLOCK -> plan.hurried(HandOff.DEFAULT);
            case KEPT_THOUGH_ASKED_FOR, ASKED_FOR_ANOTHER, SENT_BACK_IN_TWO_STEPS, STICKY_TOKENS_NOT_RESERVED ->
                plan.stickier();
            // Others would ask for it before its holder sleeps for long.
            case TAKEN_PAST_ITS_END -> plan.stickier().ofOne();
            // Where others queue, the attempt is granted long after the pair.
            case PAIR_HALF_ANSWERED, PAIR_GRANT_DROPPED, PAIR_GRANTED_TO_NOBODY ->
                plan.crowded(1).longer();
            case PAIR_COUNTED_FROM_REPLY -> plan.crowded(2).longer();
            case TAKER_LOOKS_TOO_EARLY -> plan.briefer();
            case CONTACT_COUNTED_FROM_REPLY, LAST_CONTACT_IS_ENOUGH, READS_COUNT_AS_CONTACT -> plan.bySession();
            default -> plan;
        };
    }
}
