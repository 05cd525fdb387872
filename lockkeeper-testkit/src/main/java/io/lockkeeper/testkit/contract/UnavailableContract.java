package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.SingleHold;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A store that does not answer, or whose answers get lost, at any point: calls end when they said they would, nothing is
 * counted twice, and nothing is left behind once all is well again.
 */
@SuppressWarnings("LockNotBeforeTry")
public abstract class UnavailableContract extends ContractTest {

    /** Far more than a limit plus one command timeout. */
    private static final Duration BOUND = Duration.ofSeconds(20);

    private void within(Duration bound, Runnable body) {
        long start = clocks().now().mono();
        body.run();
        assertThat(Duration.ofNanos(clocks().now().mono() - start)).isLessThan(bound);
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void timedCallsFailAtTheirLimit() {
        for (boolean hang : List.of(true, false)) {
            FaultyBackend gone = faulty();
            DistributedLock lock = openHastyKeeper(gone).lock(freshName());
            if (hang) {
                gone.network().hang();
            } else {
                gone.network().cut();
            }
            within(BOUND, () -> assertThatThrownBy(lock::tryAcquire).isInstanceOf(StoreUnavailableException.class));
            within(BOUND, () -> assertThatThrownBy(lock::tryLock).isInstanceOf(StoreUnavailableException.class));
            within(
                    BOUND,
                    () -> assertThatThrownBy(() -> lock.tryAcquire(Duration.ofMillis(300)))
                            .isInstanceOf(StoreUnavailableException.class));
            within(
                    BOUND,
                    () -> assertThat(failureOf(lock.tryAcquireAsync())).isInstanceOf(StoreUnavailableException.class));
            within(
                    BOUND,
                    () -> assertThat(failureOf(lock.tryAcquireAsync(Duration.ofMillis(300))))
                            .isInstanceOf(StoreUnavailableException.class));
            gone.network().heal();
            assertFree(lock.name());
        }
    }

    // Whatever was asked when the store was away is undone when it is back.
    private void assertFree(String name) {
        eventually("it is free", () -> {
            try (SingleHold hold = keeper().lock(name).tryAcquire()) {
                return hold != null;
            }
        });
        assertNoTrace(name);
    }

    @Test
    void waitingGoesOnUntilTheStoreIsBack() throws Exception {
        FaultyBackend gone = faulty();
        DistributedLock lock = openKeeper(gone).lock(freshName());
        gone.network().cut();
        Task<ExclusiveHold> acquiring = inThread(lock::acquire);
        CompletableFuture<ExclusiveHold> async = lock.acquireAsync();
        letPass(Duration.ofMillis(1500));
        assertThat(acquiring.isDone()).isFalse();
        assertThat(async).isNotDone();
        gone.network().heal();
        async.thenAccept(ExclusiveHold::close);
        acquiring.get().close();
        get(async);
        assertNoTrace(lock.name());
    }

    @Test
    @AboutTime
    void aWaiterThatLosesTheStoreIsServedWhenItIsBack() throws Exception {
        FaultyBackend gone = faulty();
        DistributedLock lock = openHastyKeeper(gone).lock(freshName());
        ExclusiveHold theirs = take(keeper().lock(lock.name()));
        Task<ExclusiveHold> waiter = inThread(lock::acquire);
        awaitParked(waiter);
        awaitQueued(lock.name(), 1);
        gone.network().hang();
        theirs.close();
        letPass(A_WHILE);
        gone.network().heal();
        waiter.get().close();
        assertNoTrace(lock.name());
    }

    @Test
    void givingUpAfterASilenceAsLongAsWasSaid() {
        FaultyBackend gone = faulty();
        DistributedLock lock = openKeeper(gone).lock(freshName()).giveUpAfter(Duration.ofMillis(400));
        gone.network().cut();
        within(BOUND, () -> assertThatThrownBy(lock::acquire).isInstanceOf(StoreUnavailableException.class));
        within(BOUND, () -> assertThatThrownBy(lock::lock).isInstanceOf(StoreUnavailableException.class));
        within(BOUND, () -> assertThat(failureOf(lock.acquireAsync())).isInstanceOf(StoreUnavailableException.class));
        gone.network().heal();
        assertFree(lock.name());
    }

    @Test
    void givingUpDoesNotLimitTheWaitForAHolder() throws Exception {
        String name = freshName();
        ExclusiveHold theirs = take(otherKeeper().lock(name));
        Task<ExclusiveHold> waiter = inThread(
                () -> keeper().lock(name).giveUpAfter(Duration.ofMillis(200)).acquire());
        letPass(Duration.ofMillis(1600));
        assertThat(waiter.isDone()).isFalse();
        theirs.close();
        waiter.get().close();
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void anInterruptIsHonouredRightAfterTheRequestUnderWay() {
        FaultyBackend gone = faulty();
        DistributedLock lock = openHastyKeeper(gone).lock(freshName());
        gone.network().hang();
        Task<ExclusiveHold> waiter = inThread(lock::acquire);
        eventually("it asks", () -> gone.network().calls(Call.ATTEMPT) > 0);
        waiter.interrupt();
        assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
        gone.network().heal();
        assertFree(lock.name());
    }

    // D4, D5: the reply to an acquire that was executed is lost. It is resolved, counted once, and released once.
    @Test
    void aLostReplyToAnAcquireIsCountedOnce() throws Exception {
        FaultyBackend lossy = faulty();
        Lockkeeper mine = openKeeper(lossy);
        for (int i = 0; i < 5; i++) {
            DistributedLock lock = mine.lock(freshName());
            lossy.network().failAfter(Call.ATTEMPT, 1);
            try (ExclusiveHold hold = lock.acquire()) {
                assertThat(hold.state()).isEqualTo(HoldState.HELD);
                assertThat(stateOf(lock.name()).grants()).hasSize(1);
                taken(otherKeeper().lock(lock.name()));
            }
            assertNoTrace(lock.name());
            lossy.network().failAfter(Call.ATTEMPT, 1);
            lock.lock();
            assertThat(lock.holdCount()).isEqualTo(1);
            lock.unlock();
            assertNoTrace(lock.name());
        }
    }

    @Test
    void aTryWhoseReplyIsLostLeavesNoOrphan() {
        FaultyBackend lossy = faulty();
        Lockkeeper mine = openKeeper(lossy);
        for (int i = 0; i < 5; i++) {
            DistributedLock lock = mine.lock(freshName());
            lossy.network().failAfter(Call.ATTEMPT, 1);
            assertThatThrownBy(lock::tryAcquire).isInstanceOf(StoreUnavailableException.class);
            assertFree(lock.name());
        }
    }

    @Test
    @AboutTime
    void anAcquireThatIsExecutedLateGrantsNothingToNobody() {
        FaultyBackend slow = faulty();
        DistributedLock lock = openHastyKeeper(slow).lock(freshName());
        slow.network().hang(Call.ATTEMPT);
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(StoreUnavailableException.class);
        letPass(A_WHILE);
        slow.network().heal();
        assertFree(lock.name());
    }

    @Test
    void aReleaseWithoutAnswerIsUnknownAndSettledInTheBackground() {
        for (boolean executed : List.of(true, false)) {
            FaultyBackend lossy = faulty();
            ExclusiveHold hold = take(openKeeper(lossy).lock(freshName()));
            if (executed) {
                lossy.network().failAfter(Call.RELEASE, 1000);
            } else {
                lossy.network().cut(Call.RELEASE);
            }
            within(BOUND, () -> assertThat(hold.release()).isEqualTo(ReleaseOutcome.UNKNOWN));
            assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
            assertThat(hold.release()).isEqualTo(ReleaseOutcome.UNKNOWN);
            lossy.network().heal();
            assertNoTrace(hold.name());
            take(otherKeeper().lock(hold.name())).close();
        }
    }

    @Test
    @AboutTime
    void aReleaseThatIsExecutedLateHarmsNobody() throws Exception {
        Duration lease = lease();
        FaultyBackend slow = faulty();
        Lockkeeper mine = openHastyKeeper(slow);
        ExclusiveHold hold = take(mine.lock(freshName()).withFixedLease(lease));
        slow.network().hang(Call.RELEASE);
        assertThat(hold.release()).isEqualTo(ReleaseOutcome.UNKNOWN);
        Task<ExclusiveHold> next = inThread(() -> keeper().lock(hold.name()).acquire());
        letPass(lease);
        slow.network().heal();
        try (ExclusiveHold theirs = next.get()) {
            letPass(A_WHILE);
            assertThat(theirs.state()).isEqualTo(HoldState.HELD);
            taken(openKeeper().lock(hold.name()));
        }
    }

    @Test
    @AboutTime
    void lostRenewalRepliesDoNotLoseTheHold() throws Exception {
        Duration lease = lease();
        FaultyBackend lossy = faulty();
        ExclusiveHold hold = take(openKeeper(lossy).lock(freshName()).withLease(lease));
        lossy.network().failAfter(Call.RENEW, 1);
        letPass(lease.multipliedBy(2));
        assertKept(hold);
        assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void askingAStoreThatIsAwaySaysSo() {
        FaultyBackend gone = faulty();
        Lockkeeper mine = openKeeper(gone);
        gone.network().cut();
        assertThatThrownBy(() -> mine.inspect(freshName())).isInstanceOf(StoreUnavailableException.class);
        if (can(Capability.HOLDERS)) {
            assertThatThrownBy(() -> mine.list("")).isInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void closingWhileTheStoreIsAwayEnds() {
        FaultyBackend gone = faulty();
        Lockkeeper mine = openHastyKeeper(gone);
        ExclusiveHold hold = take(mine.lock(freshName()));
        gone.network().hang();
        within(BOUND, mine::close);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        gone.network().heal();
    }

    // Whichever request of a working day fails, before or after it was executed, the day ends with an exact count and
    // nothing held.
    @Test
    void theStoreMayGoAwayBetweenAnyTwoCalls() throws Exception {
        for (Call kind : List.of(Call.ATTEMPT, Call.RELEASE, Call.RENEW)) {
            for (boolean executed : List.of(true, false)) {
                FaultyBackend lossy = faulty();
                Lockkeeper mine = openKeeper(lossy);
                DistributedLock lock = mine.lock(freshName());
                AtomicInteger inside = new AtomicInteger();
                for (int i = 0; i < 6; i++) {
                    Task<ExclusiveHold> theirs =
                            inThread(() -> otherKeeper().lock(lock.name()).acquire());
                    theirs.get().close();
                    if (executed) {
                        lossy.network().failAfter(kind, 1);
                    } else {
                        lossy.network().failBefore(kind, 1);
                    }
                    lock.run(hold -> inside.incrementAndGet());
                }
                assertThat(inside).hasValue(6);
                assertNoTrace(lock.name());
            }
        }
    }
}
