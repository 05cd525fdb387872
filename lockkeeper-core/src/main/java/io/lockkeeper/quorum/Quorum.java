package io.lockkeeper.quorum;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.quorum.rounds.QuorumRules;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Redlock: a backend made of several independent backends. A grant is what a majority of them grants, so it outlives the
 * failure of the others.
 *
 * <pre>{@code
 * Lockkeeper keeper = Lockkeeper.of(Quorum.of(redisA, redisB, redisC));
 * }</pre>
 *
 * <p><b>What it promises.</b> With {@code n} members and a quorum of {@code q}, locks can be taken, renewed and released while
 * any {@code n - q} members are down, slow or restarted. Fencing tokens go up strictly from grant to grant, through all of
 * that. At most one process at a time sees its hold of an exclusive lock as held, as long as clocks run at the same speed within the drift
 * factor, no clock of a majority jumps forward, and no process pauses between looking at its hold and acting on it. A member
 * that lost its memory has no vote until it has been up for longer than the longest lease.
 *
 * <p><b>What it does not promise.</b> As with every lease, a holder that is paused may act after its time; only a guard that
 * checks the token stops it. Members must fail independently: they are single servers, not replicas of each other. Tokens
 * of members that lost their memory start from the members' clocks, which must not differ by more than the longest lease.
 * There is no queue: waiting is polling with a random back-off. Of the claims that wait for a lock one has the turn, by chance,
 * and goes first when the lock is free: before other waiting claims, before readers, and before a keeper that releases the lock
 * and claims it again at once. So no waiter is starved by holders that come back, but there is no order, no bound, and a new
 * claim may be served first. A claim for many permits may starve. There are no fair locks, no latches and
 * no portable holds, and holds are not passed on inside a process.
 *
 * <p><b>What a try answers.</b> {@code tryAcquire()} is null only if others have members of the quorum: the holder, a writer
 * that waits and goes before a reader, or claims that came at the same moment, with which it
 * {@linkplain QuorumBuilder#attempts tries again}. Members that are slow, absent or not voting yet, so many that no majority
 * is left, are a {@link io.lockkeeper.StoreUnavailableException} that carries each member's error.
 *
 * <p><b>What it costs.</b> A lock is taken with three requests to each member, all members at once: the vote, its uptime unless
 * the member is durable, and the token that is written back. A claim for n permits asks for n slots besides, which are
 * 2n requests more to each member, side by side on up to 16 connections; 100 permits cost some tens of milliseconds. The
 * timeout of a member counts for each of its requests.
 */
public final class Quorum implements Backend {

    private static final System.Logger LOG = System.getLogger(Quorum.class.getName());

    private final List<Backend> members;
    private final QuorumRules rules;
    private final Duration nodeTimeout;
    private final BackOff backOff;
    private final int attempts;
    private final RandomGenerator random;

    Quorum(
            List<Backend> members,
            QuorumRules rules,
            Duration nodeTimeout,
            BackOff backOff,
            int attempts,
            RandomGenerator random) {
        this.members = members;
        this.rules = rules;
        this.nodeTimeout = nodeTimeout;
        this.backOff = backOff;
        this.attempts = attempts;
        this.random = random;
        for (Backend member : members) {
            if (!member.capabilities().contains(Capability.VOTES)) {
                throw new IllegalArgumentException("A quorum cannot use " + member.describe() + ": "
                        + Capability.VOTES.what() + " is offered by " + Capability.VOTES.offeredBy());
            }
        }
        if (members.size() % 2 == 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A quorum of {0} members survives the failure of {1}, as one of {2} does; use {2}, or {3}",
                    members.size(),
                    members.size() / 2 - 1,
                    members.size() - 1,
                    members.size() + 1);
        }
    }

    /**
     * A quorum with the default settings. It takes the members over: closing it closes them.
     *
     * @param members at least 3, best an odd number
     */
    public static Quorum of(Backend... members) {
        given(members, "members");
        return builder().members(List.of(members)).build();
    }

    public static QuorumBuilder builder() {
        return new QuorumBuilder();
    }

    List<Backend> members() {
        return members;
    }

    QuorumRules rules() {
        return rules;
    }

    Duration nodeTimeout() {
        return nodeTimeout;
    }

    BackOff backOff() {
        return backOff;
    }

    int attempts() {
        return attempts;
    }

    RandomGenerator random() {
        return random;
    }

    @Override
    public String describe() {
        return members.stream().map(Backend::describe).collect(Collectors.joining(", ", "quorum of ", ""));
    }

    @Override
    public Set<Capability> capabilities() {
        EnumSet<Capability> all = EnumSet.of(
                Capability.SHARED,
                Capability.PERMITS,
                Capability.EXTEND,
                Capability.FORCE_RELEASE,
                Capability.EXPIRES,
                Capability.LEASES,
                Capability.HOLDERS);
        members.forEach(member -> all.retainAll(member.capabilities()));
        return all;
    }

    @Override
    public Duration longestLease() {
        return rules.longestLease();
    }

    /** Opens what members it can. Those that are down are opened when they can be reached. */
    @Override
    public Store open(Keeper keeper) {
        Members opened = new Members(this, keeper);
        boolean complete;
        try {
            complete = opened.meet(keeper.commandTimeout());
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
        new WarmUpRound(opened, keeper).run(complete);
        return new QuorumStore(opened);
    }

    @Override
    public void close() {
        members.forEach(Backend::close);
    }
}
