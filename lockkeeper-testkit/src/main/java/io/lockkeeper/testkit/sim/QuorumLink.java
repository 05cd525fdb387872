package io.lockkeeper.testkit.sim;

import io.lockkeeper.Loss;
import io.lockkeeper.quorum.rounds.AttemptRound;
import io.lockkeeper.quorum.rounds.ClaimVotes;
import io.lockkeeper.quorum.rounds.NarrowRound;
import io.lockkeeper.quorum.rounds.ReleaseRound;
import io.lockkeeper.quorum.rounds.RenewRound;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A keeper's way to a quorum: the real rounds, taken to the members and back by the simulated network. */
final class QuorumLink implements StoreLink {

    private static final long MILLI = 1_000_000;
    private static final long NODE_TIMEOUT = 50 * MILLI;

    private static final class Entry {
        @Nullable
        ClaimVotes part;

        String sentAs = "";
        long token;
        int failures;
    }

    private final QuorumSide side;
    private final SplittableRandom random;
    private final RoundTrips trips;
    private final Map<String, Entry> entries = new HashMap<>();
    private int rounds;

    QuorumLink(SimWorld world, QuorumSide side, SimKeeper keeper) {
        this.side = side;
        this.trips = new RoundTrips(world, side, keeper);
        this.random = world.random().split();
    }

    @Override
    public boolean concerns(String sentAs) {
        return trips.concern(sentAs);
    }

    @Override
    public void attempt(Claim claim, Reply<Answer> reply) {
        Entry entry = entries.computeIfAbsent(claim.id(), id -> new Entry());
        ClaimVotes part = entry.part;
        if (part == null) {
            first(claim, entry, reply);
            return;
        }
        // Asked again for what it has: renewed, with the same token.
        RenewRound round = new RenewRound(side.rules(), part);
        trips.run(round, NODE_TIMEOUT, () -> {
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
                NODE_TIMEOUT,
                Math.min(claim.lease().toNanos() / 5, claim.timeout().toNanos()));
        Claim sent = Claim.of(
                        claim.id() + "r" + ++rounds,
                        claim.resource(),
                        claim.mode(),
                        claim.lease(),
                        claim.holder(),
                        Duration.ofNanos(limit))
                .withFixed(claim.fixed());
        ClaimVotes standing = new ClaimVotes(sent, side.rules().members());
        AttemptRound round = new AttemptRound(side.rules(), standing, random);
        trips.open(sent.id(), 1);
        trips.run(round, limit, () -> {
            if (round.decision() instanceof AttemptRound.Decision.Won won) {
                entry.part = standing;
                entry.sentAs = sent.id();
                entry.token = won.token();
                entry.failures = 0;
                reply.answered(new Answer.Granted(won.token(), 1, won.validity()));
                return;
            }
            trips.open(sent.id(), -1);
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

    private void end(Entry entry, ClaimVotes part, Runnable then) {
        ReleaseRound round = new ReleaseRound(side.rules(), part, false);
        String sentAs = entry.sentAs;
        trips.run(round, NODE_TIMEOUT, () -> {
            trips.open(sentAs, -1);
            then.run();
        });
    }

    @Override
    public void release(Release release, Reply<Release.Outcome> reply) {
        Entry entry = entries.remove(release.claimId());
        ClaimVotes part = entry == null ? null : entry.part;
        if (entry == null || part == null) {
            reply.answered(Release.Outcome.NOT_HELD);
            return;
        }
        ReleaseRound round = new ReleaseRound(side.rules(), part, release.unanswered());
        trips.run(round, release.timeout().toNanos(), () -> {
            trips.open(entry.sentAs, -1);
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
            ClaimVotes part = entry == null ? null : entry.part;
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
        all.forEach(round -> trips.run(round, held.get(0).timeout().toNanos(), oneLess));
    }

    @Override
    public void narrow(Claim held, Mode to, Reply<Boolean> reply) {
        Entry entry = entries.get(held.id());
        ClaimVotes part = entry == null ? null : entry.part;
        if (part == null) {
            reply.answered(false);
            return;
        }
        NarrowRound round = new NarrowRound(side.rules(), part, to);
        trips.run(round, held.timeout().toNanos(), () -> {
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
}
