package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HandOff;
import io.lockkeeper.Loss;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** While the head of the queue is being woken, newcomers may overtake it: a few, and for a moment. */
class BargingTest {

    private final Rig rig = new Rig(HandOff.DEFAULT, Barging.DEFAULT, true, false);

    private EngineHold first() {
        return rig.acquire(Rig.EXCLUSIVE, 100, 65);
    }

    @Test
    void whatIsReleasedWaitsForTheFirstOfTheQueue() {
        EngineHold first = first();
        Waiter heir = rig.arrive(Rig.EXCLUSIVE);

        assertThat(rig.release(first)).isEqualTo(ReleaseStep.Stays.LEFT_OPEN);

        assertThat(rig.wasWoken(heir)).isTrue();
        EngineHold second = rig.holds(heir);
        assertThat(second.token()).isEqualTo(101);
        assertThat(second.handedOn()).isTrue();
        rig.giveBack(second);
        rig.nothingIsLeft();
    }

    @Test
    void aNewcomerMayTakeItWithATokenOfItsOwn() {
        EngineHold first = first();
        Waiter heir = rig.arrive(Rig.EXCLUSIVE);
        rig.release(first);

        EngineHold second = rig.holds(rig.arrive(Rig.EXCLUSIVE));

        assertThat(second.token()).isEqualTo(101);
        rig.waitsUntilWoken(heir);
        rig.release(second);
        assertThat(rig.wasWoken(heir)).isTrue();
        assertThat(rig.holds(heir).token()).isEqualTo(102);
    }

    @Test
    void theFirstIsPassedAtMostEightTimes() {
        EngineHold holding = first();
        Waiter heir = rig.arrive(Rig.EXCLUSIVE);
        for (int i = 0; i < 8; i++) {
            rig.release(holding);
            holding = rig.holds(rig.arrive(Rig.EXCLUSIVE));
        }
        rig.release(holding);

        rig.waitsUntilWoken(rig.arrive(Rig.EXCLUSIVE));
        assertThat(rig.holds(heir).token()).isEqualTo(109);
    }

    @Test
    void theFirstIsPassedOnlyWhileHeMayStillBeWaking() {
        EngineHold first = first();
        Waiter heir = rig.arrive(Rig.EXCLUSIVE);
        rig.release(first);
        rig.pass(Duration.ofNanos(100_001));

        rig.waitsUntilWoken(rig.arrive(Rig.EXCLUSIVE));
        assertThat(rig.holds(heir).token()).isEqualTo(101);
    }

    @Test
    void afterALongHoldOfANewcomerItIsTheFirstsAtOnce() {
        EngineHold first = first();
        Waiter heir = rig.arrive(Rig.EXCLUSIVE);
        rig.release(first);
        EngineHold second = rig.holds(rig.arrive(Rig.EXCLUSIVE));
        rig.pass(Duration.ofMillis(1));
        rig.release(second);

        rig.waitsUntilWoken(rig.arrive(Rig.EXCLUSIVE));
        assertThat(rig.holds(heir).token()).isEqualTo(102);
    }

    @Test
    void newcomersCountAmongTheSixtyFour() {
        EngineHold holding = first();
        int handedOn = 0;
        Waiter heir = rig.arrive(Rig.EXCLUSIVE);
        while (rig.release(holding) instanceof ReleaseStep.Stays) {
            handedOn++;
            Waiter newcomer = rig.arrive(Rig.EXCLUSIVE);
            if (rig.turn(newcomer) instanceof Step.Served served) {
                holding = served.holding();
            } else {
                holding = rig.holds(heir);
                heir = newcomer;
            }
        }

        assertThat(handedOn).isEqualTo(64);
        assertThat(holding.token()).isEqualTo(164);
    }

    @Test
    void newcomersCountWithinTheTwentyMilliseconds() {
        Rig slow = new Rig(HandOff.DEFAULT, new Barging(8, Duration.ofSeconds(1)), true, false);
        EngineHold first = slow.acquire(Rig.EXCLUSIVE, 1, 65);
        slow.arrive(Rig.EXCLUSIVE);
        slow.release(first);
        EngineHold second = slow.holds(slow.arrive(Rig.EXCLUSIVE));
        slow.pass(Duration.ofMillis(20));
        slow.release(second);
        slow.pass(Duration.ofNanos(1));

        slow.waitsUntilWoken(slow.arrive(Rig.EXCLUSIVE));
    }

    @Test
    void aSingleTryTakesWhatIsOpenWithinTheSameBounds() {
        EngineHold holding = first();
        Waiter heir = rig.arrive(Rig.EXCLUSIVE);
        for (int i = 0; i < 8; i++) {
            rig.release(holding);
            holding = rig.holds(rig.tries(Rig.EXCLUSIVE));
            assertThat(holding.token()).isEqualTo(101 + i);
        }
        rig.release(holding);

        assertThat(rig.turn(rig.tries(Rig.EXCLUSIVE))).isInstanceOf(Step.NotNow.class);
        assertThat(rig.holds(heir).token()).isEqualTo(109);
    }

    @Test
    void aSingleTryDoesNotPassOneThatShouldBeAwakeByNow() {
        EngineHold first = first();
        Waiter heir = rig.arrive(Rig.EXCLUSIVE);
        rig.release(first);
        rig.pass(Duration.ofNanos(100_001));

        assertThat(rig.turn(rig.tries(Rig.EXCLUSIVE))).isInstanceOf(Step.NotNow.class);
        assertThat(rig.holds(heir).token()).isEqualTo(101);
    }

    @Test
    void anotherRequestDoesNotOvertake() {
        EngineHold first = first();
        Waiter heir = rig.arrive(Rig.EXCLUSIVE);
        rig.release(first);

        rig.waitsUntilWoken(rig.arrive(Rig.SHARED));
        rig.waitsUntilWoken(rig.arrive(Rig.request(Duration.ofSeconds(29))));
        assertThat(rig.holds(heir).token()).isEqualTo(101);
    }

    @Test
    void nobodyPassesFairWaiters() {
        EngineHold first = first();
        Waiter heir = rig.arrive(Rig.EXCLUSIVE);
        rig.release(first);
        rig.arrive(Rig.FAIR);

        rig.waitsUntilWoken(rig.arrive(Rig.EXCLUSIVE));
        assertThat(rig.holds(heir).token()).isEqualTo(101);
    }

    @Test
    void permitsGoToTheirHeirAtOnce() {
        AcquireRequest one = Rig.request(Mode.permits(1, 1));
        EngineHold first = rig.acquire(one, 1, 65);
        Waiter heir = rig.arrive(one);
        rig.release(first);

        Waiter newcomer = rig.arrive(one);
        assertThat(rig.turn(newcomer)).isNotInstanceOf(Step.Served.class);
        assertThat(rig.holds(heir).token()).isEqualTo(2);
    }

    @Test
    void aCalledWaiterIsNotWokenAgainBeforeItLooks() {
        EngineHold first = first();
        Waiter heir = rig.arrive(Rig.EXCLUSIVE);
        rig.release(first);
        assertThat(rig.wasWoken(heir)).isTrue();
        EngineHold second = rig.holds(rig.arrive(Rig.EXCLUSIVE));
        rig.release(second);
        assertThat(rig.wasWoken(heir)).isFalse();
        EngineHold third = rig.holds(rig.arrive(Rig.EXCLUSIVE));
        rig.waitsUntilWoken(heir);
        rig.release(third);

        assertThat(rig.wasWoken(heir)).isTrue();
    }

    @Test
    void whenTheFirstLeavesTheNextIsCalled() {
        EngineHold first = first();
        Waiter leaving = rig.arrive(Rig.EXCLUSIVE);
        Waiter next = rig.arrive(Rig.EXCLUSIVE);
        rig.release(first);
        rig.wasWoken(leaving);

        rig.leaves(leaving);

        assertThat(rig.wasWoken(next)).isTrue();
        assertThat(rig.holds(next).token()).as("nobody had 101").isEqualTo(101);
    }

    @Test
    void whenTheLastLeavesItGoesBackToTheStore() {
        EngineHold first = first();
        Waiter leaving = rig.arrive(Rig.EXCLUSIVE);
        rig.release(first);

        rig.leaves(leaving);

        assertThat(rig.ending().claimId()).isEqualTo("id1");
        rig.nothingIsLeft();
    }

    @Test
    void whenTheNextWishesSomethingElseItGoesBackToTheStore() {
        EngineHold first = first();
        Waiter leaving = rig.arrive(Rig.EXCLUSIVE);
        Waiter reader = rig.arrive(Rig.SHARED);
        rig.release(first);

        rig.leaves(leaving);

        assertThat(rig.ending().claimId()).isEqualTo("id1");
        assertThat(rig.wasWoken(reader)).isTrue();
        assertThat(rig.attempt(reader).claim().mode()).isEqualTo(Mode.SHARED);
    }

    @Test
    void whenAllFailItGoesBackToTheStore() {
        EngineHold first = first();
        rig.arrive(Rig.EXCLUSIVE);
        rig.arrive(Rig.EXCLUSIVE);
        rig.release(first);

        rig.engine.failAll(rig.now(), new IllegalStateException("closed"));

        assertThat(rig.ending().claimId()).isEqualTo("id1");
        rig.nothingIsLeft();
    }

    @Test
    void aWaiterThatWakesAfterTheDeadlineGoesToTheStore() {
        EngineHold first = first();
        Waiter sleeper = rig.arrive(Rig.EXCLUSIVE);
        rig.release(first);
        rig.pass(Rig.LEASE);

        assertThat(rig.attempt(sleeper).claim().id()).isEqualTo("id2");
        assertThat(rig.ending().claimId()).isEqualTo("id1");
    }

    @Test
    void aWaiterThatWakesWithLessThanAThirdOfTheLeaseLeftGoesToTheStore() {
        EngineHold first = first();
        Waiter sleeper = rig.arrive(Rig.EXCLUSIVE);
        rig.release(first);
        rig.engine.renewed(rig.now(), first.grant(), rig.now(), new Renewal.Kept(Duration.ofSeconds(10), false));
        rig.pass(Duration.ofSeconds(1));

        assertThat(rig.attempt(sleeper).claim().id()).isEqualTo("id2");
        assertThat(rig.ending().claimId()).isEqualTo("id1");
    }

    @Test
    void whatIsLostWhileItIsNobodysIsToldToNobody() {
        EngineHold first = first();
        Waiter heir = rig.arrive(Rig.EXCLUSIVE);
        rig.release(first);

        rig.engine.renewed(rig.now(), first.grant(), rig.now(), new Renewal.Gone(Loss.Reason.FORCED));

        assertThat(rig.attempt(heir).claim().id()).isEqualTo("id2");
        rig.gather();
        assertThat(rig.lost).isEmpty();
        assertThat(rig.chores).isEmpty();
    }

    @Test
    void aWaiterBackAtTheHeadWithAnotherRequestDoesNotKeepItFromGoingBack() {
        AcquireRequest other = Rig.request(Duration.ofSeconds(29));
        EngineHold old = rig.acquire(other, 1, 65);
        Waiter sleeper = rig.arrive(other);
        Waiter heir = rig.arrive(Rig.EXCLUSIVE);
        for (int i = 0; i < 8; i++) {
            rig.release(old);
            old = rig.holds(rig.arrive(other));
        }
        rig.release(old);
        rig.engine.lose(rig.now(), old.grant(), Loss.Reason.FORCED);
        Step.Attempt attempt = rig.attempt(heir);
        Waiter third = rig.arrive(Rig.EXCLUSIVE);
        rig.granted(attempt, 200, 65);
        rig.release(rig.holds(heir));
        rig.settle();

        rig.attempt(sleeper);

        assertThat(rig.ending().claimId()).isEqualTo(attempt.claim().id());
        assertThat(rig.turn(third)).isInstanceOf(Step.Park.class);
    }

    @Test
    void withoutBargingTheOrderIsThatOfArrival() {
        Rig strict = new Rig(HandOff.DEFAULT, Barging.OFF, true, false);
        EngineHold first = strict.acquire(Rig.EXCLUSIVE, 1, 65);
        Waiter heir = strict.arrive(Rig.EXCLUSIVE);
        strict.release(first);

        strict.waitsUntilWoken(strict.arrive(Rig.EXCLUSIVE));
        assertThat(strict.holds(heir).token()).isEqualTo(2);
    }
}
