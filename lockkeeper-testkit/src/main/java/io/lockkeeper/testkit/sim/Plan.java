package io.lockkeeper.testkit.sim;

import io.lockkeeper.HandOff;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a run is like: who takes part and what goes wrong. It follows from the seed alone.
 *
 * @param seed everything else that happens follows from it too
 * @param store against which kind of store
 * @param members how many servers it has
 * @param keepers how many processes
 * @param users how many threads each
 * @param troubles what may go wrong
 * @param lease the usual lease
 * @param chaos for how long things go wrong
 * @param handOff how far grants are passed on inside a process
 * @param sticky how many percent of the exclusive wishes are sticky
 * @param hot whether everybody hurries, on a quick network
 * @param bug the mistake that is planted; null for none
 */
public record Plan(
        long seed,
        StoreKind store,
        int members,
        int keepers,
        int users,
        Set<SimFaults> troubles,
        Duration lease,
        Duration chaos,
        HandOff handOff,
        int sticky,
        boolean hot,
        @Nullable PlantedBug bug) {

    private static final int[] STICKY = {0, 30, 80};

    /** Kinds of simulated stores. */
    public enum StoreKind {
        /** One server that ends leases by its own clock, as Redis or a database does. */
        LEASED,
        /** One server that ends all that a session owns, as ZooKeeper or etcd does. */
        SESSION,
        /** Several leased servers of which a majority decides. */
        QUORUM
    }

    /** A random plan. */
    public static Plan random(long seed, StoreKind store) {
        SplittableRandom random = new SplittableRandom(seed * 31 + store.name().hashCode());
        Set<SimFaults> troubles = EnumSet.noneOf(SimFaults.class);
        int chance = 10 + random.nextInt(50);
        for (SimFaults trouble : SimFaults.values()) {
            // Has dice of its own below, so that the other kinds of stores have the same runs as before it was there.
            if (trouble != SimFaults.FOLLOWERS_CUT_OFF && random.nextInt(100) < chance) {
                troubles.add(trouble);
            }
        }
        // Most runs keep leases meaningful, so that belief can be checked.
        if (random.nextInt(100) < 65) {
            troubles.remove(SimFaults.WILD_CLOCKS);
            troubles.remove(SimFaults.STORE_RESTARTS_EMPTY);
            troubles.remove(SimFaults.LOSSY_FAILOVERS);
            troubles.remove(SimFaults.STORE_CLOCK_JUMPS);
            troubles.remove(SimFaults.FORCED_RELEASES);
        }
        if (troubles.contains(SimFaults.SUSPENSIONS) && random.nextInt(4) != 0) {
            troubles.remove(SimFaults.WALL_JUMPS_BACK);
        }
        if (troubles.contains(SimFaults.LOSSY_FAILOVERS) || troubles.contains(SimFaults.STORE_RESTARTS_EMPTY)) {
            // A clock set back and state lost together: nothing can keep tokens going up then.
            troubles.remove(SimFaults.STORE_CLOCK_JUMPS);
            if (store == StoreKind.QUORUM) {
                troubles.remove(SimFaults.WILD_CLOCKS);
            }
        }
        if (store == StoreKind.SESSION) {
            // An ensemble forgets nothing, and counts by the monotonic clock.
            troubles.remove(SimFaults.STORE_RESTARTS_EMPTY);
            troubles.remove(SimFaults.LOSSY_FAILOVERS);
            troubles.remove(SimFaults.STORE_CLOCK_JUMPS);
            if (new SplittableRandom(~seed).nextInt(100) < 40) {
                troubles.add(SimFaults.FOLLOWERS_CUT_OFF);
            }
        }
        long[] leases = {1_000, 3_000, 10_000, 30_000};
        int[] times = {0, 3, 64};
        int handOn = times[random.nextInt(times.length)];
        return new Plan(
                seed,
                store,
                store == StoreKind.QUORUM ? 3 + 2 * random.nextInt(2) : 1,
                2 + random.nextInt(store == StoreKind.QUORUM ? 3 : 6),
                1 + random.nextInt(3),
                troubles,
                Duration.ofMillis(leases[random.nextInt(leases.length)]),
                Duration.ofSeconds(40 + random.nextInt(60)),
                handOn == 0 ? HandOff.OFF : new HandOff(handOn, Duration.ofMillis(20)),
                store == StoreKind.LEASED ? STICKY[new SplittableRandom(~seed).nextInt(STICKY.length)] : 0,
                false,
                null);
    }

    /** Whether a release carries the claim of the waiters, in the same request. */
    boolean pairs() {
        return store != StoreKind.QUORUM && seed % 2 == 0;
    }

    /** Whether such a request is one message, or two that may overtake each other. */
    boolean pairsStayTogether() {
        return seed % 8 != 0;
    }

    /** The timeout of sessions, which has nothing to do with the lease: often shorter, often longer. */
    Duration session() {
        int[] seconds = {2, 4, 9, 30, 60};
        return Duration.ofSeconds(seconds[new SplittableRandom(seed * 5 + 3).nextInt(seconds.length)]);
    }

    /** Whether contacts of a session are passed on to the server that ends it, as in ZooKeeper; else they reach it, as in etcd. */
    boolean relayed() {
        return seed % 3 != 0;
    }

    /** After which nothing is left of what nobody renews: the lease, or the timeout of sessions if that is longer. */
    Duration longest() {
        return store == StoreKind.SESSION && session().compareTo(lease) > 0 ? session() : lease;
    }

    /** What decides how often the store is asked about a grant: the lease, or the timeout of sessions if that is shorter. */
    Duration shortest() {
        return store == StoreKind.SESSION && session().compareTo(lease) < 0 ? session() : lease;
    }

    /** The same with a mistake planted. */
    public Plan with(@Nullable PlantedBug planted) {
        return new Plan(seed, store, members, keepers, users, troubles, lease, chaos, handOff, sticky, hot, planted);
    }

    /** The same with other troubles. */
    public Plan with(Set<SimFaults> others) {
        return new Plan(seed, store, members, keepers, users, others, lease, chaos, handOff, sticky, hot, bug);
    }

    /** The same with leases so short that they often end while a process is stopped, and grants that are handed on. */
    public Plan briefer() {
        Duration brief = Duration.ofSeconds(1);
        return new Plan(seed, store, members, 2, 4, troubles, brief, chaos, HandOff.DEFAULT, sticky, hot, bug);
    }

    /** The same with sticky locks, and leases so short that they often end while a process is stopped. */
    public Plan stickier() {
        Duration brief = Duration.ofSeconds(1);
        return new Plan(seed, store, members, keepers, users, troubles, brief, chaos, handOff, 80, hot, bug);
    }

    /** The same with this many processes, each with several waiters and without hand-off. */
    public Plan crowded(int processes) {
        Duration brief = Duration.ofSeconds(1);
        return new Plan(seed, store, members, processes, 3, troubles, brief, chaos, HandOff.OFF, sticky, hot, bug);
    }

    /** The same for a longer time, where what shows a mistake is rare. */
    public Plan longer() {
        Duration quarter = Duration.ofMinutes(15);
        return new Plan(seed, store, members, keepers, users, troubles, lease, quarter, handOff, sticky, hot, bug);
    }

    /** The same with leases that are seldom shorter than a session, and for a longer time. */
    public Plan bySession() {
        Duration half = Duration.ofSeconds(30);
        Duration quarter = Duration.ofMinutes(15);
        return new Plan(seed, store, members, 3, 2, troubles, half, quarter, handOff, sticky, hot, bug);
    }

    /** The same with one process only. */
    public Plan ofOne() {
        return new Plan(seed, store, members, 1, users, troubles, lease, chaos, handOff, sticky, hot, bug);
    }

    /** The same in a hurry, with grants that are handed on so far. */
    public Plan hurried(HandOff handOn) {
        return new Plan(seed, store, members, 2, 3, troubles, lease, Duration.ofSeconds(4), handOn, 0, true, bug);
    }
}
