package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HandOff;
import io.lockkeeper.HoldState;
import io.lockkeeper.Loss;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A grant that serves one holder after another inside the process. */
class HandOffTest {

    private final Rig rig = new Rig();

    @Test
    void aReleasedGrantPassesToTheNextWaiterWithoutTheStore() {
        EngineHold first = rig.acquire(Rig.EXCLUSIVE, 100, 65);
        Waiter next = rig.arrive(Rig.EXCLUSIVE);
        rig.waitsUntilWoken(next);

        assertThat(rig.release(first)).isEqualTo(ReleaseStep.Stays.HANDED_ON);

        assertThat(rig.wasWoken(next)).isTrue();
        EngineHold second = rig.holds(next);
        assertThat(second.handedOn()).isTrue();
        assertThat(second.token()).isEqualTo(101);
        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(rig.state(first)).isEqualTo(HoldState.RELEASED);
        assertThat(rig.state(second)).isEqualTo(HoldState.HELD);
    }

    @Test
    void withoutTokensNothingIsHandedOn() {
        EngineHold first = rig.acquire(Rig.EXCLUSIVE, 100, 1);
        rig.arrive(Rig.EXCLUSIVE);

        assertThat(rig.release(first)).isInstanceOf(ReleaseStep.Send.class);
    }

    @Test
    void fewerTokensThanRequestedEndTheRow() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 100, 2);
        Waiter next = rig.arrive(Rig.EXCLUSIVE);
        rig.arrive(Rig.EXCLUSIVE);
        rig.release(holding);

        assertThat(rig.release(rig.holds(next))).isInstanceOf(ReleaseStep.Send.class);
    }

    @Test
    void handedOnAtMostSixtyFourTimesInARow() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1000);
        int handedOn = 0;
        Waiter next = rig.arrive(Rig.EXCLUSIVE);
        while (rig.release(holding) instanceof ReleaseStep.Stays) {
            handedOn++;
            EngineHold following = rig.holds(next);
            assertThat(following.token()).isEqualTo(holding.token() + 1);
            holding = following;
            next = rig.arrive(Rig.EXCLUSIVE);
        }

        assertThat(handedOn).isEqualTo(64);
    }

    @Test
    void handedOnForAtMostTwentyMillisecondsInARow() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 65);
        Waiter second = rig.arrive(Rig.EXCLUSIVE);
        rig.pass(Duration.ofSeconds(5));
        assertThat(rig.release(holding)).as("a long hold is no row").isEqualTo(ReleaseStep.Stays.HANDED_ON);
        rig.pass(Duration.ofMillis(20));
        Waiter third = rig.arrive(Rig.EXCLUSIVE);
        assertThat(rig.release(rig.holds(second))).isEqualTo(ReleaseStep.Stays.HANDED_ON);
        rig.pass(Duration.ofNanos(1));
        rig.arrive(Rig.EXCLUSIVE);

        assertThat(rig.release(rig.holds(third))).isInstanceOf(ReleaseStep.Send.class);
    }

    @Test
    void notHandedOnToAnotherMode() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 65);
        rig.arrive(Rig.SHARED);

        assertThat(rig.release(holding)).isInstanceOf(ReleaseStep.Send.class);
    }

    @Test
    void notHandedOnToAnotherLease() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 65);
        rig.arrive(Rig.request(Duration.ofSeconds(29)));

        assertThat(rig.release(holding)).isInstanceOf(ReleaseStep.Send.class);
    }

    @Test
    void notHandedOnToAnotherCount() {
        EngineHold holding = rig.acquire(Rig.request(Mode.permits(2, 5)), 1, 65);
        Waiter one = rig.arrive(Rig.request(Mode.permits(1, 5)));

        assertThat(rig.release(holding)).isInstanceOf(ReleaseStep.Send.class);
        assertThat(rig.attempt(one).claim().mode()).isEqualTo(Mode.permits(1, 5));
    }

    @Test
    void notHandedOnPastTheFirstInTheQueue() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 65);
        rig.arrive(Rig.SHARED);
        rig.arrive(Rig.EXCLUSIVE);

        assertThat(rig.release(holding)).isInstanceOf(ReleaseStep.Send.class);
    }

    @Test
    void portableAndFixedHoldsAreNotHandedOn() {
        for (AcquireRequest alone : new AcquireRequest[] {
            new AcquireRequest(Mode.EXCLUSIVE, Rig.LEASE, true, false, false),
            new AcquireRequest(Mode.EXCLUSIVE, Rig.LEASE, false, false, true)
        }) {
            Rig own = new Rig();
            Waiter first = own.arrive(alone);
            own.arrive(alone);
            Step.Attempt attempt = own.attempt(first);
            assertThat(attempt.claim().tokens()).isEqualTo(1);
            own.granted(attempt, 1, 65);

            assertThat(own.release(own.holds(first))).as(alone.toString()).isInstanceOf(ReleaseStep.Send.class);
        }
    }

    @Test
    void aPortableHoldHasTheIdOfItsClaim() {
        EngineHold portable = rig.acquire(new AcquireRequest(Mode.EXCLUSIVE, Rig.LEASE, false, false, true), 1, 1);
        EngineHold ordinary = new Rig().acquire(Rig.EXCLUSIVE, 1, 1);

        assertThat(portable.id()).isEqualTo("id1");
        assertThat(ordinary.id()).isNotEqualTo("id1");
    }

    @Test
    void aStoreWithoutHandOffGetsEveryReleaseAndOneTokenAtATime() {
        Rig quorum = new Rig(HandOff.DEFAULT, false);
        Waiter first = quorum.arrive(Rig.EXCLUSIVE);
        quorum.arrive(Rig.EXCLUSIVE);
        Step.Attempt attempt = quorum.attempt(first);
        assertThat(attempt.claim().tokens()).isEqualTo(1);
        quorum.granted(attempt, 1, 65);

        assertThat(quorum.release(quorum.holds(first))).isInstanceOf(ReleaseStep.Send.class);
    }

    @Test
    void handedOnOnlyWithAThirdOfTheLeaseLeft() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 65);
        rig.arrive(Rig.EXCLUSIVE);
        // Renewals are due every 10 s and have 1 s each, so after 11 s it is uncertain; one every 9 s keeps it held.
        rig.pass(Duration.ofSeconds(9));
        rig.engine.renewed(rig.now(), holding.grant(), rig.now(), new Renewal.Kept(Duration.ofSeconds(10), false));
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.state(holding)).isEqualTo(HoldState.HELD);
        assertThat(holding.remaining(rig.now()))
                .isLessThan(Duration.ofSeconds(10).toNanos());

        assertThat(rig.release(holding)).isInstanceOf(ReleaseStep.Send.class);
    }

    @Test
    void notHandedOnWhileUncertain() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 65);
        rig.arrive(Rig.EXCLUSIVE);
        rig.pass(Duration.ofSeconds(5));
        rig.engine.renewalFailed(holding.grant());
        assertThat(rig.state(holding)).isEqualTo(HoldState.UNCERTAIN);

        assertThat(rig.release(holding)).isInstanceOf(ReleaseStep.Send.class);
    }

    @Test
    void aWaiterThatWakesAfterTheDeadlineGoesToTheStore() {
        EngineHold first = rig.acquire(Rig.EXCLUSIVE, 1, 65);
        Waiter sleeper = rig.arrive(Rig.EXCLUSIVE);
        rig.release(first);
        rig.pass(Rig.LEASE);

        Step.Attempt attempt = rig.attempt(sleeper);

        assertThat(attempt.claim().id()).isEqualTo("id2");
        assertThat(rig.ending().claimId()).isEqualTo("id1");
        assertThat(rig.lost)
                .as("reported to no holder")
                .allSatisfy(loss -> assertThat(loss.holding().attachment()).isNull());
        rig.granted(attempt, 200, 1);
        assertThat(rig.holds(sleeper).token()).isEqualTo(200);
    }

    @Test
    void aWaiterThatWakesAfterAReportedLossGoesToTheStore() {
        EngineHold first = rig.acquire(Rig.EXCLUSIVE, 1, 65);
        Waiter sleeper = rig.arrive(Rig.EXCLUSIVE);
        rig.release(first);
        rig.engine.renewed(rig.now(), first.grant(), rig.now(), new Renewal.Gone(Loss.Reason.FORCED));

        assertThat(rig.attempt(sleeper).claim().id()).isEqualTo("id2");
        rig.gather();
        assertThat(rig.chores).as("the store said so itself").isEmpty();
    }

    @Test
    void aWaiterThatWakesTooLateIsFirstAgainAndInheritsTheClaimUnderWay() {
        EngineHold first = rig.acquire(Rig.EXCLUSIVE, 1, 65);
        Waiter sleeper = rig.arrive(Rig.EXCLUSIVE);
        Waiter other = rig.arrive(Rig.EXCLUSIVE);
        rig.release(first);
        rig.pass(Rig.LEASE);
        rig.engine.expire(rig.now(), first.grant());
        Step.Attempt attempt = rig.attempt(other);

        rig.waitsUntilWoken(sleeper);
        rig.granted(attempt, 200, 1);

        assertThat(rig.holds(sleeper).token()).isEqualTo(200);
        rig.waitsUntilWoken(other);
    }

    @Test
    void aWaiterThatWakesTooLateWithAnotherRequestDoesNotTakeTheClaimUnderWay() {
        EngineHold first = rig.acquire(Rig.EXCLUSIVE, 1, 65);
        Waiter sleeper = rig.arrive(Rig.EXCLUSIVE);
        Waiter reader = rig.arrive(Rig.SHARED);
        rig.release(first);
        rig.pass(Rig.LEASE);
        rig.engine.expire(rig.now(), first.grant());
        rig.settle();
        Step.Attempt reading = rig.attempt(reader);

        Step.Attempt writing = rig.attempt(sleeper);
        assertThat(writing.claim().mode()).isEqualTo(Mode.EXCLUSIVE);
        rig.granted(reading, 200, 1);

        assertThat(rig.ending().claimId()).isEqualTo(reading.claim().id());
        rig.waitsUntilWoken(sleeper);
    }

    @Test
    void unspentTokensDieWithTheGrant() {
        EngineHold first = rig.acquire(Rig.EXCLUSIVE, 1, 65);
        rig.giveBack(first);

        EngineHold second = rig.acquire(Rig.EXCLUSIVE, 66, 1);

        assertThat(second.token()).isEqualTo(66);
    }

    @Test
    void aTokenHandedToAWaiterThatLeftIsNotUsedAgain() {
        EngineHold first = rig.acquire(Rig.EXCLUSIVE, 1, 65);
        Waiter leaving = rig.arrive(Rig.EXCLUSIVE);
        Waiter next = rig.arrive(Rig.EXCLUSIVE);
        rig.release(first);

        EngineHold unwanted = rig.engine.leave(rig.now(), leaving);
        assertThat(unwanted).isNotNull();
        rig.release(unwanted);

        assertThat(rig.holds(next).token()).isEqualTo(3);
    }

    @Test
    void permitsHandedOnLeaveNoClaimBehindInTheStore() {
        AcquireRequest one = Rig.request(Mode.permits(1, 1));
        EngineHold first = rig.acquire(one, 1, 65);
        Waiter next = rig.arrive(one);
        rig.mustWait(rig.attempt(next));

        assertThat(rig.release(first)).isEqualTo(ReleaseStep.Stays.HANDED_ON);

        assertThat(rig.ending().claimId()).isEqualTo("id2");
        rig.giveBack(rig.holds(next));
        rig.nothingIsLeft();
    }

    @Test
    void afterPermitsWereHandedOnTheNextWaiterSendsARequest() {
        AcquireRequest one = Rig.request(Mode.permits(1, 2));
        EngineHold first = rig.acquire(one, 1, 65);
        Waiter second = rig.arrive(one);
        Waiter third = rig.arrive(one);
        rig.mustWait(rig.attempt(second));
        rig.woken.clear();

        rig.release(first);

        assertThat(rig.wasWoken(third)).isTrue();
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.attempt(third).claim().id()).as("the place is inherited").isEqualTo("id2");
    }

    @Test
    void afterPermitsWereHandedOnAnotherRequestGetsItsOwnClaim() {
        AcquireRequest one = Rig.request(Mode.permits(1, 3));
        EngineHold first = rig.acquire(one, 1, 65);
        Waiter second = rig.arrive(one);
        Waiter two = rig.arrive(Rig.request(Mode.permits(2, 3)));
        rig.mustWait(rig.attempt(second));

        rig.release(first);

        assertThat(rig.ending().claimId()).isEqualTo("id2");
        assertThat(rig.attempt(two).claim().mode()).isEqualTo(Mode.permits(2, 3));
    }
}
