package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HoldState;
import io.lockkeeper.Loss;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A grant that is kept while nobody holds it. */
class StickyTest {

    private static final Duration KEEP = Duration.ofSeconds(5);
    private static final AcquireRequest STICKY = sticky(KEEP);

    private final Rig rig = new Rig();

    private static AcquireRequest sticky(Duration keep) {
        return new AcquireRequest(Mode.EXCLUSIVE, Rig.LEASE, false, false, false, keep);
    }

    /** A grant that its holder released. */
    private Grant idle(int tokens) {
        EngineHold first = rig.acquire(STICKY, 100, tokens);
        assertThat(rig.release(first)).isEqualTo(ReleaseStep.Stays.KEPT_IDLE);
        assertThat(first.grant().isIdle()).isTrue();
        return first.grant();
    }

    private void goesBack(Grant grant) {
        rig.gather();
        assertThat(grant.isIdle()).isFalse();
        assertThat(rig.returned).hasSize(1);
        assertThat(rig.returned.get(0).grant()).isSameAs(grant);
        assertThat(rig.returned.get(0).release().claimId()).isEqualTo(grant.id());
        rig.returned.clear();
    }

    private void isGivenBack(Grant grant) {
        goesBack(grant);
        rig.engine.released(grant);
        rig.gather();
    }

    @Test
    void theClaimSaysSoAndWantsManyTokens() {
        Step.Attempt attempt = rig.attempt(rig.arrive(STICKY));

        assertThat(attempt.claim().sticky()).isTrue();
        assertThat(attempt.claim().tokens()).isEqualTo(1024);
        Rig other = new Rig();
        assertThat(other.attempt(other.arrive(Rig.EXCLUSIVE)).claim().sticky()).isFalse();
    }

    @Test
    void takenAgainWithTheNextTokenAndWithoutTheStore() {
        Grant grant = idle(10);

        EngineHold second = rig.holds(rig.arrive(STICKY));

        assertThat(second.token()).isEqualTo(101);
        assertThat(second.id()).isNotEqualTo(grant.id() + "-0");
        assertThat(rig.state(second)).isEqualTo(HoldState.HELD);
        assertThat(grant.isIdle()).isFalse();
        assertThat(rig.release(second)).isEqualTo(ReleaseStep.Stays.KEPT_IDLE);
        assertThat(rig.holds(rig.tries(STICKY)).token()).isEqualTo(102);
    }

    @Test
    void aSingleTryThatTakesItsTurnAfterTheDeadlineGetsNothing() {
        idle(10);
        Waiter trying = rig.tries(STICKY);
        rig.pass(Rig.LEASE);

        assertThat(rig.turn(trying)).as("nobody would wake it").isEqualTo(Step.NotNow.NOT_NOW);
    }

    @Test
    void withItsLastTokenItGoesBack() {
        idle(2);

        assertThat(rig.release(rig.holds(rig.arrive(STICKY)))).isInstanceOf(ReleaseStep.Send.class);
    }

    @Test
    void recalledWhileIdleItGoesBackAtOnce() {
        Grant grant = idle(10);

        rig.engine.recall(grant.id());

        goesBack(grant);
        Waiter late = rig.arrive(STICKY);
        rig.waitsUntilWoken(late);
        rig.engine.released(grant);
        assertThat(rig.wasWoken(late)).isTrue();
        assertThat(rig.attempt(late).claim().id()).isNotEqualTo(grant.id());
    }

    @Test
    void recalledWhileHeldItIsNeitherKeptNorHandedOn() {
        EngineHold holding = rig.acquire(STICKY, 100, 10);
        rig.engine.recall(holding.grant().id());
        Waiter next = rig.arrive(STICKY);

        assertThat(rig.state(holding)).isEqualTo(HoldState.HELD);
        assertThat(rig.release(holding)).isInstanceOf(ReleaseStep.Send.class);
        assertThat(next.state()).isEqualTo(Waiter.State.QUEUED);
    }

    @Test
    void theRecallOfAnEarlierGrantDoesNotConcernThisOne() {
        Grant earlier = idle(1024);
        rig.engine.recall(earlier.id());
        isGivenBack(earlier);
        Grant grant = idle(10);

        rig.engine.recall(earlier.id());

        assertThat(grant.isIdle()).isTrue();
        assertThat(rig.returned).isEmpty();
        assertThat(rig.release(rig.holds(rig.arrive(STICKY)))).isEqualTo(ReleaseStep.Stays.KEPT_IDLE);
    }

    @Test
    void aRecallThatComesTwiceIsObeyedOnce() {
        Grant grant = idle(10);
        rig.engine.recall(grant.id());
        goesBack(grant);

        rig.engine.recall(grant.id());
        rig.engine.keptLongEnough(rig.now(), grant);
        rig.engine.signal(rig.now());
        rig.gather();

        assertThat(rig.returned).isEmpty();
        rig.engine.released(grant);
        rig.nothingIsLeft();
    }

    @Test
    void handedOnBeyondTheUsualBoundWhileNobodyRecallsIt() {
        EngineHold holding = rig.acquire(STICKY, 1, 1024);
        for (int i = 0; i < 100; i++) {
            Waiter next = rig.arrive(STICKY);
            assertThat(rig.release(holding)).isEqualTo(ReleaseStep.Stays.HANDED_ON);
            holding = rig.holds(next);
            rig.pass(Duration.ofMillis(20));
        }
    }

    @Test
    void keptForItsTimeAndNotLonger() {
        Grant grant = idle(10);
        assertThat(rig.kept).containsExactly(grant);
        rig.pass(KEEP.minusNanos(1));
        rig.engine.keptLongEnough(rig.now(), grant);
        rig.gather();
        assertThat(grant.isIdle()).as("not yet").isTrue();
        assertThat(rig.kept).as("looked at again").hasSize(2);
        rig.pass(Duration.ofNanos(1));

        rig.engine.keptLongEnough(rig.now(), grant);

        isGivenBack(grant);
        rig.nothingIsLeft();
    }

    @Test
    void theTimeCountsFromTheLastRelease() {
        Grant grant = idle(10);
        rig.pass(Duration.ofSeconds(3));
        rig.release(rig.holds(rig.arrive(STICKY)));
        assertThat(rig.kept).as("one look is enough").hasSize(1);
        rig.pass(Duration.ofSeconds(2));

        rig.engine.keptLongEnough(rig.now(), grant);

        assertThat(grant.isIdle()).isTrue();
        assertThat(grant.keptUntil() - rig.now().mono())
                .isEqualTo(Duration.ofSeconds(3).toNanos());
    }

    @Test
    void aLookThatFindsItHeldDoesNothing() {
        Grant grant = idle(10);
        EngineHold second = rig.holds(rig.arrive(STICKY));
        rig.pass(KEEP);

        rig.engine.keptLongEnough(rig.now(), grant);

        assertThat(rig.state(second)).isEqualTo(HoldState.HELD);
        assertThat(rig.release(second)).isEqualTo(ReleaseStep.Stays.KEPT_IDLE);
        assertThat(rig.kept).as("so the next look is scheduled").hasSize(2);
    }

    // Renewal was due after 10 s; a command timeout later the next holder would be uncertain.
    @Test
    void notKeptLongerThanItCouldBeTaken() {
        EngineHold holding = rig.acquire(sticky(Duration.ofSeconds(10)), 100, 10);
        rig.pass(Duration.ofSeconds(9));
        rig.release(holding);

        assertThat(holding.grant().keptUntil() - rig.now().mono())
                .isEqualTo(Duration.ofSeconds(2).toNanos());
    }

    @Test
    void notTakenOnceItsDeadlineHasPassed() {
        Grant grant = idle(10);
        rig.pass(Duration.ZERO, Rig.LEASE);

        Waiter late = rig.arrive(STICKY);

        isGivenBack(grant);
        assertThat(rig.attempt(late).claim().id()).isNotEqualTo(grant.id());
    }

    @Test
    void notKeptWhenUncertain() {
        EngineHold holding = rig.acquire(STICKY, 100, 10);
        rig.engine.renewalFailed(holding.grant());

        assertThat(rig.release(holding)).isInstanceOf(ReleaseStep.Send.class);
    }

    @Test
    void itsEndIsNobodysLoss() {
        Grant grant = idle(10);
        rig.pass(Rig.LEASE);

        rig.engine.expire(rig.now(), grant);

        assertThat(rig.ending().claimId()).isEqualTo(grant.id());
        assertThat(rig.lost).isEmpty();
        rig.nothingIsLeft();
    }

    @Test
    void closingTheKeeperGivesItBack() {
        Grant grant = idle(10);

        rig.engine.lose(rig.now(), grant, Loss.Reason.KEEPER_CLOSED);

        assertThat(rig.ending().claimId()).isEqualTo(grant.id());
        rig.nothingIsLeft();
    }

    @Test
    void whenTheKeeperIsClosedNothingIsKept() {
        EngineHold holding = rig.acquire(STICKY, 100, 10);

        assertThat(rig.engine.release(rig.now(), holding, false)).isInstanceOf(ReleaseStep.Send.class);
    }

    @Test
    void anySignalSendsItBack() {
        Grant grant = idle(10);

        rig.engine.signal(rig.now());

        isGivenBack(grant);
        assertThat(rig.doubted).as("no use confirming it").isEmpty();
    }

    @Test
    void aRenewalThatSaysThatOthersWaitCountsAsARecall() {
        EngineHold holding = rig.acquire(STICKY, 100, 10);
        rig.engine.renewed(rig.now(), holding.grant(), rig.now(), new Renewal.Kept(Rig.LEASE, true));
        assertThat(rig.release(holding)).isInstanceOf(ReleaseStep.Send.class);
        rig.engine.released(holding.grant());
        Grant grant = idle(10);

        rig.engine.renewed(rig.now(), grant, rig.now(), new Renewal.Kept(Rig.LEASE, true));

        isGivenBack(grant);
    }

    @Test
    void aPlainViewTakesItAndDoesNotKeepIt() {
        idle(10);

        EngineHold plain = rig.holds(rig.arrive(Rig.EXCLUSIVE));

        assertThat(plain.token()).isEqualTo(101);
        assertThat(rig.release(plain)).isInstanceOf(ReleaseStep.Send.class);
    }

    @Test
    void aStickyViewDoesNotKeepWhatTheStoreCannotRecall() {
        EngineHold plain = rig.acquire(Rig.EXCLUSIVE, 100, 10);
        Waiter next = rig.arrive(STICKY);

        assertThat(rig.release(plain)).isInstanceOf(ReleaseStep.Send.class);
        assertThat(next.state()).isEqualTo(Waiter.State.QUEUED);
    }

    @Test
    void otherWishesHaveItGivenBackFirst() {
        for (AcquireRequest other : new AcquireRequest[] {
            Rig.SHARED,
            Rig.FAIR,
            Rig.request(Duration.ofSeconds(29)),
            new AcquireRequest(Mode.EXCLUSIVE, Rig.LEASE, true, false, false),
            new AcquireRequest(Mode.EXCLUSIVE, Rig.LEASE, false, false, true)
        }) {
            Grant grant = idle(10);
            Waiter waiter = rig.arrive(other);
            isGivenBack(grant);
            rig.granted(rig.attempt(waiter), 200, 1);
            rig.giveBack(rig.holds(waiter));
        }
        rig.nothingIsLeft();
    }

    @Test
    void aSingleTryWithAnotherRequestWaitsForThatAMomentOnly() {
        Grant grant = idle(10);
        Waiter waiter = rig.tries(Rig.SHARED);
        goesBack(grant);
        assertThat(rig.parked(waiter)).isEqualTo(Duration.ofMillis(100));
        rig.engine.released(grant);
        assertThat(rig.wasWoken(waiter)).isTrue();
        rig.granted(rig.attempt(waiter), 200, 1);
        rig.giveBack(rig.holds(waiter));

        Grant slow = idle(10);
        Waiter impatient = rig.tries(Rig.SHARED);
        goesBack(slow);
        rig.pass(Duration.ofMillis(100));
        assertThat(rig.turn(impatient)).isEqualTo(Step.NotNow.NOT_NOW);
        rig.engine.released(slow);
        rig.nothingIsLeft();
    }

    // -------------------------------------------------------------------------------------------- the other keeper

    private static final Answer ASKED = new Answer.Wait(Duration.ofSeconds(20), true);

    @Test
    void aSingleTryIsRepeatedForAHundredMilliseconds() {
        Waiter waiter = rig.tries(Rig.EXCLUSIVE);
        Duration waited = Duration.ZERO;
        int requests = 0;
        while (rig.turn(waiter) instanceof Step.Attempt attempt) {
            requests++;
            rig.told(attempt, ASKED);
            Step step = rig.turn(waiter);
            if (step instanceof Step.Park park) {
                Duration pause = Duration.ofNanos(park.until() - rig.now().mono());
                waited = waited.plus(pause);
                rig.pass(pause);
            }
        }

        assertThat(rig.turn(waiter)).isEqualTo(Step.NotNow.NOT_NOW);
        assertThat(waited).isEqualTo(Duration.ofMillis(100));
        assertThat(requests).isBetween(5, 10);
        rig.nothingIsLeft();
    }

    @Test
    void aSingleTryThatIsAnsweredLateIsNotRepeated() {
        Waiter waiter = rig.tries(Rig.EXCLUSIVE);
        Step.Attempt attempt = rig.attempt(waiter);
        rig.pass(Duration.ofMillis(100));

        rig.told(attempt, ASKED);

        assertThat(rig.turn(waiter)).isEqualTo(Step.NotNow.NOT_NOW);
        rig.nothingIsLeft();
    }

    @Test
    void aSingleTryFailsWithItsKeeper() {
        Waiter waiter = rig.tries(Rig.EXCLUSIVE);
        rig.told(rig.attempt(waiter), ASKED);

        rig.engine.failAll(rig.now(), new IllegalStateException("closed"));

        assertThat(rig.turn(waiter)).isInstanceOf(Step.Failed.class);
        rig.nothingIsLeft();
    }

    @Test
    void aSingleTryTakesWhatItsOwnKeeperKeepsMeanwhile() {
        Waiter single = rig.tries(STICKY);
        Step.Attempt attempt = rig.attempt(single);
        Grant grant = idle(10);

        rig.mustWait(attempt);

        assertThat(rig.holds(single).grant()).isSameAs(grant);
    }

    @Test
    void aQueuedWaiterPollsSoonAndThenLessOften() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        for (int expected : new int[] {100, 200, 400, 800, 1000, 1000}) {
            rig.told(rig.attempt(waiter), ASKED);
            Duration pause = rig.parked(waiter);
            assertThat(pause).isEqualTo(Duration.ofMillis(expected));
            rig.pass(pause);
        }
    }
}
