package io.lockkeeper.quorum.rounds;

import io.lockkeeper.Loss;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Durations;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The round that claims a resource: it asks all members for a grant, agrees with a quorum of them on a token, or gives
 * everything back.
 *
 * <p>Two phases. <em>Votes</em>: every member is asked for a grant; a member that has not been up for longer than the
 * longest lease, and is not durable, is not counted, because it may have forgotten a grant that still holds.
 * <em>Write-back</em>: with a quorum of grants the token is the greatest of their blocks' ends, and every member that
 * granted is asked to {@linkplain io.lockkeeper.spi.MemberStore#raise raise} the grant to it. With a quorum of those the claim
 * holds, if the lease has not been used up meanwhile by the larger of both clocks. Otherwise it is ended on all members.
 *
 * <p><b>Invariant: tokens of grants are ordered as the grants are.</b> Let A and B be two grants and m a member that is in
 * both write-back quorums; there is one. On m a raise succeeds only while its claim holds, and only to a token that is
 * beyond all others given on m or is the claim's own; afterwards m gives only greater ones. So the two raises on m are
 * ordered, and the later one has the greater token: say A's came first. Then TA &lt; TB, and never TA = TB. If A's attempt
 * returned before B's began, then m raised to TA before it granted anything to B, so B's token on m was beyond TA already
 * and TB is at least that.
 *
 * <p>(m must still know TA when it votes for B. It does if it is durable. If it forgets, its tokens start from its clock,
 * and it votes only when it has been up for the longest lease: this covers clocks of members that differ by less than
 * that.)
 *
 * <p><b>What would break it.</b> (1) A write-back that is not tied to the grant: A is granted by m1 and m2 with 5 and 7; m1
 * ends A's grant early (clock, force) and grants B with 6; A writes 7 back to m1 and counts it, B has m1 and m3, and both
 * hold. Here m1 says "gone" to A. (2) A write-back tied to the id alone: A's doubled attempt is granted by m1 a second
 * time after B had held and released with 9; A would go on with 7. Here 7 is not free on m1 any more. (3) Two readers at
 * the same time, granted 5 then 6 by m1 and 6 then 5 by m2, would both take 6 as the greatest; here one of them finds 6
 * taken on a majority, tries a greater one at random, and if that fails too, gives up and comes back.
 */
public final class AttemptRound implements Round {

    /** How it ended. */
    public sealed interface Decision {
        /** @param validity counted from the start of the round */
        record Won(long token, Duration validity) implements Decision {}

        /**
         * Other claims have too many members.
         *
         * @param contested whether some members granted it all the same, so that perhaps nobody has a quorum: several claims
         *     that come at the same time may split the members between them
         * @param doubt what went wrong with the members that might have made the difference; null if others have enough of them
         *     that no quorum is left
         */
        record Busy(boolean contested, @Nullable StoreUnavailableException doubt) implements Decision {}

        /** So many members refuse it for good that the others do not matter. */
        record Refused(Answer.Refused refusal) implements Decision {}

        /** Too few members answered in time, or may vote; whether another claim holds it is not known. */
        record Unreachable(StoreUnavailableException failure) implements Decision {}
    }

    private enum Vote {
        ASKED,
        GRANTED,
        YOUNG,
        BUSY,
        REFUSED,
        FAILED
    }

    private enum WriteBack {
        NOT_ASKED,
        ASKED,
        DONE,
        NOT_DONE
    }

    private static final int TRIES_OF_READERS = 3;
    private static final int LEAP_OF_READERS = 1_000;

    private final QuorumRules rules;
    private final ClaimVotes claimVotes;
    private final RandomGenerator random;
    private final Vote[] votes;
    private final WriteBack[] writeBacks;
    private final long[] blockEnds;
    private final boolean[] grantedInTime;
    private final boolean[] told;
    /** Also of members that failed at first and answered after that. */
    private final Failures failures;

    private final ReleaseRound ending;
    private Answer.@Nullable Refused refusal;
    private Duration least;
    private long token;
    private int tries;
    private boolean lost;
    /** A member took its grant back before the token was written there: another claim was there since. */
    private boolean overtaken;

    private boolean tooLate;
    private @Nullable Moment sent;
    private @Nullable Decision decision;

    /**
     * @param claimVotes of a claim whose id was never used before
     * @param random for the tokens of readers
     */
    public AttemptRound(QuorumRules rules, ClaimVotes claimVotes, RandomGenerator random) {
        this.rules = rules;
        this.claimVotes = claimVotes;
        this.random = random;
        this.votes = new Vote[rules.members()];
        this.writeBacks = new WriteBack[rules.members()];
        this.blockEnds = new long[rules.members()];
        this.grantedInTime = new boolean[rules.members()];
        this.told = new boolean[rules.members()];
        this.failures = new Failures(rules.members());
        this.ending = new ReleaseRound(rules, claimVotes, false);
        this.least = claimVotes.lease();
        Arrays.fill(votes, Vote.ASKED);
        Arrays.fill(writeBacks, WriteBack.NOT_ASKED);
    }

    @Override
    public List<MemberRequest> start(Moment now) {
        sent = now;
        List<MemberRequest> requests = new ArrayList<>();
        for (int member = 0; member < rules.members(); member++) {
            claimVotes.asked(member);
            requests.add(new MemberRequest(member, new MemberCommand.Attempt(claimVotes.claim())));
        }
        return requests;
    }

    @Override
    public List<MemberRequest> on(MemberRequest request, MemberReply reply, Moment now) {
        int member = request.member();
        if (request.command() instanceof MemberCommand.End) {
            return ending.on(request, reply, now);
        }
        if (request.command() instanceof MemberCommand.Attempt) {
            vote(member, reply);
        } else if (request.command() instanceof MemberCommand.Raise raise && raise.token() == token) {
            wroteBack(member, reply);
        }
        return next(now);
    }

    private List<MemberRequest> next(Moment now) {
        if (lost) {
            return endWhereAnswered();
        }
        if (decision != null) {
            return claimVotes.hasEnded() ? List.of() : writeBackTo(WriteBack.NOT_ASKED);
        }
        return token == 0 ? countVotes() : countWriteBacks(now);
    }

    private void vote(int member, MemberReply reply) {
        if (reply instanceof MemberReply.Failed failed) {
            votes[member] = Vote.FAILED;
            failures.add(member, failed.failure());
            if (!failed.sent()) {
                claimVotes.answered(member);
            }
        } else if (reply instanceof MemberReply.Voted voted) {
            claimVotes.answered(member);
            if (voted.answer() instanceof Answer.Granted granted) {
                granted(member, granted, voted.uptime());
            } else if (voted.answer() instanceof Answer.Refused refused && refused.cause() == Answer.Cause.FINAL) {
                votes[member] = Vote.REFUSED;
                refusal = refused;
            } else {
                votes[member] = Vote.BUSY;
            }
        }
    }

    private void granted(int member, Answer.Granted granted, Duration uptime) {
        if (rules.mayVote(member, uptime)) {
            votes[member] = Vote.GRANTED;
            blockEnds[member] = granted.token() + granted.tokens() - 1;
            least = granted.validity().compareTo(least) < 0 ? granted.validity() : least;
        } else {
            votes[member] = Vote.YOUNG;
            failures.add(member, rules.notYet(uptime));
        }
    }

    private List<MemberRequest> countVotes() {
        int granted = count(votes, Vote.GRANTED);
        if (granted >= rules.quorum()) {
            token = greatestBlockEnd();
            tries = 1;
            return writeBackTo(WriteBack.NOT_ASKED);
        }
        return granted + count(votes, Vote.ASKED) < rules.quorum() ? lose() : List.of();
    }

    private long greatestBlockEnd() {
        return Arrays.stream(blockEnds).max().orElseThrow();
    }

    /**
     * Busy means that another claim holds it, and callers are told so. That takes other claims that have members. Members that were
     * only slow, absent or too young are no reason for it, whatever they answered after their time.
     */
    private Decision whyNoQuorum() {
        int busy = count(votes, Vote.BUSY);
        int young = count(votes, Vote.YOUNG);
        if (refusal != null && rules.preventedBy(count(votes, Vote.REFUSED))) {
            return new Decision.Refused(refusal);
        }
        boolean contested = count(votes, Vote.GRANTED) > 0;
        if (rules.preventedBy(busy)) {
            return new Decision.Busy(contested, null);
        }
        if (tooLate) {
            return unreachable(
                    "The members of the quorum answered too late for a lease of " + Durations.text(claimVotes.lease()));
        }
        if ((busy > 0 || overtaken) && !rules.preventedBy(failures.count())) {
            return new Decision.Busy(
                    contested,
                    failures.count() == 0
                            ? null
                            : failures.asException(
                                    "Too few members of the quorum answered in time to say whether it is held"));
        }
        return unreachable(
                young > 0 && !rules.preventedBy(failures.count() - young)
                        ? "Too few members of the quorum vote yet; " + rules.whyNotYet()
                        : "Too few members of the quorum answered in time");
    }

    private Decision unreachable(String summary) {
        return new Decision.Unreachable(failures.asException(summary));
    }

    private List<MemberRequest> writeBackTo(WriteBack... which) {
        List<MemberRequest> requests = new ArrayList<>();
        for (int member = 0; member < rules.members(); member++) {
            if (votes[member] == Vote.GRANTED && Arrays.asList(which).contains(writeBacks[member])) {
                writeBacks[member] = WriteBack.ASKED;
                requests.add(new MemberRequest(member, new MemberCommand.Raise(claimVotes.claim(), token)));
            }
        }
        return requests;
    }

    private void wroteBack(int member, MemberReply reply) {
        if (reply instanceof MemberReply.Renewed renewed && renewed.renewal() instanceof Renewal.Kept kept) {
            writeBacks[member] = WriteBack.DONE;
            least = kept.validity().compareTo(least) < 0 ? kept.validity() : least;
            if (decision != null && !lost && !claimVotes.hasEnded()) {
                joinAfterwards(member);
            }
            return;
        }
        writeBacks[member] = WriteBack.NOT_DONE;
        if (reply instanceof MemberReply.Failed failed) {
            votes[member] = Vote.FAILED;
            failures.add(member, failed.failure());
        } else if (reply instanceof MemberReply.Renewed renewed
                && renewed.renewal() instanceof Renewal.Unknown unknown) {
            failures.add(member, unknown.failure());
        } else if (reply instanceof MemberReply.Renewed renewed
                && renewed.renewal() instanceof Renewal.Gone gone
                && gone.reason() == Loss.Reason.EXPIRED) {
            failures.add(member, new StoreUnavailableException("its grant ended before the token was written there"));
        } else {
            overtaken = true;
        }
    }

    /** One that had granted before the claim held has held it ever since; one that granted later is a candidate. */
    private void joinAfterwards(int member) {
        if (grantedInTime[member]) {
            claimVotes.join(member);
        } else {
            claimVotes.joinLate(member);
        }
    }

    private List<MemberRequest> countWriteBacks(Moment now) {
        if (count(writeBacks, WriteBack.DONE) >= rules.quorum()) {
            return win(now);
        }
        List<MemberRequest> late = writeBackTo(WriteBack.NOT_ASKED);
        int possible =
                count(writeBacks, WriteBack.DONE) + count(writeBacks, WriteBack.ASKED) + count(votes, Vote.ASKED);
        if (possible >= rules.quorum()) {
            return late;
        }
        boolean reachable = count(votes, Vote.GRANTED) >= rules.quorum();
        if (!(claimVotes.mode() instanceof Mode.Exclusive) && reachable && tries < TRIES_OF_READERS) {
            tries++;
            // Members that voted after the token was chosen have given a greater one: those too must be left behind.
            token = Math.max(token, greatestBlockEnd()) + 1 + random.nextInt(LEAP_OF_READERS);
            return writeBackTo(WriteBack.values());
        }
        return lose();
    }

    private List<MemberRequest> win(Moment now) {
        Duration usable = rules.usable(least);
        if (sent == null || now.since(sent) >= usable.toNanos()) {
            tooLate = true;
            return lose();
        }
        claimVotes.granted(token);
        for (int member = 0; member < rules.members(); member++) {
            grantedInTime[member] = votes[member] == Vote.GRANTED;
            if (writeBacks[member] == WriteBack.DONE) {
                claimVotes.join(member);
            }
        }
        decision = new Decision.Won(token, usable);
        return List.of();
    }

    private List<MemberRequest> lose() {
        lost = true;
        claimVotes.end();
        return endWhereAnswered();
    }

    /**
     * Ends it on every member, on each as soon as its vote is known or given up: told earlier, it would have to remember
     * the claim for a minute in case the attempt comes after the end.
     */
    private List<MemberRequest> endWhereAnswered() {
        List<MemberRequest> requests = new ArrayList<>();
        for (int member = 0; member < rules.members(); member++) {
            if (votes[member] != Vote.ASKED && !told[member]) {
                told[member] = true;
                requests.add(ending.tell(member));
            }
        }
        if (decision == null && count(votes, Vote.ASKED) == 0) {
            decision = whyNoQuorum();
        }
        return requests;
    }

    private static <T> int count(T[] all, T wanted) {
        int count = 0;
        for (T one : all) {
            count += one == wanted ? 1 : 0;
        }
        return count;
    }

    @Override
    public boolean decided() {
        return decision != null && (!lost || givenBack());
    }

    /** Until then the next claim would find members taken on behalf of nobody. */
    private boolean givenBack() {
        for (int member = 0; member < rules.members(); member++) {
            boolean mayHave = votes[member] != Vote.BUSY && votes[member] != Vote.REFUSED;
            if (mayHave && ending.isPending(member)) {
                return false;
            }
        }
        return true;
    }

    /** How it ended, once decided. */
    public Decision decision() {
        if (decision == null) {
            throw new IllegalStateException("The round is not decided");
        }
        return decision;
    }
}
