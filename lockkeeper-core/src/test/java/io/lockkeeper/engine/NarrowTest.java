package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HoldState;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Giving up a part: a writer becomes a reader, permits become fewer. */
class NarrowTest {

    private final Rig rig = new Rig();

    private EngineHold downgraded(EngineHold writing) {
        rig.engine.narrow(writing.grant(), Mode.SHARED);
        EngineHold reading = rig.engine.succeed(rig.now(), writing);
        rig.gather();
        return reading;
    }

    @Test
    void theStoreIsToldOfTheClaimAsItKnowsIt() {
        EngineHold writing = rig.acquire(Rig.EXCLUSIVE, 5, 1);

        Claim before = rig.engine.narrow(writing.grant(), Mode.SHARED);

        assertThat(before.mode()).isEqualTo(Mode.EXCLUSIVE);
        assertThat(writing.grant().claim().mode()).isEqualTo(Mode.SHARED);
        assertThat(writing.grant().claim().id()).isEqualTo(before.id());
    }

    @Test
    void theReadHoldKeepsTheTokenAndTheWriteHoldIsReleased() {
        EngineHold writing = rig.acquire(Rig.EXCLUSIVE, 5, 1);

        EngineHold reading = downgraded(writing);

        assertThat(reading.token()).isEqualTo(5);
        assertThat(rig.state(writing)).isEqualTo(HoldState.RELEASED);
        assertThat(rig.state(reading)).isEqualTo(HoldState.HELD);
        assertThat(rig.giveBack(reading).claimId()).isEqualTo("id1");
        rig.nothingIsLeft();
    }

    @Test
    void downgradingLetsOthersGoToTheStore() {
        EngineHold writing = rig.acquire(Rig.EXCLUSIVE, 5, 1);
        Waiter reader = rig.arrive(Rig.SHARED);
        rig.waitsUntilWoken(reader);
        rig.woken.clear();

        downgraded(writing);

        assertThat(rig.wasWoken(reader)).isTrue();
        assertThat(rig.attempt(reader).claim().mode()).isEqualTo(Mode.SHARED);
    }

    @Test
    void readersDoNotJoinADowngradedWriter() {
        downgraded(rig.acquire(Rig.EXCLUSIVE, 5, 65));

        assertThat(rig.attempt(rig.arrive(Rig.SHARED)).claim().id()).isEqualTo("id2");
    }

    @Test
    void aDowngradedGrantIsNotHandedOnToAWriter() {
        EngineHold reading = downgraded(rig.acquire(Rig.EXCLUSIVE, 5, 65));
        rig.arrive(Rig.EXCLUSIVE);

        assertThat(rig.release(reading)).isInstanceOf(ReleaseStep.Send.class);
    }

    @Test
    void aNarrowingThatWasNotAnsweredIsToldAgain() {
        EngineHold writing = rig.acquire(Rig.EXCLUSIVE, 5, 1);
        Claim before = rig.engine.narrow(writing.grant(), Mode.SHARED);

        rig.engine.narrowFailed(rig.now(), before, Mode.SHARED);

        rig.gather();
        assertThat(rig.chores).containsExactly(new Chore.Narrow(before, Mode.SHARED, rig.now()));
        assertThat(rig.engine.isIdle()).isFalse();
    }

    @Test
    void fewerPermitsPassToAWishForAsMany() {
        EngineHold three = rig.acquire(Rig.request(Mode.permits(3, 5)), 5, 65);
        rig.engine.narrow(three.grant(), Mode.permits(2, 5));
        Waiter wantsThree = rig.arrive(Rig.request(Mode.permits(3, 5)));

        assertThat(rig.release(three)).as("two are not three").isInstanceOf(ReleaseStep.Send.class);
        assertThat(rig.attempt(wantsThree).claim().mode()).isEqualTo(Mode.permits(3, 5));

        Rig other = new Rig();
        EngineHold held = other.acquire(Rig.request(Mode.permits(3, 5)), 5, 65);
        other.engine.narrow(held.grant(), Mode.permits(2, 5));
        Waiter wantsTwo = other.arrive(Rig.request(Mode.permits(2, 5)));
        assertThat(other.release(held)).isEqualTo(ReleaseStep.Stays.HANDED_ON);
        assertThat(other.holds(wantsTwo).grant().claim().mode()).isEqualTo(Mode.permits(2, 5));
    }

    @Test
    void renewalsGoOnWithTheNarrowedClaim() {
        EngineHold writing = rig.acquire(Rig.EXCLUSIVE, 5, 1);
        EngineHold reading = downgraded(writing);
        rig.pass(Duration.ofSeconds(10));

        assertThat(rig.ended).isEmpty();
        assertThat(reading.grant().claim().mode()).isEqualTo(Mode.SHARED);
        assertThat(reading.grant().renewed()).isTrue();
    }
}
