package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HoldState;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The driver of a waiter, step by step: what to do next, when the time is over, and what a caller that stops gives back. */
class AcquisitionTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Rig rig = new Rig();

    private Acquisition begin(Duration timeout) {
        Acquisition acquisition =
                new Acquisition(rig.waiter(Rig.EXCLUSIVE), rig.now().mono() + timeout.toNanos());
        acquisition.begin(rig.engine, rig.now());
        return acquisition;
    }

    private Step next(Acquisition acquisition) {
        return acquisition.next(rig.engine, rig.now());
    }

    private Step.Attempt sends(Acquisition acquisition) {
        Step step = next(acquisition);
        assertThat(step).isInstanceOf(Step.Attempt.class);
        return (Step.Attempt) step;
    }

    private void replied(Acquisition acquisition, Step.Attempt attempt, Answer answer) {
        acquisition.replied(rig.engine, rig.now(), attempt, StoreReply.answered(rig.now(), answer));
    }

    @Test
    void aLeaseCountsFromTheTimeOfSending() {
        Acquisition acquisition = begin(Duration.ofSeconds(60));
        Step.Attempt attempt = sends(acquisition);
        Moment sentAt = rig.now();
        rig.pass(Duration.ofSeconds(20));

        acquisition.replied(
                rig.engine, rig.now(), attempt, StoreReply.answered(sentAt, new Answer.Granted(1, 1, Rig.LEASE)));

        EngineHold hold = ((Step.Served) next(acquisition)).holding();
        assertThat(hold.remaining(rig.now())).isLessThan(Duration.ofSeconds(10).toNanos());
    }

    @Test
    void aRenewedLeaseCountsFromTheTimeOfSending() {
        EngineHold hold = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        RenewalRequest request = new RenewalRequest(1, SECOND);
        request.add(hold.grant());
        rig.pass(Duration.ofSeconds(10));
        Moment sentAt = rig.now();
        rig.pass(Duration.ofSeconds(15));

        request.replied(
                rig.engine, rig.now(), 0, StoreReply.answered(sentAt, List.of(new Renewal.Kept(Rig.LEASE, false))));

        assertThat(hold.remaining(rig.now()))
                .isPositive()
                .isLessThan(Duration.ofSeconds(15).toNanos());
    }

    @Test
    void aRenewalReplyThatIsTooShortLeavesTheRestUncertain() {
        EngineHold hold = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        RenewalRequest request = new RenewalRequest(1, SECOND);
        request.add(hold.grant());
        rig.pass(Duration.ofSeconds(10));

        boolean uncertain =
                request.replied(rig.engine, rig.now(), 0, StoreReply.answered(rig.now(), List.<Renewal>of()));

        assertThat(uncertain).isTrue();
        assertThat(rig.state(hold)).isEqualTo(HoldState.UNCERTAIN);
    }

    @Test
    void aWaiterParksNoLongerThanItsTimeout() {
        Acquisition acquisition = begin(Duration.ofMillis(300));
        replied(acquisition, sends(acquisition), new Answer.Wait(SECOND));

        assertThat(next(acquisition))
                .isEqualTo(
                        new Step.Park(rig.now().mono() + Duration.ofMillis(300).toNanos()));
    }

    @Test
    void nothingIsSentOnceTheTimeIsOver() {
        Acquisition acquisition = begin(SECOND);
        Step.Attempt attempt = sends(acquisition);
        rig.pass(SECOND);

        replied(acquisition, attempt, new Answer.Wait(Duration.ZERO));

        assertThat(next(acquisition)).isEqualTo(Step.NotNow.NOT_NOW);
        assertThat(rig.ending().claimId()).isEqualTo(attempt.claim().id());
        rig.nothingIsLeft();
    }

    @Test
    void aWaiterWhoseTimeIsOverBeforeItSentAnythingLeavesNothing() {
        Acquisition acquisition = begin(SECOND);
        rig.pass(SECOND);

        assertThat(next(acquisition)).isEqualTo(Step.NotNow.NOT_NOW);

        rig.nothingIsLeft();
    }

    @Test
    void aWaiterWhoseTimeIsOverKeepsWhatItWasGiven() {
        Acquisition acquisition = begin(SECOND);
        Step.Attempt attempt = sends(acquisition);
        rig.pass(SECOND);

        replied(acquisition, attempt, new Answer.Granted(1, 1, Rig.LEASE));

        assertThat(next(acquisition)).isInstanceOf(Step.Served.class);
    }

    @Test
    void aWaiterWhoseTimeIsOverWhileTheStoreIsSilentFails() {
        Acquisition acquisition = begin(SECOND);
        Step.Attempt attempt = sends(acquisition);
        rig.pass(SECOND);

        acquisition.replied(
                rig.engine, rig.now(), attempt, StoreReply.failed(rig.now(), new StoreUnavailableException("planted")));

        assertThat(next(acquisition)).isInstanceOf(Step.Failed.class);
    }

    @Test
    void aCallerThatStopsIsToldWhatToGiveBack() {
        Acquisition acquisition = begin(SECOND);
        replied(acquisition, sends(acquisition), new Answer.Granted(1, 1, Rig.LEASE));

        EngineHold unwanted = acquisition.stop(rig.engine, rig.now());

        assertThat(unwanted).isNotNull();
        rig.giveBack(unwanted);
        rig.nothingIsLeft();
    }

    @Test
    void aCallerThatStopsTwiceLeavesNothing() {
        Acquisition acquisition = begin(SECOND);
        replied(acquisition, sends(acquisition), new Answer.Wait(SECOND));

        assertThat(acquisition.stop(rig.engine, rig.now())).isNull();
        assertThat(acquisition.stop(rig.engine, rig.now())).isNull();

        rig.ending();
        rig.nothingIsLeft();
    }

    @Test
    void aRequestWithoutAnAnswerIsRepeatedUnderTheSameId() {
        Acquisition acquisition = begin(Duration.ofSeconds(60));
        Step.Attempt attempt = sends(acquisition);
        acquisition.replied(
                rig.engine, rig.now(), attempt, StoreReply.failed(rig.now(), new StoreUnavailableException("planted")));
        assertThat(next(acquisition)).isInstanceOf(Step.Park.class);
        rig.pass(SECOND);

        Step.Attempt again = sends(acquisition);

        assertThat(again.claim().id()).isEqualTo(attempt.claim().id());
        assertThat(again.claim().repeat()).isTrue();
    }
}
