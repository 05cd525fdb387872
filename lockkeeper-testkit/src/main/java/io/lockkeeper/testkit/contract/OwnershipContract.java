package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who owns a lock: a thread or a named owner by {@code lock()}, which nests; or a handle, which never does. */
@SuppressWarnings("LockNotBeforeTry")
public abstract class OwnershipContract extends ContractTest {

    @Test
    void lockNestsWithoutAskingTheStore() throws Exception {
        FaultyBackend counted = faulty();
        DistributedLock lock = openKeeper(counted).lock(freshName());
        lock.lock();
        long token = lock.currentHold().token();
        // Renewals are left out: a keeper that begins to hear signals confirms what it holds.
        long calls = counted.network().calls(Call.ATTEMPT, Call.RELEASE, Call.EXCHANGE);
        lock.lock();
        lock.lockInterruptibly();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(lock.holdCount()).isEqualTo(5);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(lock.currentHold().token()).isEqualTo(token);
        for (int i = 0; i < 4; i++) {
            lock.unlock();
        }
        assertThat(counted.network().calls(Call.ATTEMPT, Call.RELEASE, Call.EXCHANGE))
                .as("requests to the store")
                .isEqualTo(calls);
        taken(otherKeeper().lock(lock.name()));
        lock.unlock();
        assertThat(lock.holdCount()).isZero();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertNoTrace(lock.name());
    }

    @Test
    void allLockObjectsAndViewsShareWhatIsHeld() {
        String name = freshName();
        keeper().lock(name).lock();
        DistributedLock view = keeper().lock(name).withLease(Duration.ofSeconds(5));
        assertThat(view.holdCount()).isEqualTo(1);
        assertThat(view.isHeldByCurrentThread()).isTrue();
        view.lock();
        assertThat(keeper().lock(name).holdCount()).isEqualTo(2);
        keeper().lock(name).unlock();
        view.unlock();
        assertNoTrace(name);
    }

    @Test
    void anotherThreadDoesNotNest() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        lock.lock();
        assertThat(inThread(lock::tryLock).get()).isFalse();
        assertThat(inThread(() -> lock.tryLock(20, TimeUnit.MILLISECONDS)).get())
                .isFalse();
        assertThat(inThread(lock::holdCount).get()).isZero();
        assertThat(inThread(lock::isHeldByCurrentThread).get()).isFalse();
        lock.unlock();
    }

    @Test
    void handlesNeverNest() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        try (SingleHold hold = lock.acquire()) {
            taken(lock);
            assertThat(lock.tryAcquire(Duration.ofMillis(30))).isNull();
            assertThat(get(lock.tryAcquireAsync())).isNull();
            assertThat(lock.tryLock()).isFalse();
            assertThat(lock.tryLock(30, TimeUnit.MILLISECONDS)).isFalse();
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            assertThat(lock.holdCount()).isZero();
        }
        assertNoTrace(lock.name());
    }

    @Test
    void aThreadThatAcquiresTwiceWaitsForItself() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        CompletableFuture<ExclusiveHold> first = new CompletableFuture<>();
        Task<ExclusiveHold> thread = inThread(() -> {
            first.complete(lock.acquire());
            return lock.acquire();
        });
        ExclusiveHold held = get(first);
        awaitParked(thread);
        assertThat(thread.isDone()).isFalse();
        held.close();
        ExclusiveHold second = thread.get();
        assertThat(second.token()).isGreaterThan(held.token());
        second.close();
    }

    @Test
    void acquiringWhatTheThreadHasByLockFailsAtOnce() {
        DistributedLock lock = keeper().lock(freshName());
        lock.lock();
        assertThatThrownBy(lock::acquire).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> lock.run(hold -> {})).isInstanceOf(IllegalStateException.class);
        assertThat(lock.currentHold().state()).isEqualTo(HoldState.HELD);
        lock.unlock();
        assertNoTrace(lock.name());
    }

    // D17: two asynchronous tasks that share a thread do not both hold.
    @Test
    void twoAsynchronousTasksOnOneThreadDoNotBothHold() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        ExecutorService loop = Executors.newSingleThreadExecutor();
        closing(loop::shutdownNow);
        CompletableFuture<ExclusiveHold> first = get(CompletableFuture.supplyAsync(lock::acquireAsync, loop));
        ExclusiveHold held = get(first);
        CompletableFuture<ExclusiveHold> second = get(CompletableFuture.supplyAsync(lock::acquireAsync, loop));
        letPass(A_WHILE);
        assertThat(second).isNotDone();
        held.close();
        get(second).close();
    }

    @Test
    void aNamedOwnerNestsOnWhateverThread() throws Exception {
        String name = freshName();
        DistributedLock request7 = keeper().lock(name).ownedBy("request 7");
        request7.lock();
        assertThat(inThread(request7::tryLock).get()).isTrue();
        assertThat(inThread(request7::holdCount).get()).isEqualTo(2);
        assertThat(inThread(() -> keeper().lock(name).ownedBy("request 7").isHeldByCurrentThread())
                        .get())
                .isTrue();
        assertThat(inThread(() -> request7.currentHold().token()).get())
                .isEqualTo(request7.currentHold().token());
        DistributedLock request8 = keeper().lock(name).ownedBy("request 8");
        assertThat(request8.tryLock()).isFalse();
        assertThat(request8.holdCount()).isZero();
        assertThat(keeper().lock(name).holdCount()).as("of the thread itself").isZero();
        assertThatThrownBy(request8::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(() -> keeper().lock(name).unlock()).isInstanceOf(IllegalMonitorStateException.class);
        inThread(() -> {
                    request7.unlock();
                    return 0;
                })
                .get();
        request7.unlock();
        assertNoTrace(name);
    }

    @Test
    void theSameOwnerInAnotherKeeperIsSomebodyElse() {
        String name = freshName();
        keeper().lock(name).ownedBy("me").lock();
        assertThat(otherKeeper().lock(name).ownedBy("me").tryLock()).isFalse();
        keeper().lock(name).ownedBy("me").unlock();
    }

    @Test
    void whoHoldsNothingHasNoCurrentHold() {
        DistributedLock lock = keeper().lock(freshName());
        assertThatThrownBy(lock::currentHold).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(lock.holdCount()).isZero();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    @Test
    void lockIsDeafToInterruptsAndKeepsTheFlag() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        ExclusiveHold first = take(otherKeeper().lock(lock.name()));
        Task<Boolean> waiter = inThread(() -> {
            lock.lock();
            boolean flag = Thread.currentThread().isInterrupted();
            lock.unlock();
            return flag;
        });
        awaitParked(waiter);
        waiter.interrupt();
        letPass(Duration.ofMillis(50));
        waiter.interrupt();
        letPass(Duration.ofMillis(50));
        assertThat(waiter.isDone()).isFalse();
        first.close();
        assertThat(waiter.get()).as("the flag").isTrue();
        assertNoTrace(lock.name());
    }

    @Test
    void aTimedTryLockWaitsAndGivesUp() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        try (SingleHold theirs = take(otherKeeper().lock(lock.name()))) {
            assertThat(lock.tryLock(30, TimeUnit.MILLISECONDS)).isFalse();
        }
        assertThat(lock.tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        lock.unlock();
        assertNoTrace(lock.name());
    }

    @Test
    void thereAreNoConditions() {
        assertThatThrownBy(() -> keeper().lock(freshName()).newCondition())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("latch");
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void whatADeadThreadOwnedIsNotRenewedForever() throws Exception {
        Lockkeeper mine = openKeeper();
        DistributedLock lock = mine.lock(freshName()).withLease(lease());
        Task<Integer> owner = inThread(() -> {
            lock.lock();
            return lock.holdCount();
        });
        assertThat(owner.get()).isEqualTo(1);
        owner.thread().join(10_000);
        if (!can(Capability.EXPIRES)) {
            mine.close();
        }
        held(otherKeeper().lock(lock.name()).tryAcquire(PATIENCE)).close();
    }
}
