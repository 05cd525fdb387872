package io.lockkeeper.quorum;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.quorum.rounds.QuorumRules;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Durations;
import io.lockkeeper.spi.LeaseTimes;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Settings of a quorum. All keepers of the same locks must use the same members, quorum and longest lease. */
public final class QuorumBuilder {

    private final List<Backend> members = new ArrayList<>();
    private final Set<Integer> durable = new HashSet<>();
    private int quorum;
    private Duration nodeTimeout = QuorumPolicy.NODE_TIMEOUT;
    private double driftFactor = LeaseTimes.CLOCK_DRIFT;
    private Duration longestLease = QuorumPolicy.LONGEST_LEASE;
    private BackOff backOff = BackOff.exponential(QuorumPolicy.SHORTEST_BACK_OFF, QuorumPolicy.LONGEST_BACK_OFF);
    private int attempts = Retries.UNSET;
    private RandomGenerator random = new SecureRandom();

    QuorumBuilder() {}

    public QuorumBuilder member(Backend member) {
        given(member, "member");
        members.add(member);
        return this;
    }

    /**
     * A member that never forgets what it acknowledged, not even in a power failure: it may vote right after a restart. For
     * Redis that is {@code appendfsync always}, and nothing less.
     */
    public QuorumBuilder durableMember(Backend member) {
        given(member, "member");
        durable.add(members.size());
        members.add(member);
        return this;
    }

    public QuorumBuilder members(Collection<? extends Backend> more) {
        given(more, "more");
        members.addAll(more);
        return this;
    }

    /** How many members must agree: their majority, n / 2 + 1. It may be more, never less. */
    public QuorumBuilder quorum(int votes) {
        if (votes < 1) {
            throw new IllegalArgumentException("A quorum must be more than half of the members but was " + votes);
        }
        quorum = votes;
        return this;
    }

    /**
     * How long a member may take to answer, 50 ms, and never more than a fifth of the lease. It should be far below the
     * lease: a member that hangs costs each attempt this much.
     */
    public QuorumBuilder nodeTimeout(Duration timeout) {
        given(timeout, "timeout");
        if (timeout.compareTo(QuorumPolicy.SHORTEST_NODE_TIMEOUT) < 0) {
            throw new IllegalArgumentException(
                    "A timeout of " + Durations.text(timeout) + " is too short; give a member at least 1ms");
        }
        nodeTimeout = timeout;
        return this;
    }

    /** By how much the members' clocks and ours may differ in speed: 0.01, that is 1 % of the lease, and 2 ms are added. */
    public QuorumBuilder driftFactor(double factor) {
        driftFactor = factor;
        return this;
    }

    /**
     * No lease may be longer: 60 s. A member that restarted has no vote for this long, because it may have forgotten a grant
     * that still holds.
     */
    public QuorumBuilder longestLease(Duration longest) {
        given(longest, "longest");
        longestLease = longest;
        return this;
    }

    /**
     * How many rounds a single try makes, that is {@code tryAcquire()} and {@code tryLock()} without a time, before it answers
     * no: the retry count of other Redlock clients, plus one. Between two rounds it waits as {@link #backOff} says, and it
     * stops early when its thread is interrupted. Members that do not answer are asked again too. Calls with a timeout, and
     * those that wait without one, are not limited by it.
     *
     * <p>If this is not set, a try makes one round, and up to three if claims that came at the same moment have split the
     * members between them, so that perhaps nobody has the lock.
     *
     * @param rounds 1 or more
     */
    public QuorumBuilder attempts(int rounds) {
        if (rounds < 1) {
            throw new IllegalArgumentException("The number of attempts must be at least 1 but was " + rounds);
        }
        attempts = rounds;
        return this;
    }

    /**
     * How long to wait before the next round: a random time from 5 ms to a bound that grows from 20 to 200 ms. Waiting calls
     * and the {@link #attempts} of a single try go by it.
     */
    public QuorumBuilder backOff(BackOff delay) {
        given(delay, "delay");
        backOff = delay;
        return this;
    }

    /** Where chance comes from; it must be safe for use by many threads. For tests. */
    public QuorumBuilder random(RandomGenerator generator) {
        given(generator, "generator");
        random = generator;
        return this;
    }

    /**
     * Makes the backend; it takes the members over: closing it closes them.
     *
     * @throws IllegalArgumentException if there are fewer than 3 members, one of them twice, or one that cannot vote; or if
     *     the quorum is not a majority
     */
    public Quorum build() {
        Set<Backend> different = new HashSet<>(members);
        if (different.size() < members.size()) {
            throw new IllegalArgumentException(
                    "One backend is a member twice; a quorum needs members that fail independently");
        }
        QuorumRules rules = new QuorumRules(
                members.size(), quorum == 0 ? members.size() / 2 + 1 : quorum, driftFactor, longestLease, durable);
        return new Quorum(List.copyOf(members), rules, nodeTimeout, backOff, attempts, random);
    }
}
