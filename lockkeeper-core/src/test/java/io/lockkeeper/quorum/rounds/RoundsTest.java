package io.lockkeeper.quorum.rounds;

import static io.lockkeeper.quorum.Claims.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Loss;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.quorum.Claims;
import io.lockkeeper.quorum.rounds.AttemptRound.Decision;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The rules of the rounds, one by one: who is asked what, what counts, and when it is certain. */
class RoundsTest {

    private static final Moment START = new Moment(1_000, 9_000);
    private static final Duration OLD = Duration.ofDays(1);
    private static final MemberReply KEPT = new MemberReply.Renewed(new Renewal.Kept(LEASE, false));
    private static final MemberReply GONE = new MemberReply.Renewed(new Renewal.Gone(Loss.Reason.TAKEN));
    private static final MemberReply WAIT = new MemberReply.Voted(new Answer.Wait(Duration.ofSeconds(1)), OLD);
    private static final MemberReply RELEASED = new MemberReply.Ended(Release.Outcome.RELEASED);
    private static final MemberReply NOT_HELD = new MemberReply.Ended(Release.Outcome.NOT_HELD);

    private final QuorumRules rules = new QuorumRules(3, 2, 0.01, Duration.ofSeconds(60), Set.of());
    private final ClaimVotes claimVotes = new ClaimVotes(Claims.exclusive(), 3);
    private final AttemptRound attempt = new AttemptRound(rules, claimVotes, new SplittableRandom(1));

    private static MemberReply granted(long token) {
        return new MemberReply.Voted(new Answer.Granted(token, 1, LEASE), OLD);
    }

    private static MemberReply failed(boolean sent) {
        return new MemberReply.Failed(new StoreUnavailableException("no answer"), sent);
    }

    private static Moment after(Duration time) {
        return new Moment(START.mono() + time.toNanos(), START.wall() + time.toNanos());
    }

    private static Release release(MemberRequest request) {
        return ((MemberCommand.End) request.command()).release();
    }

    @Test
    void allMembersAreAskedForOneTokenAndNeverToQueue() {
        List<MemberRequest> requests = attempt.start(START);
        assertThat(requests).extracting(MemberRequest::member).containsExactly(0, 1, 2);
        assertThat(requests).allSatisfy(request -> {
            Claim claim = ((MemberCommand.Attempt) request.command()).claim();
            assertThat(claim.queueing()).isEqualTo(Claim.Queueing.NEVER);
            assertThat(claim.tokens()).isOne();
        });
        Claim queueing = Claims.of("q", Claims.LOCK, Mode.EXCLUSIVE, LEASE, Claim.Queueing.PLAIN);
        assertThatIllegalArgumentException().isThrownBy(() -> new ClaimVotes(queueing, 3));
    }

    @Test
    void tokenIsTheGreatestEndOfABlockAndIsWrittenBackBeforeUse() {
        List<MemberRequest> votes = attempt.start(START);
        assertThat(attempt.on(votes.get(0), granted(5), START)).isEmpty();
        MemberReply block = new MemberReply.Voted(new Answer.Granted(7, 3, LEASE), OLD);
        List<MemberRequest> raises = attempt.on(votes.get(2), block, START);
        assertThat(raises).extracting(MemberRequest::member).containsExactly(0, 2);
        assertThat(raises).allMatch(raise -> ((MemberCommand.Raise) raise.command()).token() == 9);
        attempt.on(raises.get(0), KEPT, START);
        assertThat(attempt.decided()).isFalse();
        attempt.on(raises.get(1), KEPT, START);
        assertThat(attempt.decision()).isEqualTo(new Decision.Won(9, LEASE.minusMillis(102)));
        assertThat(claimVotes.withUs()).containsExactlyInAnyOrder(0, 2);
    }

    @Test
    void writeBackDoesNotCountWhereTheClaimWasLostMeanwhile() {
        List<MemberRequest> votes = attempt.start(START);
        attempt.on(votes.get(0), granted(5), START);
        List<MemberRequest> raises = attempt.on(votes.get(1), granted(7), START);
        attempt.on(votes.get(2), WAIT, START);
        attempt.on(raises.get(1), KEPT, START);
        List<MemberRequest> ends = attempt.on(raises.get(0), GONE, START);
        assertThat(ends).extracting(MemberRequest::member).containsExactly(0, 1, 2);
        ends.forEach(end -> attempt.on(end, NOT_HELD, START));
        assertThat(attempt.decision()).isEqualTo(new Decision.Busy(true, null));
    }

    @Test
    void writeBackCountsOnAMemberWhoseVoteCameLate() {
        List<MemberRequest> votes = attempt.start(START);
        attempt.on(votes.get(0), granted(5), START);
        List<MemberRequest> raises = attempt.on(votes.get(1), granted(7), START);
        attempt.on(raises.get(0), GONE, START);
        attempt.on(raises.get(1), KEPT, START);
        assertThat(attempt.decided()).isFalse();
        List<MemberRequest> late = attempt.on(votes.get(2), granted(3), START);
        assertThat(late)
                .singleElement()
                .satisfies(raise -> assertThat(((MemberCommand.Raise) raise.command()).token())
                        .isEqualTo(7));
        attempt.on(late.get(0), KEPT, START);
        assertThat(attempt.decision()).isInstanceOf(Decision.Won.class);
    }

    @Test
    void failureIsReleasedOnAllAlsoOnThoseThatTimedOut() {
        List<MemberRequest> votes = attempt.start(START);
        List<MemberRequest> first = attempt.on(votes.get(0), granted(5), START);
        assertThat(first).isEmpty();
        attempt.on(votes.get(1), WAIT, START);
        List<MemberRequest> ends = attempt.on(votes.get(2), failed(true), START);
        assertThat(ends).extracting(MemberRequest::member).containsExactly(0, 1, 2);
        assertThat(ends).extracting(end -> release(end).unanswered()).containsExactly(false, false, true);
        assertThat(attempt.decided()).isFalse();
        attempt.on(ends.get(0), RELEASED, START);
        attempt.on(ends.get(1), NOT_HELD, START);
        attempt.on(ends.get(2), failed(true), START);
        assertThat(attempt.decision())
                .isInstanceOfSatisfying(
                        Decision.Busy.class, busy -> assertThat(busy.doubt()).hasMessageContaining("member 3 of 3"));
    }

    @Test
    void requestThatWasNeverSentNeedsNoTombstone() {
        List<MemberRequest> votes = attempt.start(START);
        attempt.on(votes.get(0), WAIT, START);
        attempt.on(votes.get(1), WAIT, START);
        List<MemberRequest> ends = attempt.on(votes.get(2), failed(false), START);
        assertThat(ends)
                .singleElement()
                .satisfies(end -> assertThat(release(end).unanswered()).isFalse());
    }

    @Test
    void memberThatIsStillAskedIsToldTheEndWhenItHasAnswered() {
        List<MemberRequest> votes = attempt.start(START);
        attempt.on(votes.get(0), WAIT, START);
        List<MemberRequest> ends = attempt.on(votes.get(1), WAIT, START);
        assertThat(ends).extracting(MemberRequest::member).containsExactly(0, 1);
        ends.forEach(end -> attempt.on(end, NOT_HELD, START));
        assertThat(attempt.decided()).isFalse();
        List<MemberRequest> last = attempt.on(votes.get(2), granted(5), START);
        assertThat(last)
                .singleElement()
                .satisfies(end -> assertThat(release(end).unanswered()).isFalse());
        // What was granted is given back before anybody is told to try again.
        assertThat(attempt.decided()).isFalse();
        attempt.on(last.get(0), RELEASED, START);
        assertThat(attempt.decided()).isTrue();
    }

    @Test
    void youngMemberIsNotCountedButReleased() {
        List<MemberRequest> votes = attempt.start(START);
        MemberReply young = new MemberReply.Voted(new Answer.Granted(5, 1, LEASE), Duration.ofSeconds(60));
        attempt.on(votes.get(0), young, START);
        attempt.on(votes.get(1), granted(5), START);
        List<MemberRequest> ends = attempt.on(votes.get(2), WAIT, START);
        assertThat(ends).hasSize(3);
        ends.forEach(end -> attempt.on(end, RELEASED, START));
        assertThat(attempt.decision())
                .isInstanceOfSatisfying(
                        Decision.Busy.class,
                        busy -> assertThat(busy.doubt()).hasMessageContaining("member 1 of 3: not voting yet"));
    }

    @Test
    void tooManyMembersThatCannotVoteAreAFailureThatNamesEach() {
        List<MemberRequest> votes = attempt.start(START);
        attempt.on(votes.get(0), new MemberReply.Voted(new Answer.Granted(5, 1, LEASE), Duration.ofSeconds(3)), START);
        attempt.on(votes.get(1), failed(true), START);
        List<MemberRequest> ends = attempt.on(votes.get(2), granted(5), START);
        ends.forEach(end -> attempt.on(end, RELEASED, START));
        assertThat(attempt.decision())
                .isInstanceOfSatisfying(
                        Decision.Unreachable.class,
                        unreachable -> assertThat(unreachable.failure())
                                .hasMessageContaining("member 1 of 3: not voting yet, for another 57s")
                                .hasMessageContaining("member 2 of 3: no answer"));
    }

    @Test
    void slowMembersAreAFailureAtTheWriteBackToo() {
        List<MemberRequest> votes = attempt.start(START);
        attempt.on(votes.get(0), failed(true), START);
        attempt.on(votes.get(1), granted(5), START);
        List<MemberRequest> raises = attempt.on(votes.get(2), granted(6), START);
        attempt.on(raises.get(0), KEPT, START);
        MemberReply unknown = new MemberReply.Renewed(new Renewal.Unknown(new StoreUnavailableException("no answer")));
        List<MemberRequest> ends = attempt.on(raises.get(1), unknown, START);
        ends.forEach(end -> attempt.on(end, RELEASED, START));
        assertThat(attempt.decision())
                .isInstanceOfSatisfying(
                        Decision.Unreachable.class,
                        unreachable -> assertThat(unreachable.failure())
                                .hasMessageContaining("member 1 of 3: no answer")
                                .hasMessageContaining("member 3 of 3: no answer"));
    }

    @Test
    void answersThatComeAfterTheLeaseAreAFailureAndNotSomebodyElse() {
        List<MemberRequest> votes = attempt.start(START);
        attempt.on(votes.get(0), granted(5), START);
        List<MemberRequest> raises = attempt.on(votes.get(1), granted(6), START);
        attempt.on(votes.get(2), WAIT, START);
        attempt.on(raises.get(0), KEPT, START);
        List<MemberRequest> ends = attempt.on(raises.get(1), KEPT, after(LEASE));
        ends.forEach(end -> attempt.on(end, RELEASED, after(LEASE)));
        assertThat(attempt.decision())
                .isInstanceOfSatisfying(
                        Decision.Unreachable.class,
                        unreachable -> assertThat(unreachable.failure()).hasMessageContaining("too late"));
    }

    @Test
    void refusalOfAMajorityIsPassedOn() {
        List<MemberRequest> votes = attempt.start(START);
        Answer.Refused refusal = new Answer.Refused(Answer.Cause.FINAL, "has 2 permits, not 5");
        attempt.on(votes.get(0), new MemberReply.Voted(refusal, OLD), START);
        attempt.on(votes.get(1), new MemberReply.Voted(refusal, OLD), START);
        attempt.on(votes.get(2), failed(false), START);
        assertThat(attempt.decision()).isEqualTo(new Decision.Refused(refusal));
    }

    @Test
    void majorityThatComesAfterTheLeaseIsNone() {
        List<MemberRequest> votes = attempt.start(START);
        attempt.on(votes.get(0), granted(5), START);
        List<MemberRequest> raises = attempt.on(votes.get(1), granted(5), START);
        attempt.on(votes.get(2), WAIT, START);
        attempt.on(raises.get(0), KEPT, START);
        // The monotonic clock stood still, the wall clock did not.
        Moment late =
                new Moment(START.mono(), START.wall() + LEASE.minusMillis(102).toNanos());
        List<MemberRequest> ends = attempt.on(raises.get(1), KEPT, late);
        assertThat(ends).hasSize(3);
        assertThat(claimVotes.withUs()).isEmpty();
    }

    @Test
    void readersWhoseTokenIsTakenTryAGreaterOneAndGiveUpAtLast() {
        ClaimVotes reader = new ClaimVotes(Claims.shared(), 3);
        AttemptRound round = new AttemptRound(rules, reader, new SplittableRandom(1));
        List<MemberRequest> votes = round.start(START);
        round.on(votes.get(2), WAIT, START);
        round.on(votes.get(0), granted(5), START);
        List<MemberRequest> raises = round.on(votes.get(1), granted(6), START);
        long token = 6;
        for (int retry = 0; retry < 2; retry++) {
            // As soon as it is clear that no majority has this token free.
            raises = round.on(raises.get(0), GONE, START);
            assertThat(raises).hasSize(2);
            long next = ((MemberCommand.Raise) raises.get(0).command()).token();
            assertThat(next).isGreaterThan(token);
            token = next;
        }
        assertThat(round.on(raises.get(0), GONE, START))
                .hasSize(3)
                .allMatch(request -> request.command() instanceof MemberCommand.End);
    }

    @Test
    void readerTriesATokenThatAlsoMembersWhoVotedLateCanGive() {
        ClaimVotes reader = new ClaimVotes(Claims.shared(), 3);
        AttemptRound round = new AttemptRound(rules, reader, new SplittableRandom(1));
        List<MemberRequest> votes = round.start(START);
        round.on(votes.get(0), granted(5), START);
        List<MemberRequest> raises = round.on(votes.get(1), granted(6), START);
        List<MemberRequest> late = round.on(votes.get(2), granted(50_000), START);
        round.on(raises.get(0), KEPT, START);
        // Another reader came in between on the second member, and the third has given more than six.
        round.on(raises.get(1), GONE, START);
        List<MemberRequest> again = round.on(late.get(0), GONE, START);
        assertThat(again)
                .hasSize(3)
                .allMatch(request -> request.command() instanceof MemberCommand.Raise raise && raise.token() > 50_000);
        again.forEach(request -> round.on(request, KEPT, START));
        assertThat(round.decision()).isInstanceOf(Decision.Won.class);
    }

    @Test
    void readerWhoseMembersAreSilentGivesUp() {
        ClaimVotes reader = new ClaimVotes(Claims.shared(), 3);
        AttemptRound round = new AttemptRound(rules, reader, new SplittableRandom(1));
        List<MemberRequest> votes = round.start(START);
        round.on(votes.get(2), WAIT, START);
        round.on(votes.get(0), granted(5), START);
        List<MemberRequest> raises = round.on(votes.get(1), granted(6), START);
        assertThat(round.on(raises.get(0), failed(true), START))
                .hasSize(3)
                .allMatch(request -> request.command() instanceof MemberCommand.End);
    }

    private void hold(int... members) {
        claimVotes.granted(10);
        for (int member : members) {
            claimVotes.join(member);
        }
    }

    @Test
    void renewalIsKeptByAMajorityAndCountsFromItsSending() {
        hold(0, 1, 2);
        RenewRound round = new RenewRound(rules, claimVotes);
        List<MemberRequest> requests = round.start(START);
        round.on(requests.get(0), KEPT, after(Duration.ofSeconds(1)));
        assertThat(round.decided()).isFalse();
        round.on(requests.get(1), KEPT, after(Duration.ofSeconds(2)));
        assertThat(round.decision()).isEqualTo(new Renewal.Kept(LEASE.minusMillis(102), false));
    }

    @Test
    void renewalThatComesAfterTheLeaseIsUnknown() {
        hold(0, 1, 2);
        RenewRound round = new RenewRound(rules, claimVotes);
        List<MemberRequest> requests = round.start(START);
        round.on(requests.get(0), KEPT, START);
        round.on(requests.get(1), KEPT, after(LEASE));
        assertThat(round.decision()).isInstanceOf(Renewal.Unknown.class);
    }

    @Test
    void extensionCountsWhenAMajorityConfirmsItForTheShortestTimeFromItsSending() {
        hold(0, 1, 2);
        Duration longer = LEASE.multipliedBy(3);
        RenewRound round = RenewRound.extending(rules, claimVotes, longer);
        List<MemberRequest> requests = round.start(START);
        assertThat(requests)
                .allSatisfy(request -> assertThat(((MemberCommand.Extend) request.command())
                                .claim()
                                .lease())
                        .isEqualTo(longer));
        round.on(requests.get(0), new MemberReply.Renewed(new Renewal.Kept(longer, false)), after(LEASE));
        assertThat(round.decided()).isFalse();
        Duration shortest = LEASE.multipliedBy(2);
        round.on(requests.get(1), new MemberReply.Renewed(new Renewal.Kept(shortest, false)), after(LEASE));
        assertThat(round.decision()).isEqualTo(new Renewal.Kept(rules.usable(shortest), false));
    }

    @Test
    void extensionOfAMinorityIsUnknown() {
        hold(0, 1, 2);
        RenewRound round = RenewRound.extending(rules, claimVotes, LEASE.multipliedBy(3));
        List<MemberRequest> requests = round.start(START);
        round.on(requests.get(0), KEPT, START);
        round.on(requests.get(1), failed(true), START);
        assertThat(round.decided()).isFalse();
        round.on(requests.get(2), failed(true), START);
        assertThat(round.decision()).isInstanceOf(Renewal.Unknown.class);
    }

    @Test
    void majorityGoneIsGoneAndNothingIsTakenAgain() {
        hold(0, 1, 2);
        RenewRound round = new RenewRound(rules, claimVotes);
        List<MemberRequest> requests = round.start(START);
        MemberReply forced = new MemberReply.Renewed(new Renewal.Gone(Loss.Reason.FORCED));
        assertThat(round.on(requests.get(0), forced, START)).isEmpty();
        assertThat(round.decided()).isFalse();
        assertThat(round.on(requests.get(1), forced, START)).isEmpty();
        assertThat(round.decision()).isEqualTo(new Renewal.Gone(Loss.Reason.FORCED));
        assertThat(round.on(requests.get(2), KEPT, START)).isEmpty();
    }

    @Test
    void tooFewAnswersAreUnknown() {
        hold(0, 1, 2);
        RenewRound round = new RenewRound(rules, claimVotes);
        List<MemberRequest> requests = round.start(START);
        round.on(requests.get(0), failed(true), START);
        round.on(requests.get(1), KEPT, START);
        assertThat(round.decided()).isFalse();
        round.on(requests.get(2), failed(true), START);
        assertThat(round.decision())
                .isInstanceOfSatisfying(
                        Renewal.Unknown.class,
                        unknown ->
                                assertThat(unknown.failure()).hasMessageContaining("member 1 of 3", "member 3 of 3"));
    }

    @Test
    void memberThatForgotTheClaimIsTakenAgainRaisedAndCountedFromTheRoundAfterTheNext() {
        hold(0, 1, 2);
        RenewRound round = new RenewRound(rules, claimVotes);
        List<MemberRequest> requests = round.start(START);
        assertThat(round.on(requests.get(0), GONE, START)).isEmpty();
        round.on(requests.get(1), KEPT, START);
        List<MemberRequest> again = round.on(requests.get(2), KEPT, START);
        assertThat(again).singleElement().satisfies(request -> {
            assertThat(request.member()).isZero();
            assertThat(((MemberCommand.Attempt) request.command()).claim().repeat())
                    .isTrue();
        });
        List<MemberRequest> raise = round.on(again.get(0), granted(4), START);
        assertThat(raise)
                .singleElement()
                .satisfies(request -> assertThat(((MemberCommand.Raise) request.command()).token())
                        .isEqualTo(10));
        round.on(raise.get(0), KEPT, START);
        assertThat(claimVotes.withUs()).containsExactlyInAnyOrder(1, 2);

        RenewRound next = new RenewRound(rules, claimVotes);
        List<MemberRequest> all = next.start(START);
        assertThat(all).hasSize(3);
        // It does not count yet: only one that has been with us all the time has said "kept".
        next.on(all.get(0), KEPT, START);
        next.on(all.get(1), KEPT, START);
        assertThat(next.decided()).isFalse();
        next.on(all.get(2), KEPT, START);
        assertThat(next.decision()).isInstanceOf(Renewal.Kept.class);
        assertThat(claimVotes.withUs()).containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void memberWonBackWithAGreaterTokenNeedsNoRaise() {
        hold(1, 2);
        RenewRound round = new RenewRound(rules, claimVotes);
        List<MemberRequest> requests = round.start(START);
        round.on(requests.get(0), KEPT, START);
        List<MemberRequest> again = round.on(requests.get(1), KEPT, START);
        assertThat(round.on(again.get(0), granted(11), START)).isEmpty();
        assertThat(claimVotes.candidates()).containsExactly(0);
    }

    @Test
    void youngMemberIsTakenAgainButNotCounted() {
        hold(1, 2);
        RenewRound round = new RenewRound(rules, claimVotes);
        List<MemberRequest> requests = round.start(START);
        round.on(requests.get(0), KEPT, START);
        List<MemberRequest> again = round.on(requests.get(1), KEPT, START);
        MemberReply young = new MemberReply.Voted(new Answer.Granted(11, 1, LEASE), Duration.ofSeconds(1));
        assertThat(round.on(again.get(0), young, START)).isEmpty();
        assertThat(claimVotes.candidates()).isEmpty();
    }

    @Test
    void nothingIsTakenAgainOnceTheReleaseHasBegun() {
        hold(1, 2);
        RenewRound round = new RenewRound(rules, claimVotes);
        List<MemberRequest> requests = round.start(START);
        round.on(requests.get(0), KEPT, START);
        new ReleaseRound(rules, claimVotes, false).start(START);
        assertThat(round.on(requests.get(1), KEPT, START)).isEmpty();
    }

    @Test
    void releaseWhileAMemberIsTakenAgainSaysThatARequestMayBeUnderWay() {
        hold(1, 2);
        RenewRound round = new RenewRound(rules, claimVotes);
        List<MemberRequest> requests = round.start(START);
        round.on(requests.get(0), KEPT, START);
        assertThat(round.on(requests.get(1), KEPT, START)).hasSize(1);
        assertThat(new ReleaseRound(rules, claimVotes, false).start(START))
                .extracting(end -> release(end).unanswered())
                .containsExactly(true, false, false);
    }

    @Test
    void releasedWhenAMajorityConfirmedAndNotHeldWhenAMajorityHeldNothing() {
        ReleaseRound yes = new ReleaseRound(rules, claimVotes, false);
        List<MemberRequest> requests = yes.start(START);
        yes.on(requests.get(0), RELEASED, START);
        yes.on(requests.get(1), NOT_HELD, START);
        assertThat(yes.decided()).isFalse();
        yes.on(requests.get(2), RELEASED, START);
        assertThat(yes.outcome()).isEqualTo(Release.Outcome.RELEASED);

        ReleaseRound no = new ReleaseRound(rules, claimVotes, false);
        requests = no.start(START);
        no.on(requests.get(0), NOT_HELD, START);
        no.on(requests.get(2), NOT_HELD, START);
        assertThat(no.outcome()).isEqualTo(Release.Outcome.NOT_HELD);
    }

    @Test
    void uncertainReleaseCarriesEachErrorAndGoesOnWithThoseWhoDidNotAnswer() {
        ReleaseRound round = new ReleaseRound(rules, claimVotes, false);
        List<MemberRequest> requests = round.start(START);
        round.on(requests.get(0), RELEASED, START);
        round.on(requests.get(1), failed(true), START);
        round.on(requests.get(2), failed(true), START);
        assertThat(round.decided()).isTrue();
        assertThatThrownBy(round::outcome)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("member 2 of 3")
                .hasMessageContaining("member 3 of 3");
        List<MemberRequest> again = round.start(START);
        assertThat(again).extracting(MemberRequest::member).containsExactly(1, 2);
        round.on(again.get(0), RELEASED, START);
        assertThat(round.outcome()).isEqualTo(Release.Outcome.RELEASED);
    }

    @Test
    void narrowedWhenAMajorityDidIt() {
        NarrowRound round = new NarrowRound(rules, claimVotes, Mode.SHARED);
        List<MemberRequest> requests = round.start(START);
        round.on(requests.get(0), new MemberReply.Narrowed(true), START);
        round.on(requests.get(1), failed(true), START);
        assertThat(round.decided()).isFalse();
        round.on(requests.get(2), new MemberReply.Narrowed(true), START);
        assertThat(round.outcome()).isTrue();
        assertThat(claimVotes.mode()).isEqualTo(Mode.SHARED);
    }

    @Test
    void uncertainNarrowingFailsWithEachError() {
        NarrowRound round = new NarrowRound(rules, claimVotes, Mode.SHARED);
        List<MemberRequest> requests = round.start(START);
        round.on(requests.get(0), new MemberReply.Narrowed(true), START);
        round.on(requests.get(1), failed(true), START);
        round.on(requests.get(2), failed(true), START);
        assertThatThrownBy(round::outcome).isInstanceOf(StoreUnavailableException.class);
    }
}
