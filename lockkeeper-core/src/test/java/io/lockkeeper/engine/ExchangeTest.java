package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HandOff;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Mode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A release that takes an attempt for the waiters of this keeper along. */
class ExchangeTest {

    private final Rig rig = new Rig(HandOff.OFF, Barging.DEFAULT, true, true);

    private ReleaseStep.Send sends(EngineHold holding) {
        ReleaseStep giving = rig.release(holding);
        assertThat(giving).isInstanceOf(ReleaseStep.Send.class);
        return (ReleaseStep.Send) giving;
    }

    private Step.Attempt along(ReleaseStep.Send send) {
        Step.Attempt along = send.next();
        assertThat(along).isNotNull();
        return along;
    }

    @Test
    void theFirstWaiterIsServedByTheAttemptOfTheRelease() {
        EngineHold first = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        ReleaseStep.Send send = sends(first);
        Step.Attempt along = along(send);
        assertThat(send.release().claimId()).isEqualTo("id1");
        assertThat(along.claim().id()).isEqualTo("id2");
        rig.waitsUntilWoken(waiter);

        rig.engine.released(send.grant());
        assertThat(rig.wasWoken(waiter)).as("its attempt is under way").isFalse();
        rig.granted(along, 2, 1);

        assertThat(rig.wasWoken(waiter)).isTrue();
        assertThat(rig.holds(waiter).token()).isEqualTo(2);
        assertThat(rig.holds(waiter).handedOn()).isFalse();
    }

    @Test
    void theAttemptWantsABlockOfTokens() {
        Rig passing = new Rig(HandOff.DEFAULT, Barging.DEFAULT, true, true);
        EngineHold first = passing.acquire(Rig.EXCLUSIVE, 1, 1);
        passing.arrive(Rig.EXCLUSIVE);
        ReleaseStep.Send send = (ReleaseStep.Send) passing.release(first);

        assertThat(along(send).claim().tokens()).isEqualTo(65);
    }

    @Test
    void noAttemptGoesAlongWhenNobodyWaits() {
        assertThat(sends(rig.acquire(Rig.EXCLUSIVE, 1, 1)).next()).isNull();
    }

    @Test
    void noAttemptGoesAlongForFairWaiters() {
        EngineHold first = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        rig.arrive(Rig.EXCLUSIVE);
        rig.arrive(Rig.FAIR);

        assertThat(sends(first).next()).isNull();
    }

    @Test
    void noAttemptGoesAlongForWaitersWithAClaim() {
        AcquireRequest one = Rig.request(Mode.permits(1, 1));
        EngineHold first = rig.acquire(one, 1, 1);
        rig.mustWait(rig.attempt(rig.arrive(one)));

        assertThat(sends(first).next()).isNull();
    }

    @Test
    void theWaiterSendsItsOwnRequestWhenTheAttemptWasNotSent() {
        EngineHold first = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        ReleaseStep.Send send = sends(first);

        rig.engine.unsent(along(send).pending());
        rig.engine.releaseFailed(rig.now(), send.grant(), new StoreUnavailableException("no answer"));

        assertThat(rig.wasWoken(waiter)).isTrue();
        assertThat(rig.attempt(waiter).claim().id()).isEqualTo("id2");
        assertThat(rig.ending().claimId()).isEqualTo("id1");
    }

    @Test
    void theWaiterRepeatsTheSameIdWhenTheAttemptWasNotAnswered() {
        EngineHold first = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        ReleaseStep.Send send = sends(first);
        rig.engine.released(send.grant());

        rig.unanswered(along(send));

        assertThat(rig.wasWoken(waiter)).isTrue();
        rig.pass(Duration.ofSeconds(1));
        Step.Attempt again = rig.attempt(waiter);
        assertThat(again.claim().id()).isEqualTo("id2");
        assertThat(again.claim().repeat()).isTrue();
    }

    @Test
    void thePlaceOfTheAttemptIsTheWaiters() {
        EngineHold first = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        ReleaseStep.Send send = sends(first);
        rig.engine.released(send.grant());

        rig.told(along(send), new Answer.Wait(Duration.ofMillis(300)));

        assertThat(rig.parked(waiter)).isEqualTo(Duration.ofMillis(300));
        rig.engine.signal(rig.now());
        assertThat(rig.attempt(waiter).claim().id()).isEqualTo("id2");
    }

    @Test
    void whatIsGrantedWhenAllHaveLeftGoesBack() {
        EngineHold first = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        ReleaseStep.Send send = sends(first);
        rig.leaves(waiter);
        rig.engine.released(send.grant());

        rig.granted(along(send), 2, 1);

        assertThat(rig.ending().claimId()).isEqualTo("id2");
        rig.nothingIsLeft();
    }

    @Test
    void theNextWaiterInheritsTheAttemptOnlyWithAnEqualRequest() {
        EngineHold first = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        Waiter reader = rig.arrive(Rig.SHARED);
        ReleaseStep.Send send = sends(first);
        rig.leaves(waiter);
        rig.engine.released(send.grant());
        rig.granted(along(send), 2, 1);

        assertThat(rig.ending().claimId()).isEqualTo("id2");
        assertThat(rig.attempt(reader).claim().mode()).isEqualTo(Mode.SHARED);
    }
}
