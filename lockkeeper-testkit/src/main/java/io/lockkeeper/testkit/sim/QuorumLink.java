package io.lockkeeper.testkit.sim;

import io.lockkeeper.Loss;
import io.lockkeeper.quorum.Ask;
import io.lockkeeper.quorum.AttemptRound;
import io.lockkeeper.quorum.NarrowRound;
import io.lockkeeper.quorum.ReleaseRound;
import io.lockkeeper.quorum.RenewRound;
import io.lockkeeper.quorum.Request;
import io.lockkeeper.quorum.Round;
import io.lockkeeper.quorum.Standing;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A keeper's way to a quorum: the real rounds, taken to the members and back by the simulated network. */
final class QuorumLink implements StoreLink {

    private static final long MILLI = 1_000_000;
    private static final long NODE_LIMIT = 50 * MILLI;
    private static final long AGAIN = 500 * MILLI;

    private static final class Entry {
        @Nullable
        Standing part;

        String sentAs = "";
        long token;
        int failures;
    }

    private final World world;
    private final QuorumSide side;
    private final SimKeeper keeper;
    private final SplittableRandom random;
    private final Map<String, Entry> entries = new HashMap<>();
    /** By the id that the members know: how many requests and unconfirmed ends there are, and whether it holds. */
    private final Map<String, Integer> open = new HashMap<>();

    private int rounds;

    QuorumLink(World world, QuorumSide side, SimKeeper keeper) {
        this.world = world;
        this.side = side;
        this.keeper = keeper;
        this.random = world.random().split();
    }

    @Override
    public boolean concerns(String sentAs) {
        return open.containsKey(sentAs);
    }

    private void open(String sentAs, int change) {
        open.merge(sentAs, change, Integer::sum);
        open.remove(sentAs, 0);
    }

    @Override
    public void attempt(Claim claim, Reply<Answer> reply) {
        Entry entry = entries.computeIfAbsent(claim.id(), id -> new Entry());
        Standing part = entry.part;
        if (part == null) {
            first(claim, entry, reply);
            return;
        }
        // Asked again for what it has: renewed, with the same token.
        RenewRound round = new RenewRound(side.rules(), part);
        run(round, NODE_LIMIT, () -> {
            if (round.decision() instanceof Renewal.Kept kept) {
                reply.answered(new Answer.Granted(entry.token, 1, kept.validity()));
            } else if (round.decision() instanceof Renewal.Unknown unknown) {
                reply.failed(unknown.failure());
            } else {
                end(entry, part, () -> first(claim, entry, reply));
            }
        });
    }

    private void first(Claim claim, Entry entry, Reply<Answer> reply) {
        entry.part = null;
        long limit = Math.min(
                NODE_LIMIT, Math.min(claim.lease().toNanos() / 5, claim.limit().toNanos()));
        Claim sent = new Claim(
                claim.id() + "r" + ++rounds,
                claim.resource(),
                claim.mode(),
                claim.lease(),
                claim.fixed(),
                1,
                Claim.Queueing.NEVER,
                false,
                claim.holder(),
                Duration.ofNanos(limit));
        Standing standing = new Standing(sent, side.rules().members());
        AttemptRound round = new AttemptRound(side.rules(), standing, random);
        open(sent.id(), 1);
        run(round, limit, () -> {
            if (round.decision() instanceof AttemptRound.Decision.Won won) {
                entry.part = standing;
                entry.sentAs = sent.id();
                entry.token = won.token();
                entry.failures = 0;
                reply.answered(new Answer.Granted(won.token(), 1, won.validity()));
                return;
            }
            open(sent.id(), -1);
            if (claim.queueing() == Claim.Queueing.NEVER) {
                entries.remove(claim.id());
            }
            if (round.decision() instanceof AttemptRound.Decision.Unreachable unreachable) {
                entry.failures = 0;
                reply.failed(unreachable.failure());
            } else {
                entry.failures++;
                long bound = Math.min((20 * MILLI) << Math.min(entry.failures, 6), 1_000 * MILLI);
                reply.answered(new Answer.Wait(Duration.ofNanos(MILLI + random.nextLong(bound))));
            }
        });
    }

    private void end(Entry entry, Standing part, Runnable then) {
        ReleaseRound round = new ReleaseRound(side.rules(), part, false);
        String sentAs = entry.sentAs;
        run(round, NODE_LIMIT, () -> {
            open(sentAs, -1);
            then.run();
        });
    }

    @Override
    public void release(Release release, Reply<Release.Outcome> reply) {
        Entry entry = entries.remove(release.claimId());
        Standing part = entry == null ? null : entry.part;
        if (entry == null || part == null) {
            reply.answered(Release.Outcome.NOT_HELD);
            return;
        }
        ReleaseRound round = new ReleaseRound(side.rules(), part, release.unanswered());
        run(round, release.limit().toNanos(), () -> {
            open(entry.sentAs, -1);
            Release.Outcome outcome;
            try {
                outcome = round.outcome();
            } catch (RuntimeException uncertain) {
                reply.failed(uncertain);
                return;
            }
            reply.answered(outcome);
        });
    }

    @Override
    public void renew(List<Claim> held, Reply<List<Renewal>> reply) {
        List<RenewRound> all = new ArrayList<>();
        List<@Nullable RenewRound> perClaim = new ArrayList<>();
        for (Claim claim : held) {
            Entry entry = entries.get(claim.id());
            Standing part = entry == null ? null : entry.part;
            RenewRound round = part == null ? null : new RenewRound(side.rules(), part);
            perClaim.add(round);
            if (round != null) {
                all.add(round);
            }
        }
        int[] left = {all.size()};
        Runnable oneLess = () -> {
            if (--left[0] <= 0) {
                List<Renewal> answers = new ArrayList<>();
                for (RenewRound round : perClaim) {
                    answers.add(round == null ? new Renewal.Gone(Loss.Reason.TAKEN) : round.decision());
                }
                reply.answered(answers);
            }
        };
        if (all.isEmpty()) {
            oneLess.run();
        }
        all.forEach(round -> run(round, held.get(0).limit().toNanos(), oneLess));
    }

    @Override
    public void narrow(Claim held, Mode to, Reply<Boolean> reply) {
        Entry entry = entries.get(held.id());
        Standing part = entry == null ? null : entry.part;
        if (part == null) {
            reply.answered(false);
            return;
        }
        NarrowRound round = new NarrowRound(side.rules(), part, to);
        run(round, held.limit().toNanos(), () -> {
            boolean narrowed;
            try {
                narrowed = round.outcome();
            } catch (RuntimeException uncertain) {
                reply.failed(uncertain);
                return;
            }
            reply.answered(narrowed);
        });
    }

    // ------------------------------------------------------------------------------------------- rounds over a network

    private void run(Round round, long limit, Runnable decided) {
        Attendance attendance = new Attendance(round, limit, decided);
        attendance.send(round.start(keeper.now()));
        attendance.look();
    }

    private final class Attendance {
        private final Round round;
        private final long limit;
        private final Runnable decided;
        private final Set<Integer> silent = new HashSet<>();
        private boolean told;

        Attendance(Round round, long limit, Runnable decided) {
            this.round = round;
            this.limit = limit;
            this.decided = decided;
        }

        void look() {
            if (!told && round.decided()) {
                told = true;
                decided.run();
            }
        }

        void send(List<Request> requests) {
            for (Request request : requests) {
                LeasedServer member = side.member(request.member());
                String sentAs = claimOf(request.ask());
                if (request.ask() instanceof Ask.End
                        && silent.contains(request.member())
                        && world.has(PlantedBug.SILENT_MEMBERS_NOT_RELEASED)) {
                    take(request, new io.lockkeeper.quorum.Reply.Ended(Release.Outcome.NOT_HELD));
                    continue;
                }
                open(sentAs, 1);
                world.network.call(keeper.machine, member, limit, () -> perform(member, request.ask()), new Reply<>() {
                    @Override
                    public void answered(io.lockkeeper.quorum.Reply reply) {
                        open(sentAs, -1);
                        take(request, reply);
                    }

                    @Override
                    public void failed(RuntimeException failure) {
                        silent.add(request.member());
                        if (request.ask() instanceof Ask.End end) {
                            endLater(member, end.release(), keeper.now().mono());
                        }
                        open(sentAs, -1);
                        take(request, new io.lockkeeper.quorum.Reply.Failed(failure, true));
                    }
                });
            }
        }

        private void take(Request request, io.lockkeeper.quorum.Reply reply) {
            send(round.on(request, reply, keeper.now()));
            look();
        }
    }

    private io.lockkeeper.quorum.Reply perform(LeasedServer member, Ask ask) {
        if (ask instanceof Ask.Attempt attempt) {
            Duration uptime = world.has(PlantedBug.FRESH_VOTE) ? Duration.ofDays(1) : member.uptime();
            return new io.lockkeeper.quorum.Reply.Voted(member.attempt(keeper.id, attempt.claim()), uptime);
        } else if (ask instanceof Ask.Raise raise) {
            return new io.lockkeeper.quorum.Reply.Renewed(member.raise(raise.claim(), raise.token()));
        } else if (ask instanceof Ask.Renew renew) {
            return new io.lockkeeper.quorum.Reply.Renewed(
                    member.renew(List.of(renew.claim())).get(0));
        } else if (ask instanceof Ask.Narrow narrow) {
            return new io.lockkeeper.quorum.Reply.Narrowed(member.narrow(narrow.claim(), narrow.to()));
        }
        return new io.lockkeeper.quorum.Reply.Ended(member.release(keeper.id, ((Ask.End) ask).release()));
    }

    /** What a member did not confirm is ended when it can be reached again, or by its lease. */
    private void endLater(LeasedServer member, Release release, long since) {
        Release late = new Release(release.resource(), release.claimId(), release.lease(), true, release.limit());
        open(late.claimId(), 1);
        keeper.machine.after(AGAIN, () -> {
            if (keeper.now().mono() - since > late.lease().plusMinutes(1).toNanos()) {
                open(late.claimId(), -1);
                return;
            }
            world.network.call(
                    keeper.machine, member, 1_000 * MILLI, () -> member.release(keeper.id, late), new Reply<>() {
                        @Override
                        public void answered(Release.Outcome outcome) {
                            open(late.claimId(), -1);
                        }

                        @Override
                        public void failed(RuntimeException failure) {
                            endLater(member, late, since);
                            open(late.claimId(), -1);
                        }
                    });
        });
    }

    private static String claimOf(Ask ask) {
        if (ask instanceof Ask.Attempt attempt) {
            return attempt.claim().id();
        } else if (ask instanceof Ask.Raise raise) {
            return raise.claim().id();
        } else if (ask instanceof Ask.Renew renew) {
            return renew.claim().id();
        } else if (ask instanceof Ask.Narrow narrow) {
            return narrow.claim().id();
        }
        return ((Ask.End) ask).release().claimId();
    }
}
