package io.lockkeeper.quorum.rounds;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.line.LeasedStore;
import io.lockkeeper.line.TokenPolicy;
import io.lockkeeper.quorum.Claims;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Claimants, members and a network between them in one thread and one queue of events: the real rounds against the real
 * state machine of a leased store. All chance comes from the seed, so a run can be repeated exactly.
 *
 * <p>After each grant it checks that nobody else believes to hold what excludes it, that no token was given twice, and that
 * a grant that was asked for after another had been given has the greater token.
 */
final class World {

    /** What can go wrong. */
    enum Trouble {
        /** Requests and replies get lost. */
        LOSS,
        /** They take up to three leases. */
        DELAY,
        /** Requests are executed twice. */
        DOUBLES,
        /** Members restart and have forgotten everything, their tokens' counter too. */
        RESTARTS,
        /** Members' clocks jump forward, so grants end early. Exclusion cannot survive that; the order of tokens must. */
        JUMPS,
        /** A forced release, on some members. Exclusion cannot survive that; the order of tokens must. */
        FORCE
    }

    /** Mistakes that must be found out. */
    enum Planted {
        /** A restarted member says that it never was. */
        NO_UPTIME_RULE,
        /** A write-back counts whether the claim still holds or not. */
        WRITE_BACK_NOT_TIED_TO_THE_CLAIM,
        /** Members do not remember what was written back. */
        WRITE_BACK_FORGOTTEN,
        /** The validity counts from the end of the round. */
        VALIDITY_FROM_THE_REPLY
    }

    static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMillis(1_100);
    private static final long MILLI = 1_000_000;
    private static final long LIMIT = 50 * MILLI;
    private static final long ROUND_THE_CLOCK = 10_000 * MILLI;

    private static final MemberReply LATE = new MemberReply.Failed(new StoreUnavailableException("late"), true);

    private record Event(long at, long order, Runnable action) {}

    private record Given(long token, long askedAt, long givenAt) {}

    final SplittableRandom random;
    final Set<Trouble> troubles = EnumSet.noneOf(Trouble.class);
    final Set<Planted> planted = EnumSet.noneOf(Planted.class);
    final List<String> violations = new ArrayList<>();
    final QuorumRules rules;
    private final Deque<Supplier<String>> trace = new ArrayDeque<>();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
    private final List<Node> nodes = new ArrayList<>();
    private final List<Claimant> claimants = new ArrayList<>();
    private final List<Given> given = new ArrayList<>();
    private final Map<Long, String> owners = new HashMap<>();
    private boolean healed;
    private boolean readers;
    private long now = 1_000_000 * MILLI;
    private long order;
    private long hash = 17;

    World(long seed) {
        random = new SplittableRandom(seed);
        int members = 3 + random.nextInt(3);
        rules = new QuorumRules(members, members / 2 + 1, 0.01, LONGEST, Set.of());
        for (int i = 0; i < members; i++) {
            nodes.add(new Node(i, random.nextLong(1_000 * MILLI)));
        }
    }

    World with(Trouble... some) {
        troubles.addAll(List.of(some));
        return this;
    }

    World plant(Planted bug) {
        planted.add(bug);
        return this;
    }

    World withReaders() {
        readers = true;
        return this;
    }

    /** A bad day, then all is well again. */
    World run() {
        int count = 2 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            Claimant claimant = new Claimant("c" + i);
            claimants.add(claimant);
            in(random.nextLong(50 * MILLI), claimant::ask);
        }
        for (int i = 0; i < 6; i++) {
            in(random.nextLong(ROUND_THE_CLOCK), this::misfortune);
        }
        runUntil(now + ROUND_THE_CLOCK);
        healed = true;
        runUntil(now + LONGEST.toNanos() + 4 * LEASE.toNanos());
        int before = given.size();
        for (int i = 0; i < 20 && given.size() == before; i++) {
            runUntil(now + LEASE.toNanos());
        }
        if (given.size() == before && violations.isEmpty()) {
            violations.add("nobody was granted anything after all was well again");
        }
        return this;
    }

    int grants() {
        return given.size();
    }

    long hash() {
        return hash;
    }

    List<String> trace() {
        return trace.stream().map(Supplier::get).toList();
    }

    private void runUntil(long end) {
        while (!events.isEmpty() && events.peek().at <= end && violations.isEmpty()) {
            Event event = events.poll();
            now = event.at;
            event.action.run();
        }
        now = Math.max(now, end);
    }

    private void in(long nanos, Runnable action) {
        events.add(new Event(now + nanos, order++, action));
    }

    private void note(String what) {
        hash = hash * 31 + what.hashCode();
        note(() -> what);
    }

    /** Made into text only when it is read. */
    private void note(Supplier<String> what) {
        hash = hash * 31 + now;
        long at = now / 1_000;
        trace.addLast(() -> at + " " + what.get());
        if (trace.size() > 200) {
            trace.removeFirst();
        }
    }

    private boolean chance(Trouble trouble, int percent) {
        return !healed && troubles.contains(trouble) && random.nextInt(100) < percent;
    }

    private void misfortune() {
        if (troubles.isEmpty() || healed) {
            return;
        }
        Node node = nodes.get(random.nextInt(nodes.size()));
        if (troubles.contains(Trouble.RESTARTS)) {
            // Several at once may restart: then nobody can lock for a while, and nobody must.
            int count = 1 + random.nextInt(nodes.size());
            for (int i = 0; i < count; i++) {
                nodes.get((node.number + i) % nodes.size()).restart();
            }
        }
        if (troubles.contains(Trouble.JUMPS)) {
            node.jump(random.nextLong(2 * LEASE.toNanos()));
        }
        if (troubles.contains(Trouble.FORCE)) {
            int count = 1 + random.nextInt(nodes.size());
            for (int i = 0; i < count; i++) {
                nodes.get((node.number + i) % nodes.size()).force();
            }
        }
    }

    private long delay() {
        if (chance(Trouble.DELAY, 2)) {
            return random.nextLong(3 * LEASE.toNanos());
        }
        return chance(Trouble.DELAY, 10) ? random.nextLong(2 * LIMIT) : random.nextLong(5 * MILLI);
    }

    private Moment moment() {
        return new Moment(now, now + 5);
    }

    private static String say(MemberCommand command) {
        String name = command.getClass().getSimpleName();
        return command instanceof MemberCommand.Raise raise ? name + " " + raise.token() : name;
    }

    /** A member. */
    private final class Node {
        final int number;
        private LeasedStore store;
        private long offset;
        private long upSince = Long.MIN_VALUE / 4;

        Node(int number, long offset) {
            this.number = number;
            this.offset = offset;
            this.store = empty();
        }

        private LeasedStore empty() {
            return new LeasedStore("m" + number, TokenPolicy.HYBRID_CLOCK);
        }

        long clock() {
            return now + offset;
        }

        void restart() {
            note("m" + number + " restarts empty");
            store = empty();
            upSince = clock();
        }

        void jump(long by) {
            note("m" + number + " clock jumps by " + by / MILLI + " ms");
            offset += by;
        }

        void force() {
            note("m" + number + " is made to release");
            store.forceRelease(Claims.LOCK, clock());
        }

        MemberReply execute(String claimant, MemberCommand command, long sentAt) {
            if (command instanceof MemberCommand.Attempt attempt) {
                Answer answer = store.attempt(claimant, attempt.claim(), clock());
                long uptime = planted.contains(Planted.NO_UPTIME_RULE)
                        ? Answer.FOREVER.toNanos()
                        : clock() - upSince - (now - sentAt);
                return new MemberReply.Voted(answer, Duration.ofNanos(uptime));
            }
            if (command instanceof MemberCommand.Raise raise) {
                Renewal renewal = planted.contains(Planted.WRITE_BACK_FORGOTTEN)
                        ? store.renew(List.of(raise.claim()), clock()).get(0)
                        : store.raise(raise.claim(), raise.token(), clock());
                return new MemberReply.Renewed(
                        planted.contains(Planted.WRITE_BACK_NOT_TIED_TO_THE_CLAIM)
                                ? new Renewal.Kept(raise.claim().lease(), false)
                                : renewal);
            }
            if (command instanceof MemberCommand.Renew renew) {
                return new MemberReply.Renewed(
                        store.renew(List.of(renew.claim()), clock()).get(0));
            }
            if (command instanceof MemberCommand.Narrow narrow) {
                return new MemberReply.Narrowed(store.narrow(narrow.claim(), narrow.to(), clock()));
            }
            return new MemberReply.Ended(store.release(claimant, ((MemberCommand.End) command).release(), clock()));
        }
    }

    /** A claimant that asks, holds, renews and releases, over and over. */
    private final class Claimant {
        private final String name;
        private int turn;
        private @Nullable Round current;
        private @Nullable ClaimVotes claimVotes;
        private boolean holding;
        private Mode mode = Mode.EXCLUSIVE;
        private long sentAt;
        private long until;

        Claimant(String name) {
            this.name = name;
        }

        boolean believes() {
            return holding && now < until;
        }

        void ask() {
            turn++;
            mode = readers && random.nextInt(3) > 0 ? Mode.SHARED : Mode.EXCLUSIVE;
            Claim claim = Claim.of(
                    name + "t" + turn,
                    Claims.LOCK,
                    mode,
                    LEASE,
                    new HolderInfo(name, "host", 1, ""),
                    Duration.ofNanos(LIMIT));
            claimVotes = new ClaimVotes(claim, rules.members());
            begin(new AttemptRound(rules, claimVotes, random));
        }

        private void begin(Round round) {
            current = round;
            sentAt = now;
            send(round, round.start(moment()));
            settle(round);
        }

        private void send(Round round, List<MemberRequest> requests) {
            for (MemberRequest request : requests) {
                send(round, request);
            }
        }

        private void send(Round round, MemberRequest request) {
            Node node = nodes.get(request.member());
            long sent = now;
            in(LIMIT, () -> {
                if (!round.decided()) {
                    feed(round, request, LATE);
                }
            });
            if (chance(Trouble.DOUBLES, 5)) {
                in(delay(), () -> node.execute(name, request.command(), sent));
            }
            if (chance(Trouble.LOSS, 4)) {
                return;
            }
            in(delay(), () -> {
                MemberReply reply = node.execute(name, request.command(), sent);
                note(() -> name + " m" + node.number + " " + say(request.command()) + " -> " + reply);
                if (!chance(Trouble.LOSS, 4)) {
                    in(delay(), () -> feed(round, request, reply));
                }
            });
        }

        private void feed(Round round, MemberRequest request, MemberReply reply) {
            boolean before = round.decided();
            send(round, round.on(request, reply, moment()));
            if (!before) {
                settle(round);
            }
        }

        private void settle(Round round) {
            if (round != current || !round.decided()) {
                return;
            }
            current = null;
            if (round instanceof AttemptRound attempt) {
                attempted(attempt.decision());
            } else if (round instanceof RenewRound renew) {
                renewed(renew.decision());
            } else {
                in(random.nextLong(100 * MILLI), this::ask);
            }
        }

        private void attempted(AttemptRound.Decision decision) {
            if (!(decision instanceof AttemptRound.Decision.Won won)) {
                in(5 * MILLI + random.nextLong(100 * MILLI), this::ask);
                return;
            }
            note(name + " holds with " + won.token());
            check(won.token());
            holding = true;
            until = (planted.contains(Planted.VALIDITY_FROM_THE_REPLY) ? now + LEASE.toNanos() : sentAt)
                    + won.validity().toNanos();
            holdOn();
        }

        private void holdOn() {
            if (random.nextInt(6) == 0) {
                in(random.nextLong(LEASE.toNanos()), this::release);
            } else {
                in(LEASE.toNanos() / 3, this::renew);
            }
        }

        private void renew() {
            if (!believes() || claimVotes == null) {
                release();
            } else {
                begin(new RenewRound(rules, claimVotes));
            }
        }

        private void renewed(Renewal renewal) {
            // What comes after the deadline resurrects nothing.
            if (!believes() || renewal instanceof Renewal.Gone) {
                release();
                return;
            }
            if (renewal instanceof Renewal.Kept kept) {
                until = Math.max(until, sentAt + kept.validity().toNanos());
            }
            holdOn();
        }

        private void release() {
            note(name + " ends");
            holding = false;
            if (claimVotes != null) {
                begin(new ReleaseRound(rules, claimVotes, false));
            }
        }

        private void check(long token) {
            boolean exclusionIsPromised = !troubles.contains(Trouble.JUMPS) && !troubles.contains(Trouble.FORCE);
            for (Claimant other : claimants) {
                boolean excludes = mode instanceof Mode.Exclusive || other.mode instanceof Mode.Exclusive;
                if (other != this && other.believes() && excludes && exclusionIsPromised) {
                    violations.add(name + " and " + other.name + " both hold at " + now / 1_000);
                }
            }
            String owner = owners.put(token, name + "t" + turn);
            if (owner != null) {
                violations.add("token " + token + " was given to " + owner + " and to " + name + "t" + turn);
            }
            for (Given earlier : given) {
                if (earlier.givenAt < sentAt && earlier.token >= token) {
                    violations.add("token " + token + " after " + earlier.token + " at " + now / 1_000);
                }
            }
            given.add(new Given(token, sentAt, now));
        }
    }
}
