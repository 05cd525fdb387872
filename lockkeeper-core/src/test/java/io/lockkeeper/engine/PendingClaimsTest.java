package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.HandOff;
import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The claim of the plain waiters: one for all, handed down the queue, polled, and leaving nothing behind. */
class PendingClaimsTest {

    private final Rig rig = new Rig();

    @Test
    void onlyTheHeadTalksToTheStore() {
        Waiter first = rig.arrive(Rig.EXCLUSIVE);
        Waiter second = rig.arrive(Rig.EXCLUSIVE);

        rig.waitsUntilWoken(second);
        Step.Attempt attempt = rig.attempt(first);
        rig.waitsUntilWoken(second);

        assertThat(attempt.claim().queueing()).isEqualTo(Claim.Queueing.PLAIN);
        assertThat(rig.ids).hasSize(1);
    }

    @Test
    void atMostOneRequestOfAClaimIsUnderWay() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);

        rig.attempt(waiter);

        rig.waitsUntilWoken(waiter);
    }

    @Test
    void theNextWaiterInheritsTheClaimWhenTheHeadLeaves() {
        Waiter first = rig.arrive(Rig.EXCLUSIVE);
        Waiter second = rig.arrive(Rig.EXCLUSIVE);
        rig.mustWait(rig.attempt(first));

        rig.leaves(first);

        assertThat(rig.wasWoken(second)).isTrue();
        assertThat(rig.chores).isEmpty();
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.attempt(second).claim().id()).isEqualTo("id1");
    }

    @Test
    void aClaimIsInheritedWhileItsRequestIsUnderWay() {
        Waiter first = rig.arrive(Rig.EXCLUSIVE);
        Waiter second = rig.arrive(Rig.EXCLUSIVE);
        Step.Attempt attempt = rig.attempt(first);

        rig.leaves(first);
        rig.waitsUntilWoken(second);
        rig.granted(attempt, 7, 1);

        assertThat(rig.wasWoken(second)).isTrue();
        assertThat(rig.holds(second).token()).isEqualTo(7);
    }

    @Test
    void aClaimIsNotInheritedByAnotherMode() {
        Waiter writer = rig.arrive(Rig.EXCLUSIVE);
        Waiter reader = rig.arrive(Rig.SHARED);
        rig.mustWait(rig.attempt(writer));

        rig.leaves(writer);

        assertThat(rig.ending().claimId()).isEqualTo("id1");
        Claim next = rig.attempt(reader).claim();
        assertThat(next.id()).isEqualTo("id2");
        assertThat(next.mode()).isEqualTo(Mode.SHARED);
    }

    @Test
    void aClaimIsNotInheritedByAnotherLease() {
        Waiter first = rig.arrive(Rig.EXCLUSIVE);
        Waiter second = rig.arrive(Rig.request(Duration.ofSeconds(10)));
        rig.mustWait(rig.attempt(first));

        rig.leaves(first);

        assertThat(rig.ending().claimId()).isEqualTo("id1");
        assertThat(rig.attempt(second).claim().lease()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void aClaimIsNotInheritedByAnotherCount() {
        Waiter two = rig.arrive(Rig.request(Mode.permits(2, 5)));
        Waiter one = rig.arrive(Rig.request(Mode.permits(1, 5)));
        rig.mustWait(rig.attempt(two));

        rig.leaves(two);

        assertThat(rig.ending().claimId()).isEqualTo("id1");
        assertThat(rig.attempt(one).claim().mode()).isEqualTo(Mode.permits(1, 5));
    }

    @Test
    void theClaimIsWithdrawnWhenNobodyIsLeft() {
        Waiter only = rig.arrive(Rig.EXCLUSIVE);
        rig.mustWait(rig.attempt(only));

        rig.leaves(only);

        assertThat(rig.ending().claimId()).isEqualTo("id1");
        rig.nothingIsLeft();
    }

    @Test
    void aClaimThatWasNeverSentNeedsNoWithdrawal() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        rig.engine.unsent(rig.attempt(waiter).pending());

        rig.leaves(waiter);

        rig.nothingIsLeft();
    }

    @Test
    void aWaiterInTheMiddleLeavesNoTrace() {
        Waiter first = rig.arrive(Rig.EXCLUSIVE);
        Waiter middle = rig.arrive(Rig.SHARED);
        Waiter last = rig.arrive(Rig.EXCLUSIVE);
        rig.mustWait(rig.attempt(first));

        rig.leaves(middle);

        assertThat(rig.engine.waiting()).isEqualTo(2);
        assertThat(rig.chores).isEmpty();
        rig.leaves(first);
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.attempt(last).claim().id()).isEqualTo("id1");
    }

    @Test
    void aGrantThatArrivesWhenNobodyWaitsIsGivenBack() {
        Waiter only = rig.arrive(Rig.EXCLUSIVE);
        Step.Attempt attempt = rig.attempt(only);
        rig.leaves(only);
        assertThat(rig.engine.isIdle()).isFalse();

        rig.granted(attempt, 7, 1);

        assertThat(rig.ending().claimId()).isEqualTo("id1");
        assertThat(rig.begun).isEmpty();
        rig.nothingIsLeft();
    }

    @Test
    void aGrantForAnotherRequestThanTheNextWaitersIsReturned() {
        Waiter reader = rig.arrive(Rig.SHARED);
        Waiter writer = rig.arrive(Rig.EXCLUSIVE);
        Step.Attempt attempt = rig.attempt(reader);
        rig.leaves(reader);

        rig.granted(attempt, 7, 1);

        assertThat(rig.ending().claimId()).isEqualTo("id1");
        assertThat(rig.attempt(writer).claim().mode()).isEqualTo(Mode.EXCLUSIVE);
    }

    @Test
    void waitingInTheStoreForAnAbandonedClaimIsWithdrawn() {
        Waiter only = rig.arrive(Rig.EXCLUSIVE);
        Step.Attempt attempt = rig.attempt(only);
        rig.leaves(only);

        rig.mustWait(attempt);

        assertThat(rig.ending().claimId()).isEqualTo("id1");
        rig.nothingIsLeft();
    }

    @Test
    void aWaiterServedBeforeItLeavesGetsItsHold() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        rig.granted(rig.attempt(waiter), 7, 1);

        EngineHold given = rig.engine.leave(rig.now(), waiter);

        assertThat(given).isNotNull();
        rig.giveBack(given);
        rig.nothingIsLeft();
    }

    @Test
    void tryAcquireNeverQueues() {
        Waiter waiter = rig.tries(Rig.EXCLUSIVE);

        Step.Attempt attempt = rig.attempt(waiter);
        assertThat(attempt.claim().queueing()).isEqualTo(Claim.Queueing.NEVER);
        rig.mustWait(attempt);

        assertThat(rig.turn(waiter)).isEqualTo(Step.NotNow.NOT_NOW);
        rig.nothingIsLeft();
    }

    @Test
    void tryAcquireSendsNothingWhileOthersWaitHere() {
        Waiter waiting = rig.arrive(Rig.EXCLUSIVE);
        rig.mustWait(rig.attempt(waiting));

        assertThat(rig.turn(rig.tries(Rig.EXCLUSIVE))).isEqualTo(Step.NotNow.NOT_NOW);
        assertThat(rig.turn(rig.tries(Rig.SHARED))).isEqualTo(Step.NotNow.NOT_NOW);
    }

    @Test
    void tryAcquireSendsNothingWhileThisKeeperHasIt() {
        rig.acquire(Rig.EXCLUSIVE, 1, 1);

        assertThat(rig.turn(rig.tries(Rig.EXCLUSIVE))).isEqualTo(Step.NotNow.NOT_NOW);
        assertThat(rig.turn(rig.tries(Rig.SHARED))).isEqualTo(Step.NotNow.NOT_NOW);
    }

    @Test
    void tryAcquireOfPermitsIsNotPutOffByARequestUnderWay() {
        Waiter acquiring = rig.arrive(Rig.request(Mode.permits(1, 5)));
        Step.Attempt first = rig.attempt(acquiring);

        Waiter trying = rig.tries(Rig.request(Mode.permits(1, 5)));
        Step.Attempt second = rig.attempt(trying);
        rig.granted(second, 1, 1);
        rig.granted(first, 2, 1);

        assertThat(rig.holds(trying).token()).isEqualTo(1);
        assertThat(rig.holds(acquiring).token()).isEqualTo(2);
    }

    @Test
    void tryAcquireOfPermitsDoesNotOvertakeClaimsInTheStore() {
        Waiter many = rig.arrive(Rig.request(Mode.permits(5, 5)));
        rig.mustWait(rig.attempt(many));

        assertThat(rig.turn(rig.tries(Rig.request(Mode.permits(1, 5))))).isEqualTo(Step.NotNow.NOT_NOW);
    }

    @Test
    void theClaimOfTryAcquireIsKnownWhileItIsUnderWay() {
        Waiter waiter = rig.tries(Rig.EXCLUSIVE);
        Step.Attempt attempt = rig.attempt(waiter);

        assertThat(rig.engine.knows("id1")).isTrue();
        assertThat(rig.engine.isIdle()).isFalse();

        rig.granted(attempt, 1, 1);
        assertThat(rig.engine.knows("id1")).isTrue();
        rig.giveBack(rig.holds(waiter));
        assertThat(rig.engine.knows("id1")).isFalse();
        rig.nothingIsLeft();
    }

    @Test
    void theNextRequestIsSentWhenTheStoreSaid() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        rig.told(rig.attempt(waiter), new Answer.Wait(Duration.ofMillis(300)));

        assertThat(rig.parked(waiter)).isEqualTo(Duration.ofMillis(300));
        rig.pass(Duration.ofMillis(300));
        assertThat(rig.attempt(waiter).claim().id()).isEqualTo("id1");
    }

    @Test
    void aRequestIsSentAtLeastEverySecond() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        rig.told(rig.attempt(waiter), new Answer.Wait(Duration.ofDays(3)));

        assertThat(rig.parked(waiter)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aRetryTimeInThePastIsHarmless() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        rig.told(rig.attempt(waiter), new Answer.Wait(Duration.ofSeconds(-5)));

        rig.attempt(waiter);
    }

    @Test
    void aSignalWakesTheHeadAtOnce() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        rig.mustWait(rig.attempt(waiter));
        rig.woken.clear();

        rig.engine.signal(rig.now());

        assertThat(rig.wasWoken(waiter)).isTrue();
        rig.attempt(waiter);
    }

    @Test
    void aSignalDuringARequestLeadsToAnotherRequest() {
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        Step.Attempt attempt = rig.attempt(waiter);

        rig.engine.signal(rig.now());
        rig.mustWait(attempt);

        rig.mustWait(rig.attempt(waiter));
        assertThat(rig.parked(waiter)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aSignalThatNobodyWaitsForDoesNothing() {
        rig.engine.signal(rig.now());
        rig.engine.signal(rig.now());

        rig.nothingIsLeft();
    }

    @Test
    void aWaiterForThisKeepersOwnGrantSendsNothing() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        Waiter waiter = rig.arrive(Rig.SHARED);

        rig.waitsUntilWoken(waiter);
        rig.giveBack(holding);

        assertThat(rig.wasWoken(waiter)).isTrue();
        rig.attempt(waiter);
    }

    @Test
    void aLostGrantWakesItsWaiter() {
        EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);
        Waiter waiter = rig.arrive(Rig.SHARED);
        rig.waitsUntilWoken(waiter);
        rig.woken.clear();

        rig.pass(Rig.LEASE);
        rig.engine.expire(rig.now(), holding.grant());

        assertThat(rig.wasWoken(waiter)).isTrue();
        rig.attempt(waiter);
    }

    @Test
    void aRefusalFailsTheWaiter() {
        Waiter first = rig.arrive(Rig.EXCLUSIVE);
        Waiter second = rig.arrive(Rig.EXCLUSIVE);
        rig.told(rig.attempt(first), new Answer.Refused(Answer.Cause.FINAL, "The key has another type; mend it"));

        assertThat(rig.turn(first)).isInstanceOf(Step.Failed.class);
        assertThat(((Step.Failed) rig.turn(first)).failure())
                .isInstanceOf(ClaimRefusedException.class)
                .hasMessage("The key has another type; mend it");
        rig.attempt(second);
    }

    @Test
    void aRefusalLeavesNothingBehind() {
        Waiter only = rig.arrive(Rig.EXCLUSIVE);
        rig.told(rig.attempt(only), new Answer.Refused(Answer.Cause.FINAL, "no"));

        rig.nothingIsLeft();
    }

    @Test
    void everybodyFailsWhenTheKeeperIsClosed() {
        Waiter plain = rig.arrive(Rig.EXCLUSIVE);
        Waiter fair = rig.arrive(Rig.FAIR);
        rig.mustWait(rig.attempt(plain));
        rig.mustWait(rig.attempt(fair));

        rig.engine.failAll(rig.now(), new KeeperClosedException("closed"));

        assertThat(rig.turn(plain)).isInstanceOf(Step.Failed.class);
        assertThat(rig.turn(fair)).isInstanceOf(Step.Failed.class);
        assertThat(rig.settle()).hasSize(2);
        rig.nothingIsLeft();
    }

    @Test
    void withHandOffSwitchedOffAClaimNeedsOneToken() {
        Rig off = new Rig(HandOff.OFF, true);
        Waiter first = off.arrive(Rig.EXCLUSIVE);
        off.arrive(Rig.EXCLUSIVE);

        assertThat(off.attempt(first).claim().tokens()).isEqualTo(1);
    }

    @Test
    void aClaimNeedsOneTokenUnlessOthersWaitBehindIt() {
        Waiter alone = rig.arrive(Rig.EXCLUSIVE);
        rig.engine.unsent(rig.attempt(alone).pending());
        assertThat(rig.attempt(alone).claim().tokens()).isEqualTo(1);

        Rig other = new Rig();
        Waiter first = other.arrive(Rig.EXCLUSIVE);
        other.arrive(Rig.EXCLUSIVE);
        assertThat(other.attempt(first).claim().tokens()).isEqualTo(65);
    }
}
