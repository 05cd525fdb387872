package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Fair waiters: each has its own place in the store, in the order of arrival, and one of them polls for all. */
class FairTest {

    private final Rig rig = new Rig();

    @Test
    void eachFairWaiterHasItsOwnClaim() {
        Waiter first = rig.arrive(Rig.FAIR);
        Waiter second = rig.arrive(Rig.FAIR);

        Step.Attempt one = rig.attempt(first);
        rig.mustWait(one);
        Step.Attempt two = rig.attempt(second);

        assertThat(one.claim().queueing()).isEqualTo(Claim.Queueing.FAIR);
        assertThat(two.claim().queueing()).isEqualTo(Claim.Queueing.FAIR);
        assertThat(two.claim().id()).isNotEqualTo(one.claim().id());
    }

    @Test
    void aFairClaimIsSentWhenTheOneBeforeItHasItsPlace() {
        Waiter first = rig.arrive(Rig.FAIR);
        Waiter second = rig.arrive(Rig.FAIR);
        Step.Attempt one = rig.attempt(first);

        rig.waitsUntilWoken(second);
        rig.mustWait(one);

        assertThat(rig.wasWoken(second)).isTrue();
        rig.attempt(second);
    }

    @Test
    void aLostReplyKeepsTheOrderOfArrival() {
        Waiter first = rig.arrive(Rig.FAIR);
        Waiter second = rig.arrive(Rig.FAIR);

        rig.unanswered(rig.attempt(first));

        rig.waitsUntilWoken(second);
        rig.pass(Duration.ofSeconds(1));
        rig.mustWait(rig.attempt(first));
        rig.attempt(second);
    }

    @Test
    void theFirstFairWaiterPollsForAll() {
        Waiter first = rig.arrive(Rig.FAIR);
        Waiter second = rig.arrive(Rig.FAIR);
        rig.mustWait(rig.attempt(first));
        rig.mustWait(rig.attempt(second));

        rig.pass(Duration.ofSeconds(1));

        assertThat(rig.parked(second)).isEqualTo(Duration.ofSeconds(1));
        assertThat(rig.attempt(first).claim().id()).isEqualTo("id1");
    }

    @Test
    void theNewFirstIsNotWokenForThatAndPollsInTime() {
        Waiter first = rig.arrive(Rig.FAIR);
        Waiter second = rig.arrive(Rig.FAIR);
        rig.mustWait(rig.attempt(first));
        rig.mustWait(rig.attempt(second));
        assertThat(rig.parked(second)).isEqualTo(Duration.ofSeconds(1));
        rig.pass(Duration.ofMillis(300));
        rig.engine.signal(rig.now());
        Step.Attempt attempt = rig.attempt(first);
        rig.woken.clear();

        rig.granted(attempt, 1, 1);

        assertThat(rig.wasWoken(second)).isFalse();
        rig.pass(Duration.ofMillis(700));
        assertThat(rig.parked(second)).as("it looks, and is the first").isEqualTo(Duration.ofMillis(300));
        rig.pass(Duration.ofMillis(300));
        assertThat(rig.attempt(second).claim().id()).isEqualTo("id2");
    }

    @Test
    void aPlaceForTheNextDoesNotWakeTheFirst() {
        Waiter first = rig.arrive(Rig.FAIR);
        Waiter second = rig.arrive(Rig.FAIR);
        rig.mustWait(rig.attempt(first));
        rig.parked(first);
        Step.Attempt two = rig.attempt(second);
        rig.woken.clear();

        rig.mustWait(two);

        assertThat(rig.wasWoken(first)).isFalse();
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.attempt(first).claim().id()).isEqualTo("id1");
    }

    @Test
    void amongManyTheNewFirstIsWokenSinceTheyLookRarely() {
        Waiter first = rig.arrive(Rig.FAIR);
        Waiter second = rig.arrive(Rig.FAIR);
        for (int i = 2; i <= KeeperPolicy.FEW_WAITERS; i++) {
            rig.arrive(Rig.FAIR);
        }
        rig.mustWait(rig.attempt(first));
        rig.mustWait(rig.attempt(second));
        assertThat(rig.parked(second)).isEqualTo(Duration.ofSeconds(10));
        rig.engine.signal(rig.now());
        Step.Attempt attempt = rig.attempt(first);
        rig.woken.clear();

        rig.granted(attempt, 1, 1);

        assertThat(rig.wasWoken(second)).isTrue();
        assertThat(rig.parked(second)).isEqualTo(Duration.ofSeconds(1));
    }

    /** A signal that meets a request under way is not lost: another request is due at once. */
    @Test
    void aSignalDuringARequestOfTheFirstIsFollowedByAnother() {
        Waiter first = rig.arrive(Rig.FAIR);
        Step.Attempt attempt = rig.attempt(first);
        rig.engine.signal(rig.now());

        rig.mustWait(attempt);

        assertThat(rig.attempt(first).claim().id()).isEqualTo("id1");
    }

    @Test
    void theOthersPollRarelyInCaseTheStoreHasThemInAnotherOrder() {
        Waiter first = rig.arrive(Rig.FAIR);
        Waiter second = rig.arrive(Rig.FAIR);
        rig.mustWait(rig.attempt(first));
        rig.mustWait(rig.attempt(second));

        rig.pass(Duration.ofSeconds(10));

        Step.Attempt attempt = rig.attempt(second);
        assertThat(attempt.claim().id()).isEqualTo("id2");
        rig.granted(attempt, 7, 1);
        assertThat(rig.turn(second)).isInstanceOf(Step.Served.class);
    }

    @Test
    void theNextFairWaiterPollsWhenTheFirstLeaves() {
        Waiter first = rig.arrive(Rig.FAIR);
        Waiter second = rig.arrive(Rig.FAIR);
        rig.mustWait(rig.attempt(first));
        rig.mustWait(rig.attempt(second));
        rig.woken.clear();

        rig.leaves(first);

        assertThat(rig.ending().claimId()).isEqualTo("id1");
        assertThat(rig.wasWoken(second)).isTrue();
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.attempt(second).claim().id()).isEqualTo("id2");
    }

    @Test
    void whenOneInTheMiddleLeavesTheNextSendsItsClaim() {
        Waiter first = rig.arrive(Rig.FAIR);
        Waiter middle = rig.arrive(Rig.FAIR);
        Waiter last = rig.arrive(Rig.FAIR);
        rig.mustWait(rig.attempt(first));
        Step.Attempt underWay = rig.attempt(middle);
        rig.waitsUntilWoken(last);
        rig.woken.clear();

        rig.leaves(middle);

        assertThat(rig.wasWoken(last)).isTrue();
        rig.attempt(last);
        rig.mustWait(underWay);
        assertThat(rig.ending().claimId()).isEqualTo("id2");
    }

    @Test
    void aFairPlaceIsNotInherited() {
        Waiter first = rig.arrive(Rig.FAIR);
        rig.mustWait(rig.attempt(first));
        rig.leaves(first);
        Waiter second = rig.arrive(Rig.FAIR);

        assertThat(rig.ending().claimId()).isEqualTo("id1");
        assertThat(rig.attempt(second).claim().id()).isEqualTo("id2");
    }

    @Test
    void fairHoldsAreNotHandedOn() {
        Waiter first = rig.arrive(Rig.FAIR);
        Waiter second = rig.arrive(Rig.FAIR);
        Step.Attempt attempt = rig.attempt(first);
        assertThat(attempt.claim().tokens()).isEqualTo(1);
        rig.granted(attempt, 1, 65);
        rig.mustWait(rig.attempt(second));

        assertThat(rig.release(rig.holds(first))).isInstanceOf(ReleaseStep.Send.class);
    }

    @Test
    void nothingIsHandedOnPastAFairWaiter() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 65);
        rig.arrive(Rig.EXCLUSIVE);
        rig.arrive(Rig.FAIR);

        assertThat(rig.release(holding)).isInstanceOf(ReleaseStep.Send.class);
    }

    @Test
    void aFairWaiterSendsItsClaimThoughThisKeeperHoldsIt() {
        Waiter first = rig.arrive(Rig.FAIR);
        rig.granted(rig.attempt(first), 1, 1);
        Waiter second = rig.arrive(Rig.FAIR);

        assertThat(rig.attempt(second).claim().queueing()).isEqualTo(Claim.Queueing.FAIR);
    }

    /**
     * Its new claim is the last one in the store. Were it first here, it would poll for all, and the one whose turn it is in
     * the store would never poll.
     */
    @Test
    void aFairWaiterWhoseGrantCameTooLateIsLast() {
        Waiter first = rig.arrive(Rig.FAIR);
        Waiter second = rig.arrive(Rig.FAIR);
        Step.Attempt slow = rig.attempt(first);
        rig.mustWait(slow);
        rig.mustWait(rig.attempt(second));
        rig.pass(Duration.ofSeconds(1));
        Step.Attempt slower = rig.attempt(first);
        var sentAt = rig.now();
        rig.pass(Duration.ofSeconds(40));

        rig.granted(slower, sentAt, 5, 1);

        assertThat(rig.ending().claimId()).isEqualTo("id1");
        assertThat(rig.attempt(second).claim().id()).isEqualTo("id2");
        assertThat(rig.attempt(first).claim().id()).isEqualTo("id3");
    }

    @Test
    void aFairWaiterThatWakesTooLateIsLast() {
        Waiter first = rig.arrive(Rig.FAIR);
        Waiter second = rig.arrive(Rig.FAIR);
        Step.Attempt attempt = rig.attempt(first);
        rig.granted(attempt, 5, 1);
        rig.mustWait(rig.attempt(second));
        rig.pass(Duration.ofSeconds(40));

        Step step = rig.turn(first);

        assertThat(rig.ending().claimId()).isEqualTo("id1");
        assertThat(step).isInstanceOf(Step.Attempt.class);
        rig.mustWait((Step.Attempt) step);
        assertThat(rig.attempt(second).claim().id()).as("polls for all now").isEqualTo("id2");
        assertThat(rig.parked(first)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aFairWaiterWhoseIdWasBuriedIsLast() {
        Waiter first = rig.arrive(Rig.FAIR);
        Waiter second = rig.arrive(Rig.FAIR);
        rig.mustWait(rig.attempt(first));
        rig.mustWait(rig.attempt(second));
        rig.pass(Duration.ofSeconds(1));

        rig.told(rig.attempt(first), new Answer.Refused(Answer.Cause.RELEASED, "released before"));

        rig.settle();
        assertThat(rig.attempt(second).claim().id()).isEqualTo("id2");
        assertThat(rig.attempt(first).claim().id()).isEqualTo("id3");
    }

    @Test
    void onlyAPollSaysThatTheClaimHasAPlace() {
        Waiter waiter = rig.arrive(Rig.FAIR);
        Step.Attempt first = rig.attempt(waiter);
        assertThat(first.claim().placed()).isFalse();
        rig.mustWait(first);
        rig.pass(Duration.ofSeconds(1));
        Step.Attempt poll = rig.attempt(waiter);
        assertThat(poll.claim().placed()).isTrue();
        rig.told(poll, new Answer.Refused(Answer.Cause.RELEASED, "the place is lost"));
        rig.settle();
        assertThat(rig.attempt(waiter).claim().placed()).isFalse();
    }

    @Test
    void aSignalWakesTheFirstFairWaiter() {
        Waiter first = rig.arrive(Rig.FAIR);
        Waiter second = rig.arrive(Rig.FAIR);
        rig.mustWait(rig.attempt(first));
        rig.mustWait(rig.attempt(second));
        rig.woken.clear();

        rig.engine.signal(rig.now());

        rig.gather();
        assertThat(rig.woken).containsOnly(first);
        rig.attempt(first);
    }

    @Test
    void plainAndFairWaitersSendClaimsSideBySide() {
        Waiter plain = rig.arrive(Rig.EXCLUSIVE);
        Waiter fair = rig.arrive(Rig.FAIR);

        Step.Attempt one = rig.attempt(plain);
        Step.Attempt two = rig.attempt(fair);
        rig.mustWait(one);
        rig.granted(two, 1, 1);

        assertThat(rig.holds(fair).token()).isEqualTo(1);
        assertThat(rig.engine.waiting()).isEqualTo(1);
    }
}
