package io.lockkeeper.quorum.rounds;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Durations;
import io.lockkeeper.spi.LeaseTimes;
import java.time.Duration;
import java.util.Set;

/**
 * The numbers that decide for a quorum.
 *
 * <p>Any two groups of {@code quorum} members share at least one: this is all that exclusion and the order of tokens rest
 * on.
 *
 * @param members how many there are
 * @param quorum how many must agree, more than half
 * @param driftFactor by how much clocks may differ in speed, as a part of the lease
 * @param longestLease no lease is longer, so that after this time a member that forgot its grants has forgotten nothing
 *     that still counts
 * @param durable members that never forget
 */
public record QuorumRules(int members, int quorum, double driftFactor, Duration longestLease, Set<Integer> durable) {

    public QuorumRules {
        if (members < 3) {
            throw new IllegalArgumentException("A quorum of " + members + (members == 1 ? " member" : " members")
                    + " survives no failure; give it 3 or more, best 3 or 5");
        }
        int majority = members / 2 + 1;
        if (quorum < majority || quorum > members) {
            throw new IllegalArgumentException("With " + members + " members the quorum cannot be " + quorum
                    + "; choose from " + majority + ", their majority, to " + members);
        }
        if (!(driftFactor >= 0 && driftFactor < 0.5)) {
            throw new IllegalArgumentException(
                    "A drift factor of " + driftFactor + " is not possible; choose from 0 to below 0.5, such as 0.01");
        }
        if (longestLease.compareTo(LeaseTimes.SHORTEST_LEASE) < 0) {
            throw new IllegalArgumentException(
                    "A longest lease of " + Durations.text(longestLease) + " is below the shortest that exists, 100ms");
        }
        durable = Set.copyOf(durable);
    }

    /** How much of a lease counts, from the moment before its first request was sent. */
    public Duration usable(Duration lease) {
        return LeaseTimes.usable(lease, driftFactor);
    }

    /** Whether a member that has been up for at least this time may vote. */
    public boolean mayVote(int member, Duration uptime) {
        return durable.contains(member) || uptime.compareTo(longestLease) > 0;
    }

    /** Says how long a member with this uptime has no vote yet. */
    StoreUnavailableException notYet(Duration uptime) {
        return new StoreUnavailableException("not voting yet, for another " + inWords(longestLease.minus(uptime)));
    }

    String whyNotYet() {
        return "a member votes when it has been up for longer than the longest lease of " + inWords(longestLease)
                + ", because it may have forgotten grants; wait, or, if it forgets nothing or this is a trial, declare it"
                + " durable (durableMember, or durable=true in a redlock URL)";
    }

    private static String inWords(Duration time) {
        return Durations.text(
                time.toMillis() < 1_000
                        ? Duration.ofMillis(time.toMillis())
                        : Duration.ofSeconds((time.toMillis() + 999) / 1_000));
    }

    /** Whether no quorum is possible without this many members. */
    public boolean preventedBy(int count) {
        return members - count < quorum;
    }
}
