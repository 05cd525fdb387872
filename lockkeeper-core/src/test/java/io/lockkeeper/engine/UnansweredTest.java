package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HandOff;
import io.lockkeeper.Loss;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Replies that never came: repeated with the same id, or released until it is certain, with a tombstone. */
class UnansweredTest {

    private final Rig rig = new Rig();

    @Test
    void aLostReplyIsResolvedByRepeatingTheSameId() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        Step.Attempt lost = rig.attempt(waiter);
        assertThat(lost.claim().repeat()).isFalse();
        rig.unanswered(lost);
        rig.pass(Duration.ofSeconds(1));

        Step.Attempt again = rig.attempt(waiter);

        assertThat(again.claim().id()).isEqualTo(lost.claim().id());
        assertThat(again.claim().repeat()).isTrue();
    }

    @Test
    void anAnsweredClaimIsReleasedWithoutATombstone() {
        assertThat(rig.giveBack(rig.acquire(Rig.EXCLUSIVE, 1, 1)).unanswered()).isFalse();
    }

    @Test
    void aReleaseSaysThatARequestWasNeverAnswered() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        rig.unanswered(rig.attempt(waiter));
        rig.pass(Duration.ofSeconds(1));
        rig.granted(rig.attempt(waiter), 1, 1);

        assertThat(rig.giveBack(rig.holds(waiter)).unanswered()).isTrue();
    }

    @Test
    void aWithdrawalSaysThatARequestWasNeverAnswered() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        rig.unanswered(rig.attempt(waiter));
        rig.pass(Duration.ofSeconds(1));
        rig.mustWait(rig.attempt(waiter));

        rig.leaves(waiter);

        assertThat(rig.ending().unanswered()).isTrue();
    }

    @Test
    void aWithdrawalOfAnAnsweredClaimLeavesNoTombstone() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        rig.mustWait(rig.attempt(waiter));

        rig.leaves(waiter);

        assertThat(rig.ending().unanswered()).isFalse();
    }

    @Test
    void anAbandonedRequestThatFailsIsReleasedWithATombstone() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        Step.Attempt attempt = rig.attempt(waiter);
        rig.leaves(waiter);

        rig.unanswered(attempt);

        assertThat(rig.ending().unanswered()).isTrue();
        rig.nothingIsLeft();
    }

    @Test
    void aGrantThatTheStoreTookAwayStillGetsItsTombstone() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        rig.unanswered(rig.attempt(waiter));
        rig.pass(Duration.ofSeconds(1));
        rig.granted(rig.attempt(waiter), 1, 1);
        EngineHold holding = rig.holds(waiter);

        rig.engine.renewed(rig.now(), holding.grant(), rig.now(), new Renewal.Gone(Loss.Reason.FORCED));

        Release end = rig.ending();
        assertThat(end.claimId()).isEqualTo("id1");
        assertThat(end.unanswered()).isTrue();
    }

    @Test
    void aClaimHandedDownTheQueueKeepsItsLostRequest() {
        Waiter first = rig.arrive(Rig.EXCLUSIVE);
        Waiter second = rig.arrive(Rig.EXCLUSIVE);
        rig.unanswered(rig.attempt(first));
        rig.leaves(first);
        rig.pass(Duration.ofSeconds(1));

        Step.Attempt again = rig.attempt(second);
        assertThat(again.claim().repeat()).isTrue();
        rig.granted(again, 1, 1);

        assertThat(rig.giveBack(rig.holds(second)).unanswered()).isTrue();
    }

    @Test
    void tryAcquireThatWasNotAnsweredFailsAndIsReleased() {
        Waiter waiter = rig.tries(Rig.EXCLUSIVE);
        rig.unanswered(rig.attempt(waiter));

        assertThat(((Step.Failed) rig.turn(waiter)).failure()).isInstanceOf(StoreUnavailableException.class);
        assertThat(rig.ending().unanswered()).isTrue();
        rig.nothingIsLeft();
    }

    @Test
    void aReleaseThatWasNotAnsweredIsSentAgainWithATombstone() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        ReleaseStep.Send send = (ReleaseStep.Send) rig.release(holding);

        rig.engine.releaseFailed(rig.now(), send.grant(), new StoreUnavailableException("no answer"));

        Release again = rig.ending();
        assertThat(again.claimId()).isEqualTo("id1");
        assertThat(again.unanswered()).isTrue();
        rig.nothingIsLeft();
    }

    @Test
    void anIdIsNeverRequestedAgainAfterItsReleaseWasSent() {
        Set<String> released = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
            Step.Attempt attempt = rig.attempt(waiter);
            assertThat(released).doesNotContain(attempt.claim().id());
            if (i % 2 == 0) {
                rig.granted(attempt, i, 1);
                released.add(rig.giveBack(rig.holds(waiter)).claimId());
            } else {
                rig.mustWait(attempt);
                rig.leaves(waiter);
                released.add(rig.ending().claimId());
            }
        }
        assertThat(released).hasSize(20);
    }

    @Test
    void aBuriedIdIsReplacedByANewOne() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        Step.Attempt attempt = rig.attempt(waiter);

        rig.told(attempt, new Answer.Refused(Answer.Cause.RELEASED, "released before"));

        assertThat(rig.ending().claimId()).isEqualTo("id1");
        Step.Attempt next = rig.attempt(waiter);
        assertThat(next.claim().id()).isEqualTo("id2");
        assertThat(next.claim().repeat()).isFalse();
    }

    @Test
    void aGrantWhoseReplyTookLongerThanTheLeaseIsNotUsed() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        Step.Attempt attempt = rig.attempt(waiter);
        var sentAt = rig.now();
        rig.pass(Rig.LEASE);

        rig.granted(attempt, sentAt, 1, 1);

        assertThat(rig.ending().claimId()).isEqualTo("id1");
        assertThat(rig.attempt(waiter).claim().id()).isEqualTo("id2");
        assertThat(rig.begun).isEmpty();
    }

    @Test
    void retriesComeSlowerAndSlowerButAtLeastEverySecond() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        Duration last = Duration.ZERO;
        for (int i = 0; i < 30; i++) {
            rig.unanswered(rig.attempt(waiter));
            Duration pause = rig.parked(waiter);
            assertThat(pause).isBetween(last, Duration.ofSeconds(1));
            last = pause;
            rig.pass(pause);
        }
        assertThat(last).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aSilentStoreIsKnownAsSuchUntilItAnswers() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        assertThat(rig.engine.silent()).isFalse();
        rig.unanswered(rig.attempt(waiter));
        assertThat(rig.engine.silent()).isTrue();
        rig.pass(Duration.ofSeconds(1));

        rig.mustWait(rig.attempt(waiter));

        assertThat(rig.engine.silent()).isFalse();
    }

    @Test
    void aWaiterThatGivesUpAfterASilenceFailsThen() {
        Waiter impatient = rig.arrive(new Waiter(Rig.EXCLUSIVE, false, Duration.ofSeconds(5), null, () -> {}));
        Waiter patient = rig.arrive(Rig.EXCLUSIVE);
        rig.unanswered(rig.attempt(impatient));
        rig.pass(Duration.ofMillis(4999));
        rig.unanswered(rig.attempt(impatient));
        assertThat(rig.turn(impatient)).isInstanceOf(Step.Park.class);
        rig.pass(Duration.ofSeconds(1));

        rig.unanswered(rig.attempt(impatient));

        assertThat(((Step.Failed) rig.turn(impatient)).failure()).isInstanceOf(StoreUnavailableException.class);
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.attempt(patient).claim().id()).isEqualTo("id1");
    }

    @Test
    void aSilenceFromBeforeHeCameIsNotHeldAgainstTheStore() {
        Waiter patient = rig.arrive(Rig.EXCLUSIVE);
        rig.unanswered(rig.attempt(patient));
        rig.pass(Duration.ofSeconds(10));
        Waiter late = rig.arrive(new Waiter(Rig.EXCLUSIVE, false, Duration.ofSeconds(5), null, () -> {}));

        rig.unanswered(rig.attempt(patient));

        rig.waitsUntilWoken(late);
    }

    @Test
    void anAnswerInBetweenBeginsTheSilenceAnew() {
        Waiter waiter = rig.arrive(new Waiter(Rig.EXCLUSIVE, false, Duration.ofSeconds(5), null, () -> {}));
        rig.unanswered(rig.attempt(waiter));
        rig.pass(Duration.ofSeconds(4));
        rig.mustWait(rig.attempt(waiter));
        rig.pass(Duration.ofSeconds(4));

        rig.unanswered(rig.attempt(waiter));

        assertThat(rig.turn(waiter)).isInstanceOf(Step.Park.class);
    }

    @Test
    void aChoreIsPointlessWhenWhatItWouldEndHasEndedByItself() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        rig.unanswered(rig.attempt(waiter));
        rig.leaves(waiter);
        rig.gather();
        Chore chore = rig.chores.get(0);

        rig.pass(Rig.LEASE.plusSeconds(59));
        assertThat(rig.engine.pointless(rig.now(), chore)).isFalse();
        rig.pass(Duration.ofSeconds(2));
        assertThat(rig.engine.pointless(rig.now(), chore)).isTrue();
    }

    // The grant of a session does not end when nobody renews it: only the release ends it, however late.
    @Test
    void withoutLeasesAChoreIsNeverPointless() {
        Rig session = new Rig(HandOff.DEFAULT, Barging.OFF, true, false, false);
        Waiter waiter = session.arrive(Rig.EXCLUSIVE);
        session.unanswered(session.attempt(waiter));
        session.leaves(waiter);
        session.gather();

        session.pass(Rig.LEASE.plus(Duration.ofDays(1)));
        assertThat(session.engine.pointless(session.now(), session.chores.get(0)))
                .isFalse();
    }

    @Test
    void nothingIsForgottenWhileAChoreIsOpen() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        rig.unanswered(rig.attempt(waiter));
        rig.leaves(waiter);

        assertThat(rig.engine.isIdle()).isFalse();
        rig.settle();
        rig.nothingIsLeft();
    }
}
