package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HoldState;
import io.lockkeeper.Loss;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Until when a hold is surely held, and what ends it. */
class LeaseTest {

    /** 30 s less 1 % and 2 ms. */
    private static final Duration VALID = Duration.ofMillis(29_698);

    private final Rig rig = new Rig();

    private static Renewal kept() {
        return new Renewal.Kept(Rig.LEASE, false);
    }

    @Test
    void theDeadlineCountsFromSendingAndNotFromTheAnswer() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        Step.Attempt attempt = rig.attempt(waiter);
        Moment sentAt = rig.now();
        rig.pass(Duration.ofSeconds(12));
        rig.granted(attempt, sentAt, 1, 1);

        assertThat(rig.holds(waiter).remaining(rig.now()))
                .isEqualTo(VALID.minusSeconds(12).toNanos());
    }

    @Test
    void aRenewalCountsFromItsSendingToo() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        rig.pass(Duration.ofSeconds(10));
        Moment sentAt = rig.now();
        rig.pass(Duration.ofSeconds(3));
        rig.engine.renewed(rig.now(), holding.grant(), sentAt, kept());

        assertThat(holding.remaining(rig.now())).isEqualTo(VALID.minusSeconds(3).toNanos());
    }

    @Test
    void aMarginIsKeptForClocksThatRunApart() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);

        rig.pass(VALID.minusNanos(1));
        assertThat(holding.remaining(rig.now())).isEqualTo(1);
        rig.pass(Duration.ofNanos(1));
        assertThat(rig.state(holding)).isEqualTo(HoldState.LOST);
    }

    @Test
    void theClockThatWentFurtherCounts() {
        EngineHold suspended = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        rig.pass(Duration.ofSeconds(1), Duration.ofSeconds(31));
        assertThat(rig.state(suspended)).isEqualTo(HoldState.LOST);

        Rig other = new Rig();
        EngineHold setBack = other.acquire(Rig.EXCLUSIVE, 1, 1);
        other.pass(Duration.ofSeconds(31), Duration.ofSeconds(-3600));
        assertThat(other.state(setBack)).isEqualTo(HoldState.LOST);
    }

    @Test
    void aWallClockThatJumpedForthAndBackResurrectsNothing() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        rig.pass(Duration.ZERO, Duration.ofHours(1));
        assertThat(rig.state(holding)).isEqualTo(HoldState.LOST);

        rig.pass(Duration.ZERO, Duration.ofHours(-1));

        assertThat(rig.state(holding)).isEqualTo(HoldState.LOST);
        assertThat(holding.remaining(rig.now())).isZero();
        rig.engine.renewed(rig.now(), holding.grant(), rig.now(), kept());
        assertThat(rig.state(holding)).isEqualTo(HoldState.LOST);
        assertThat(rig.release(holding)).isInstanceOf(ReleaseStep.NotHeld.class);
    }

    @Test
    void anAnswerAfterTheDeadlineResurrectsNothing() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        rig.pass(Duration.ofSeconds(29));
        Moment sentAt = rig.now();
        rig.pass(Duration.ofSeconds(1));

        rig.engine.renewed(rig.now(), holding.grant(), sentAt, kept());

        assertThat(rig.state(holding)).isEqualTo(HoldState.LOST);
        rig.gather();
        assertThat(rig.lost).singleElement().satisfies(notice -> {
            assertThat(notice.holding()).isSameAs(holding);
            assertThat(notice.loss().reason()).isEqualTo(Loss.Reason.EXPIRED);
        });
        assertThat(rig.ending().claimId()).isEqualTo("id1");
    }

    @Test
    void aDoubledAnswerAfterTheLossChangesNothing() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        Moment sentAt = rig.now();
        rig.engine.lose(rig.now(), holding.grant(), Loss.Reason.TAKEN);

        rig.engine.renewed(rig.now(), holding.grant(), sentAt, kept());
        rig.engine.renewed(rig.now(), holding.grant(), sentAt, kept());
        rig.engine.renewed(rig.now(), holding.grant(), sentAt, new Renewal.Gone(Loss.Reason.EXPIRED));

        assertThat(rig.state(holding)).isEqualTo(HoldState.LOST);
        assertThat(holding.lostBecause()).isEqualTo(Loss.Reason.TAKEN);
        rig.gather();
        assertThat(rig.lost).hasSize(1);
        rig.nothingIsLeft();
    }

    @Test
    void notYoursIsLossAtOnce() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);

        rig.engine.renewed(rig.now(), holding.grant(), rig.now(), new Renewal.Gone(Loss.Reason.TAKEN));

        assertThat(rig.state(holding)).isEqualTo(HoldState.LOST);
        assertThat(holding.lostBecause()).isEqualTo(Loss.Reason.TAKEN);
        rig.nothingIsLeft();
    }

    @Test
    void whatIsGoneWhileItsLeaseRunsIsTakenWhateverTheStoreThinks() {
        EngineHold running = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        rig.engine.renewed(rig.now(), running.grant(), rig.now(), new Renewal.Gone(Loss.Reason.EXPIRED));
        assertThat(running.lostBecause()).isEqualTo(Loss.Reason.TAKEN);

        EngineHold over = rig.acquire(Rig.EXCLUSIVE, 2, 1);
        Moment sentAt = rig.now();
        rig.pass(Duration.ofSeconds(30));
        rig.engine.renewed(rig.now(), over.grant(), sentAt, new Renewal.Gone(Loss.Reason.EXPIRED));
        assertThat(over.lostBecause()).isEqualTo(Loss.Reason.EXPIRED);
    }

    private EngineHold fixed(int token) {
        return rig.acquire(new AcquireRequest(Mode.EXCLUSIVE, Rig.LEASE, true, false, false), token, 1);
    }

    private static Renewal keptFor(Duration lease) {
        return new Renewal.Kept(lease, false);
    }

    @Test
    void anExtensionCountsFromItsSending() {
        EngineHold holding = fixed(1);
        assertThat(rig.engine.extending(rig.now(), holding, Duration.ofSeconds(100)))
                .satisfies(claim -> assertThat(claim.lease()).isEqualTo(Duration.ofSeconds(100)));
        Moment sentAt = rig.now();
        assertThat(holding.remaining(rig.now()))
                .as("not before the store has said so")
                .isLessThan(Rig.LEASE.toNanos());
        rig.pass(Duration.ofSeconds(20));

        assertThat(rig.engine.extended(rig.now(), holding, sentAt, keptFor(Duration.ofSeconds(100))))
                .isTrue();
        assertThat(Duration.ofNanos(holding.remaining(rig.now()))).isEqualTo(Duration.ofMillis(78_998));
    }

    @Test
    void anExtensionThatIsAnsweredAfterTheEndResurrectsNothing() {
        EngineHold holding = fixed(1);
        rig.engine.extending(rig.now(), holding, Duration.ofSeconds(100));
        Moment sentAt = rig.now();
        rig.pass(Rig.LEASE);

        assertThat(rig.engine.extended(rig.now(), holding, sentAt, keptFor(Duration.ofSeconds(100))))
                .isFalse();
        assertThat(rig.state(holding)).isEqualTo(HoldState.LOST);
        assertThat(rig.ending().lease())
                .as("the store may keep it for that long")
                .isEqualTo(Duration.ofSeconds(100));
    }

    @Test
    void answersToSeveralExtensionsInAnyOrderKeepTheLongest() {
        EngineHold holding = fixed(1);
        Moment sentAt = rig.now();
        rig.engine.extending(rig.now(), holding, Duration.ofSeconds(100));
        rig.engine.extending(rig.now(), holding, Duration.ofSeconds(40));
        rig.engine.extended(rig.now(), holding, sentAt, keptFor(Duration.ofSeconds(100)));
        assertThat(rig.engine.extended(rig.now(), holding, sentAt, keptFor(Duration.ofSeconds(40))))
                .isTrue();
        assertThat(Duration.ofNanos(holding.remaining(rig.now()))).isGreaterThan(Duration.ofSeconds(90));
    }

    @Test
    void whatIsReleasedIsNotExtended() {
        EngineHold holding = fixed(1);
        rig.engine.extending(rig.now(), holding, Duration.ofSeconds(100));
        Moment sentAt = rig.now();
        rig.engine.release(rig.now(), holding);
        assertThat(rig.engine.extended(rig.now(), holding, sentAt, keptFor(Duration.ofSeconds(100))))
                .isFalse();
        assertThat(rig.engine.extending(rig.now(), holding, Duration.ofSeconds(100)))
                .isNull();
    }

    @Test
    void anErrorIsUncertaintyUntilTheDeadline() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        rig.pass(Duration.ofSeconds(10));
        assertThat(rig.engine.renewalFailed(holding.grant())).isTrue();
        assertThat(rig.engine.renewalFailed(holding.grant())).as("news").isFalse();

        assertThat(rig.state(holding)).isEqualTo(HoldState.UNCERTAIN);
        rig.pass(Duration.ofSeconds(19));
        assertThat(rig.state(holding)).isEqualTo(HoldState.UNCERTAIN);
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.state(holding)).isEqualTo(HoldState.LOST);
    }

    @Test
    void aRenewalEndsTheUncertainty() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        rig.pass(Duration.ofSeconds(10));
        rig.engine.renewalFailed(holding.grant());
        rig.engine.renewed(rig.now(), holding.grant(), rig.now(), kept());

        assertThat(rig.state(holding)).isEqualTo(HoldState.HELD);
    }

    @Test
    void anOverdueRenewalMakesUncertainWithoutAnyReport() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        rig.pass(Duration.ofSeconds(11));
        assertThat(rig.state(holding)).isEqualTo(HoldState.HELD);
        rig.pass(Duration.ofNanos(1));
        assertThat(rig.state(holding)).isEqualTo(HoldState.UNCERTAIN);
    }

    @Test
    void aFixedLeaseIsNeverUncertainAndNeverRenewed() {
        EngineHold holding = rig.acquire(new AcquireRequest(Mode.EXCLUSIVE, Rig.LEASE, true, false, false), 1, 1);

        assertThat(holding.grant().renewed()).isFalse();
        rig.pass(Duration.ofSeconds(29));
        assertThat(rig.state(holding)).isEqualTo(HoldState.HELD);
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.state(holding)).isEqualTo(HoldState.LOST);
    }

    @Test
    void whatNeverEndsByItselfIsNeverLostByTime() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        rig.told(rig.attempt(waiter), new Answer.Granted(1, 1, Answer.FOREVER));
        EngineHold holding = rig.holds(waiter);

        rig.pass(Duration.ofDays(3650));

        assertThat(rig.state(holding)).isEqualTo(HoldState.HELD);
        rig.engine.expire(rig.now(), holding.grant());
        assertThat(rig.state(holding)).isEqualTo(HoldState.HELD);
    }

    @Test
    void theTimerTellsTheLossOnceAndReleasesTheId() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        rig.engine.expire(rig.now(), holding.grant());
        rig.gather();
        assertThat(rig.lost).as("not before its time").isEmpty();
        rig.pass(Rig.LEASE);

        rig.engine.expire(rig.now(), holding.grant());
        rig.engine.expire(rig.now(), holding.grant());

        rig.gather();
        assertThat(rig.lost).hasSize(1);
        assertThat(rig.ended).containsOnlyOnce(holding.grant());
        assertThat(rig.ending().claimId()).isEqualTo("id1");
        rig.nothingIsLeft();
    }

    @Test
    void releasingWhatHasExpiredIsALoss() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 65);
        Waiter next = rig.arrive(Rig.EXCLUSIVE);
        rig.pass(Rig.LEASE);

        assertThat(rig.release(holding)).isInstanceOf(ReleaseStep.NotHeld.class);

        assertThat(rig.state(holding)).isEqualTo(HoldState.LOST);
        assertThat(rig.attempt(next).claim().id()).as("not handed on").isEqualTo("id2");
        assertThat(rig.ending().claimId()).isEqualTo("id1");
    }

    @Test
    void aHoldThatWasSeenExpiredIsNeverReleased() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        Moment before = rig.now();
        rig.pass(Rig.LEASE);
        assertThat(rig.state(holding)).isEqualTo(HoldState.LOST);

        assertThat(rig.engine.release(before, holding)).isInstanceOf(ReleaseStep.NotHeld.class);
        assertThat(holding.state(before)).isEqualTo(HoldState.LOST);
    }

    @Test
    void aHoldIsReleasedOnce() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        rig.giveBack(holding);

        assertThat(rig.release(holding)).isInstanceOf(ReleaseStep.NotHeld.class);
        assertThat(rig.state(holding)).isEqualTo(HoldState.RELEASED);
        rig.pass(Rig.LEASE);
        assertThat(rig.state(holding)).isEqualTo(HoldState.RELEASED);
        rig.nothingIsLeft();
    }

    @Test
    void itCountsAsNotHeldFromTheMomentReleaseBegins() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);

        rig.release(holding);

        assertThat(rig.state(holding)).isEqualTo(HoldState.RELEASED);
        assertThat(holding.remaining(rig.now())).isZero();
        assertThat(rig.ended).containsExactly(holding.grant());
        rig.pass(Rig.LEASE);
        rig.engine.expire(rig.now(), holding.grant());
        rig.gather();
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void aRenewalAnsweredAfterTheReleaseBeganChangesNothing() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        ReleaseStep.Send send = (ReleaseStep.Send) rig.release(holding);

        rig.engine.renewed(rig.now(), send.grant(), rig.now(), new Renewal.Gone(Loss.Reason.TAKEN));
        rig.engine.renewed(rig.now(), send.grant(), rig.now(), kept());
        rig.engine.released(send.grant());

        assertThat(rig.state(holding)).isEqualTo(HoldState.RELEASED);
        rig.gather();
        assertThat(rig.lost).isEmpty();
        rig.nothingIsLeft();
    }

    @Test
    void theNextAcquirerWaitsUntilTheReleaseIsAnswered() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        Waiter next = rig.arrive(Rig.EXCLUSIVE);
        ReleaseStep.Send send = (ReleaseStep.Send) rig.release(holding);

        rig.waitsUntilWoken(next);
        rig.woken.clear();
        rig.engine.released(send.grant());

        assertThat(rig.wasWoken(next)).isTrue();
        rig.attempt(next);
    }

    @Test
    void aSignalHasTheStoreConfirmTheGrant() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);

        rig.engine.signal(rig.now());

        rig.gather();
        assertThat(rig.doubted).containsExactly(holding.grant());
        assertThat(rig.state(holding)).as("only a hint").isEqualTo(HoldState.HELD);
    }

    @Test
    void closingTheKeeperTellsHoldersAndReleases() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);

        rig.engine.lose(rig.now(), holding.grant(), Loss.Reason.KEEPER_CLOSED);

        assertThat(holding.lostBecause()).isEqualTo(Loss.Reason.KEEPER_CLOSED);
        assertThat(rig.ending().claimId()).isEqualTo("id1");
        rig.nothingIsLeft();
    }

    @Test
    void aRequestNeverTakesMoreThanAThirdOfTheLease() {
        Waiter shortLease = rig.arrive(Rig.request(Duration.ofMillis(900)));

        assertThat(rig.attempt(shortLease).claim().timeout()).isEqualTo(Duration.ofMillis(300));
        Rig other = new Rig();
        assertThat(other.attempt(other.arrive(Rig.EXCLUSIVE)).claim().timeout()).isEqualTo(Duration.ofSeconds(1));
    }
}
