package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HandOff;
import io.lockkeeper.HoldState;
import io.lockkeeper.Loss;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Local readers that share one grant of the store. */
class SharingTest {

    private final Rig rig = new Rig();

    @Test
    void readersShareOneGrantAndItsToken() {
        EngineHold first = rig.acquire(Rig.SHARED, 10, 1);

        EngineHold second = rig.holds(rig.arrive(Rig.SHARED));

        assertThat(second.grant()).isSameAs(first.grant());
        assertThat(second.token()).isEqualTo(10);
        assertThat(second.id()).isNotEqualTo(first.id());
    }

    @Test
    void waitingReadersJoinWhenTheGrantComes() {
        Waiter first = rig.arrive(Rig.SHARED);
        Waiter second = rig.arrive(Rig.SHARED);
        Waiter writer = rig.arrive(Rig.EXCLUSIVE);
        Waiter third = rig.arrive(Rig.SHARED);

        rig.granted(rig.attempt(first), 10, 1);

        assertThat(rig.holds(first).grant()).isSameAs(rig.holds(second).grant());
        assertThat(rig.attempt(writer).claim().mode()).isEqualTo(Mode.EXCLUSIVE);
        rig.waitsUntilWoken(third);
    }

    @Test
    void aReaderDoesNotPassAWriterThatWaitsHere() {
        rig.acquire(Rig.SHARED, 10, 1);
        rig.arrive(Rig.EXCLUSIVE);

        Waiter reader = rig.arrive(Rig.SHARED);

        rig.waitsUntilWoken(reader);
    }

    @Test
    void aReaderDoesNotJoinWhenOthersWaitInTheStore() {
        EngineHold first = rig.acquire(Rig.SHARED, 10, 1);
        rig.engine.renewed(rig.now(), first.grant(), rig.now(), new Renewal.Kept(Rig.LEASE, true));

        assertThat(rig.attempt(rig.arrive(Rig.SHARED)).claim().mode()).isEqualTo(Mode.SHARED);
    }

    @Test
    void readersJoinForAtMostTwentyMilliseconds() {
        rig.acquire(Rig.SHARED, 10, 1);
        rig.pass(Duration.ofMillis(20));
        rig.holds(rig.arrive(Rig.SHARED));
        rig.pass(Duration.ofNanos(1));

        Waiter late = rig.arrive(Rig.SHARED);

        assertThat(rig.attempt(late).claim().id()).isEqualTo("id2");
    }

    @Test
    void readersJoinAtMostSixtyFourTimes() {
        rig.acquire(Rig.SHARED, 10, 1);
        for (int i = 0; i < 64; i++) {
            rig.holds(rig.arrive(Rig.SHARED));
        }

        rig.attempt(rig.arrive(Rig.SHARED));
    }

    @Test
    void withHandOffSwitchedOffReadersDoNotShare() {
        Rig off = new Rig(HandOff.OFF, true);
        off.acquire(Rig.SHARED, 10, 1);

        off.attempt(off.arrive(Rig.SHARED));
    }

    @Test
    void readersOfAnotherLeaseDoNotShare() {
        rig.acquire(Rig.SHARED, 10, 1);
        AcquireRequest shorter = new AcquireRequest(Mode.SHARED, Duration.ofSeconds(5), false, false, false);

        assertThat(rig.attempt(rig.arrive(shorter)).claim().lease()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void portableReadersDoNotShare() {
        AcquireRequest portable = new AcquireRequest(Mode.SHARED, Rig.LEASE, false, false, true);
        rig.acquire(portable, 10, 1);

        rig.attempt(rig.arrive(portable));
    }

    @Test
    void aSharedGrantGoesBackWithItsLastReader() {
        EngineHold first = rig.acquire(Rig.SHARED, 10, 1);
        EngineHold second = rig.holds(rig.arrive(Rig.SHARED));

        assertThat(rig.release(first)).isEqualTo(ReleaseStep.Stays.SHARED);
        assertThat(rig.state(second)).isEqualTo(HoldState.HELD);
        assertThat(rig.giveBack(second).claimId()).isEqualTo("id1");
        rig.nothingIsLeft();
    }

    @Test
    void allReadersLearnOfTheLoss() {
        EngineHold first = rig.acquire(Rig.SHARED, 10, 1);
        EngineHold second = rig.holds(rig.arrive(Rig.SHARED));

        rig.engine.lose(rig.now(), first.grant(), Loss.Reason.TAKEN);

        rig.gather();
        assertThat(rig.lost).extracting(Effects.Lost::holding).containsExactlyInAnyOrder(first, second);
    }

    @Test
    void oneReaderKeptTooLongDoesNotCostTheOthersTheirs() {
        EngineHold slow = rig.acquire(Rig.SHARED, 10, 1);
        EngineHold other = rig.holds(rig.arrive(Rig.SHARED));

        rig.engine.lose(rig.now(), slow, Loss.Reason.EXPIRED);

        assertThat(rig.state(slow)).isEqualTo(HoldState.LOST);
        assertThat(rig.state(other)).isEqualTo(HoldState.HELD);
        assertThat(rig.giveBack(other).claimId()).isEqualTo("id1");
        rig.gather();
        assertThat(rig.lost).extracting(Effects.Lost::holding).containsExactly(slow);
    }

    @Test
    void aHoldThatWasHandedOnIsNotTakenFromTheNextHolder() {
        EngineHold slow = rig.acquire(Rig.EXCLUSIVE, 1, 65);
        Waiter next = rig.arrive(Rig.EXCLUSIVE);
        rig.release(slow);

        rig.engine.lose(rig.now(), slow, Loss.Reason.EXPIRED);

        assertThat(rig.state(slow)).isEqualTo(HoldState.RELEASED);
        assertThat(rig.state(rig.holds(next))).isEqualTo(HoldState.HELD);
    }

    /**
     * A reader that tries and one that waits send requests at the same time; the one that waits joins the grant of the other.
     * Its own request is still under way, and what it brings must not be given to a writer.
     */
    @Test
    void aReadersOwnClaimIsNeverGivenToAWriterAfterItJoined() {
        Waiter trying = rig.tries(Rig.SHARED);
        Step.Attempt once = rig.attempt(trying);
        Waiter waiting = rig.arrive(Rig.SHARED);
        Step.Attempt queued = rig.attempt(waiting);
        rig.granted(once, 10, 1);
        EngineHold tried = rig.holds(trying);
        EngineHold joined = rig.holds(waiting);
        assertThat(joined.grant()).isSameAs(tried.grant());

        Waiter writer = rig.arrive(Rig.EXCLUSIVE);
        rig.granted(queued, 11, 1);

        assertThat(rig.ending().claimId()).isEqualTo(queued.claim().id());
        Step.Attempt writing = rig.attempt(writer);
        assertThat(writing.claim().mode()).isEqualTo(Mode.EXCLUSIVE);
        assertThat(writing.claim().id()).as("a released id is not used again").isEqualTo("id3");
        rig.mustWait(writing);
        rig.release(tried);
        rig.giveBack(joined);
    }

    /** Otherwise readers of other keepers that come after it would go before it. */
    @Test
    void aWriterQueuesInTheStoreWhileItsOwnKeeperReads() {
        EngineHold reading = rig.acquire(Rig.SHARED, 10, 1);
        Waiter writer = rig.arrive(Rig.EXCLUSIVE);

        rig.mustWait(rig.attempt(writer));
        rig.giveBack(reading);

        assertThat(rig.wasWoken(writer)).isTrue();
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.attempt(writer).claim().id()).isEqualTo("id2");
    }

    @Test
    void aWriterThatTriesSendsNothingWhileItsOwnKeeperReads() {
        rig.acquire(Rig.SHARED, 10, 1);

        assertThat(rig.turn(rig.tries(Rig.EXCLUSIVE))).isEqualTo(Step.NotNow.NOT_NOW);
    }

    @Test
    void aPlaceInTheStoreIsGivenUpWhenItsReaderJoinedAnotherGrant() {
        Waiter trying = rig.tries(Rig.SHARED);
        Step.Attempt once = rig.attempt(trying);
        Waiter waiting = rig.arrive(Rig.SHARED);
        rig.mustWait(rig.attempt(waiting));

        rig.granted(once, 10, 1);
        rig.holds(waiting);

        assertThat(rig.ending().claimId()).isEqualTo("id2");
        rig.release(rig.holds(trying));
        rig.giveBack(rig.holds(waiting));
        rig.nothingIsLeft();
    }

    @Test
    void aSecondGrantIsTakenBesideTheFirst() {
        EngineHold first = rig.acquire(Rig.SHARED, 10, 1);
        rig.pass(Duration.ofSeconds(1));
        EngineHold second = rig.acquire(Rig.SHARED, 11, 1);

        assertThat(rig.engine.grants()).hasSize(2);
        rig.giveBack(first);
        assertThat(rig.state(second)).isEqualTo(HoldState.HELD);
    }
}
