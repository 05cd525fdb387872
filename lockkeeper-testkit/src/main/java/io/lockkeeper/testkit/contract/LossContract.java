package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.Registration;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.Fault;
import io.lockkeeper.testkit.FaultyBackend;
import io.lockkeeper.testkit.ManualClocks;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Word of a loss: it comes, it is final, and nothing is done in the name of what was lost. */
@SuppressWarnings("LockNotBeforeTry")
public abstract class LossContract extends ContractTest {

    // D6: a holder whose grant is gone from the store is told, in each way it may ask.
    @Test
    @AboutTime
    void aHolderLearnsThatItsGrantIsGone() throws Exception {
        String name = freshName();
        ExclusiveHold hold = take(losable(keeper().lock(name)));
        CompletableFuture<Loss> told = new CompletableFuture<>();
        hold.onLost(told::complete);
        CompletableFuture<Loss> lost = hold.lost();
        lose(name);
        Loss loss = get(told);
        assertThat(get(lost)).isEqualTo(loss);
        assertThat(loss.reason()).isIn(Loss.Reason.TAKEN, Loss.Reason.EXPIRED, Loss.Reason.SESSION_ENDED);
        assertThat(loss.token()).isEqualTo(hold.token());
        assertThat(loss.holdId()).isEqualTo(hold.id());
        assertThat(loss.resource()).isEqualTo(lockNamed(name));
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(hold.remaining()).isZero();
        assertThatThrownBy(hold::ensureHeld)
                .isInstanceOfSatisfying(
                        LockLostException.class, e -> assertThat(e.loss()).isEqualTo(loss));
        assertThat(hold.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
        hold.close();
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
    }

    // A record that was deleted, flushed or evicted is no lease that ended.
    @Test
    @AboutTime
    void whatTheStoreForgotWhileItsLeaseRanIsTakenAndNotExpired() throws Exception {
        String name = freshName();
        if (!can(Fault.LOSE_GRANTS)) {
            ExclusiveHold hold = take(losable(keeper().lock(name)));
            assertThat(get(hold.lost()).reason()).isEqualTo(Loss.Reason.EXPIRED);
            return;
        }
        // It is found out after a third of the lease, so two thirds are left for a machine that is slow.
        ExclusiveHold hold = take(keeper().lock(name).withLease(lease().multipliedBy(3)));
        lose(name);
        assertThat(get(hold.lost()).reason()).isEqualTo(Loss.Reason.TAKEN);
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aLateListenerIsToldAtOnce() throws Exception {
        ExclusiveHold hold = lostHold(keeper().lock(freshName()));
        CompletableFuture<Loss> told = new CompletableFuture<>();
        hold.onLost(told::complete);
        assertThat(get(told).token()).isEqualTo(hold.token());
        assertThat(get(hold.lost()).token()).isEqualTo(hold.token());
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aListenerThatThrowsOrBlocksHarmsNobody() throws Exception {
        Duration lease = lease();
        CountDownLatch end = new CountDownLatch(1);
        try {
            ExclusiveHold unlucky = take(losable(keeper().lock(freshName())));
            ExclusiveHold bystander = take(keeper().lock(freshName()).withLease(lease));
            CompletableFuture<Loss> told = new CompletableFuture<>();
            unlucky.onLost(loss -> {
                throw new IllegalStateException("thrown by the test's listener");
            });
            for (int i = 0; i < 5; i++) {
                unlucky.onLost(loss -> {
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
            }
            unlucky.onLost(told::complete);
            lose(unlucky.name());
            get(told);
            letPass(lease.multipliedBy(3).dividedBy(2));
            assertKept(bystander);
            bystander.close();
            ExclusiveHold another = lostHold(keeper().lock(freshName()));
            assertThat(get(another.lost())).isNotNull();
        } finally {
            end.countDown();
        }
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void listenersAreNeverCalledAfterAProperRelease() throws Exception {
        Duration lease = lease();
        List<Loss> losses = new CopyOnWriteArrayList<>();
        ExclusiveHold hold = take(keeper().lock(freshName()).withFixedLease(lease));
        hold.onLost(losses::add);
        CompletableFuture<Loss> lost = hold.lost();
        hold.release();
        hold.onLost(losses::add);
        letPass(lease.plus(A_WHILE));
        assertThat(losses).isEmpty();
        assertThat(lost).isNotDone();
        assertThat(hold.lost()).isNotDone();
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aRemovedListenerIsNotCalled() throws Exception {
        Duration lease = lease();
        List<Loss> losses = new CopyOnWriteArrayList<>();
        ExclusiveHold hold = take(losable(keeper().lock(freshName()), lease));
        Registration registration = hold.onLost(losses::add);
        CompletableFuture<Loss> told = new CompletableFuture<>();
        hold.onLost(told::complete);
        registration.close();
        registration.close();
        lose(hold.name());
        get(told);
        assertThat(losses).isEmpty();
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void completingAFutureFromOutsideHarmsNobody() throws Exception {
        ExclusiveHold hold = take(losable(keeper().lock(freshName())));
        CompletableFuture<Loss> mine = hold.lost();
        mine.cancel(true);
        hold.lost().completeExceptionally(new IllegalStateException("by the test"));
        CompletableFuture<Loss> other = hold.lost();
        lose(hold.name());
        assertThat(get(other).token()).isEqualTo(hold.token());
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void unlockingWhatWasLostSaysSo() throws Exception {
        Duration lease = lease();
        DistributedLock lock = keeper().lock(freshName());
        losable(lock, lease).lock();
        SingleHold hold = lock.currentHold();
        lose(lock.name());
        eventually("the loss is known", () -> hold.state() == HoldState.LOST);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.holdCount()).isZero();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        lock.lock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
    }

    // Curator says yes to a nested acquire after its session died (pain 2).
    @Test
    @AboutTime
    @DecidedByKeeper
    void nestingNeverSaysYesAfterALoss() throws Exception {
        nestingAfterALoss(lease());
    }

    private void nestingAfterALoss(Duration lease) {
        DistributedLock lock = keeper().lock(freshName());
        losable(lock, lease).lock();
        lock.lock();
        SingleHold hold = lock.currentHold();
        lose(lock.name());
        eventually("the loss is known", () -> hold.state() == HoldState.LOST);
        assertThat(lock.holdCount()).isZero();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        if (can(Fault.LOSE_GRANTS) && can(Capability.QUEUE)) {
            assertThat(lock.tryLock()).isTrue();
        } else {
            // Lost by its own deadline, which is a margin before the end of the store's lease; or a quorum, in which a
            // single member that is slow may be one too many.
            eventually("it can be had again", lock::tryLock);
        }
        lock.unlock();
    }

    // Pain 19: closing never hides what the body threw.
    @Test
    @AboutTime
    @DecidedByKeeper
    void closingAfterALossDoesNotMaskTheBodysException() {
        DistributedLock lock = losable(keeper().lock(freshName()));
        assertThatThrownBy(() -> lock.run(hold -> {
                    lose(hold.name());
                    eventually("the loss is known", () -> hold.state() == HoldState.LOST);
                    throw new IOException("the body's own");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("the body's own");
    }

    @Test
    @AboutTime
    void whatWasLostIsForTheNextToTake() throws Exception {
        ExclusiveHold lost = lostHold(keeper().lock(freshName()));
        try (ExclusiveHold next = otherKeeper().lock(lost.name()).acquire()) {
            assertThat(next.token()).isGreaterThan(lost.token());
            assertThat(lost.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
            assertThat(next.state()).isEqualTo(HoldState.HELD);
            taken(keeper().lock(lost.name()));
        }
    }

    @Test
    @AboutTime
    void silenceMakesAHoldUncertainThenLostAndNothingBringsItBack() throws Exception {
        FaultyBackend silent = faulty();
        CompletableFuture<Long> doubted = new CompletableFuture<>();
        Lockkeeper mine = openKeeper(
                silent,
                settings -> settings.commandTimeout(HASTY).listener(new KeeperListener() {
                    @Override
                    public void uncertain(KeeperEvent.Uncertain event) {
                        doubted.complete(event.token());
                    }
                }));
        ExclusiveHold hold = take(mine.lock(freshName()).withLease(lease()));
        silent.network().hang();
        if (!can(Capability.EXPIRES)) {
            letPass(lease().multipliedBy(3).dividedBy(2));
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            silent.network().heal();
            assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
            return;
        }
        // On a machine that stalls, the deadline may come before the failure of the renewal is heard of.
        get(CompletableFuture.anyOf(doubted, hold.lost()));
        assertThat(hold.state()).isIn(HoldState.UNCERTAIN, HoldState.LOST);
        assertExcludesOthers(hold);
        assertThat(get(hold.lost()).reason()).isEqualTo(Loss.Reason.EXPIRED);
        silent.network().heal();
        letPass(lease());
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        otherKeeper().lock(hold.name()).acquire().close();
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void anUncertainHoldThatIsRenewedInTimeIsHeldAgain() throws Exception {
        Duration lease = lease();
        FaultyBackend silent = faulty();
        Lockkeeper mine = openKeeper(silent);
        ExclusiveHold hold = take(mine.lock(freshName()).withLease(lease.multipliedBy(3)));
        silent.network().cut(Call.RENEW);
        if (can(Capability.EXPIRES)) {
            eventually("a missed renewal makes it uncertain", () -> hold.state() == HoldState.UNCERTAIN);
            silent.network().heal();
            eventually("it is held again", () -> hold.state() != HoldState.UNCERTAIN);
        } else {
            letPass(A_WHILE);
            silent.network().heal();
        }
        assertKept(hold);
        assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    // The monotonic clock stands still while a machine is suspended, the wall clock may be set back: the later one
    // counts.
    @Test
    void aSuspendedMachineKnowsOfItsLossWhenItWakes() throws Exception {
        ManualClocks clocks = new ManualClocks();
        Lockkeeper mine = openKeeper(settings -> settings.clocks(clocks));
        ExclusiveHold hold = take(mine.lock(freshName()).withFixedLease(Duration.ofSeconds(50)));
        clocks.advance(Duration.ofSeconds(25));
        clocks.stepWall(Duration.ofHours(-3));
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        clocks.stepWall(Duration.ofHours(3));
        clocks.suspend(Duration.ofSeconds(30));
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThatThrownBy(hold::ensureHeld).isInstanceOf(LockLostException.class);
        clocks.stepWall(Duration.ofHours(-1));
        assertThat(hold.state()).as("nothing resurrects it").isEqualTo(HoldState.LOST);
    }

    // D1 to D3: one lock's trouble is not another's.
    @Test
    @AboutTime
    void oneLostGrantDoesNotHarmTheOthers() throws Exception {
        Duration lease = lease();
        List<ExclusiveHold> holds = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 40; i++) {
            holds.add(take(keeper().lock(freshName()).withLease(lease)));
        }
        ExclusiveHold unlucky = lostHold(keeper().lock(freshName()));
        assertThat(unlucky.state()).isEqualTo(HoldState.LOST);
        letPass(lease);
        for (ExclusiveHold hold : holds) {
            assertKept(hold);
            assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }
}
