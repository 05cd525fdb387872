package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.LockLostException;
import io.lockkeeper.OwnedLock;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Fault;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * An owner by {@code lock()} that lost its hold: it never nests in what was lost, it may lock again at once whether it
 * unlocked or not, and the unlock that still comes says that the hold was lost and touches no later hold.
 */
@SuppressWarnings("LockNotBeforeTry")
public abstract class LostOwnerContract extends ContractTest {
    /** Locks, loses, and knows it; nothing was unlocked. */
    private long loseHold(OwnedLock<? extends SingleHold, ?> losable) {
        losable.lock();
        SingleHold hold = losable.currentHold();
        lose(losable.name());
        eventually("the loss is known", () -> hold.state() == HoldState.LOST);
        return hold.token();
    }

    private static void relock(OwnedLock<?, ?> lock) throws InterruptedException {
        assertThat(lock.tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private static void assertLost(OwnedLock<?, ?> lock) {
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
    }

    private static void assertNeverHeld(OwnedLock<?, ?> lock) {
        assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);
    }

    /** The guard that everybody writes: after a loss it says false, so unlock() never comes. */
    private static void unlockIfHeld(DistributedLock lock) {
        if (lock.isHeldByCurrentThread()) {
            lock.unlock();
        }
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aThreadThatSkippedTheUnlockOfALostHoldLocksAgain() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        long lost = 0;
        for (int round = 0; round < 2; round++) {
            lost = loseHold(losable(lock));
            unlockIfHeld(lock);
        }
        lock.lock();
        assertThat(lock.currentHold().token()).isGreaterThan(lost);
        assertThat(lock.holdCount()).isEqualTo(1);
        taken(otherKeeper().lock(lock.name()));
        unlockIfHeld(lock);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertNoTrace(lock.name());
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void everyWayToAskAcquiresAfreshAfterALoss() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        long lost = loseHold(losable(lock));
        eventually("it can be had again", lock::tryLock);
        assertThat(lock.currentHold().token()).isGreaterThan(lost);
        lock.unlock();
        lost = loseHold(losable(lock));
        lock.lockInterruptibly();
        assertThat(lock.currentHold().token()).isGreaterThan(lost);
        lock.unlock();
        loseHold(losable(lock));
        try (ExclusiveHold byHandle = take(lock)) {
            assertThat(byHandle.state()).isEqualTo(HoldState.HELD);
        }
        loseHold(losable(lock));
        get(lock.acquireAsync()).close();
        assertNoTrace(lock.name());
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void whileAnotherHasItTryLockSaysFalseAfterALoss() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        loseHold(losable(lock));
        ExclusiveHold others = otherKeeper().lock(lock.name()).acquire();
        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.tryLock(20, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(others.state()).isEqualTo(HoldState.HELD);
        others.close();
        assertLost(lock);
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void theUnlockOfALostHoldTouchesNoLaterOne() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        loseHold(losable(lock));
        // As if inner code on the same thread locked and unlocked, and then the outer code unlocks.
        relock(lock);
        lock.lock();
        ExclusiveHold inner = lock.currentHold();
        lock.unlock();
        assertThat(inner.state()).isEqualTo(HoldState.HELD);
        lock.unlock();
        assertThat(inner.state()).isEqualTo(HoldState.RELEASED);
        assertLost(lock);
        assertNeverHeld(lock);
        assertNoTrace(lock.name());
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aNamedOwnerLocksAgainAndItsThreadsAreToldApart() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        DistributedLock owned = lock.ownedBy("request 9");
        loseHold(losable(lock).ownedBy("request 9"));
        CurrentHold next = inThread(() -> {
                    relock(owned);
                    return new CurrentHold(owned.currentHold());
                })
                .get();
        assertLost(owned);
        assertThat(next.hold().state())
                .as("the hold that another thread of the owner took")
                .isEqualTo(HoldState.HELD);
        owned.unlock();
        assertThat(next.hold().state()).isEqualTo(HoldState.RELEASED);
        assertNeverHeld(owned);
    }

    private record CurrentHold(ExclusiveHold hold) {}

    @TestIfOffered(Capability.SHARED)
    @AboutTime
    @DecidedByKeeper
    void aReaderThatLostMayWrite() throws Exception {
        DistributedReadWriteLock lock = keeper().readWriteLock(freshName());
        loseHold(
                can(Fault.LOSE_GRANTS)
                        ? lock.readLock().withLease(lease())
                        : lock.readLock().withFixedLease(lease()));
        assertThat(lock.readLock().holdCount()).isZero();
        relock(lock.writeLock());
        lock.writeLock().unlock();
        assertLost(lock.readLock());
        assertNeverHeld(lock.readLock());
        relock(lock.readLock());
        lock.readLock().unlock();
    }

    @Test
    void tryLockSaysFalseWhereWaitingCouldNotHelp() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        String free = freshName();
        lock.lock();
        assertThat(lock.tryAcquire()).isNull();
        assertThat(lock.tryAcquire(PATIENCE.multipliedBy(100))).isNull();
        assertThat(get(lock.tryAcquireAsync())).isNull();
        assertThat(keeper().multiLock(free, lock.name()).tryAcquire()).isNull();
        assertThat(keeper().multiLock(free, lock.name()).tryAcquire(PATIENCE.multipliedBy(100)))
                .isNull();
        assertThat(lock.holdCount()).isEqualTo(1);
        lock.unlock();
        assertNoTrace(lock.name());
        assertNoTrace(free);
    }

    @Test
    void aNegativeWaitAsksOnce() throws Exception {
        Duration past = Duration.ofSeconds(-5);
        String name = freshName();
        held(keeper().lock(name).tryAcquire(past)).close();
        held(get(keeper().lock(name).tryAcquireAsync(past))).close();
        held(keeper().multiLock(name, freshName()).tryAcquire(past)).close();
        held(keeper().segmentedLock(name, 2).tryAcquire(past)).close();
        held(get(keeper().segmentedLock(name, 2).tryAcquireAsync(past))).close();
        if (can(Capability.PERMITS)) {
            held(keeper().semaphore(name, 2).tryAcquire(past)).close();
        }
        if (can(Capability.LATCH)) {
            assertThat(keeper().latch(name).trySetCount(1)).isTrue();
            assertThat(keeper().latch(name).await(past)).isFalse();
            keeper().latch(name).delete();
        }
        whileHeldElsewhere(name, theirs -> taken(keeper().lock(name)));
    }

    @TestIfOffered(Capability.SHARED)
    void askingToWriteWhileReadingSaysFalse() throws Exception {
        DistributedReadWriteLock lock = keeper().readWriteLock(freshName());
        lock.readLock().lock();
        assertThat(lock.writeLock().tryLock()).isFalse();
        assertThat(lock.writeLock().tryLock(1, TimeUnit.DAYS)).isFalse();
        assertThat(lock.writeLock().tryAcquire()).isNull();
        assertThat(lock.writeLock().tryAcquire(PATIENCE.multipliedBy(100))).isNull();
        assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
        lock.readLock().unlock();
        relock(lock.writeLock());
        lock.writeLock().unlock();
    }
}
