package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SharedLock;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Locks that a named owner has without a thread: re-entrant, asynchronous. */
public abstract class AsyncOwnerContract extends PrimitiveContract {
    @Override
    protected Object make(Lockkeeper keeper, String name) {
        return keeper.lock(name);
    }

    @Test
    void aNamedOwnerNestsWithoutAThreadAndWithoutARequest() throws Exception {
        FaultyBackend counted = faulty();
        String name = freshName();
        DistributedLock lock = openKeeper(counted).lock(name).ownedBy("request 7");
        get(lock.lockAsync());
        long token = lock.currentHold().token();
        // Renewals are left out: a keeper that begins to hear signals confirms what it holds.
        long calls = counted.network().calls(Call.ATTEMPT, Call.RELEASE, Call.EXCHANGE);
        get(lock.lockAsync());
        assertThat(this.<Boolean>get(lock.tryLockAsync())).isTrue();
        assertThat(this.<Boolean>get(lock.tryLockAsync(Duration.ofSeconds(1)))).isTrue();
        assertThat(lock.tryLock()).as("by a thread of the same owner").isTrue();
        assertThat(lock.holdCount()).isEqualTo(5);
        assertThat(lock.currentHold().token()).isEqualTo(token);
        lock.unlock();
        for (int i = 0; i < 3; i++) {
            get(lock.unlockAsync());
        }
        assertThat(counted.network().calls(Call.ATTEMPT, Call.RELEASE, Call.EXCHANGE))
                .as("requests to the store")
                .isEqualTo(calls);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        taken(otherKeeper().lock(name));
        get(lock.unlockAsync());
        assertThat(lock.holdCount()).isZero();
        free(otherKeeper().lock(name));
        assertThat(failureOf(lock.unlockAsync()))
                .isInstanceOf(IllegalMonitorStateException.class)
                .isNotInstanceOf(LockLostException.class);
    }

    @Test
    void anotherOwnerWaitsAndGivesUp() throws Exception {
        String name = freshName();
        DistributedLock mine = keeper().lock(name).ownedBy("mine");
        DistributedLock yours = keeper().lock(name).ownedBy("yours");
        DistributedLock theirs = otherKeeper().lock(name).ownedBy("mine");
        get(mine.lockAsync());
        assertThat(this.<Boolean>get(yours.tryLockAsync())).isFalse();
        assertThat(this.<Boolean>get(theirs.tryLockAsync())).isFalse();
        assertThat(this.<Boolean>get(yours.tryLockAsync(Duration.ofMillis(50)))).isFalse();
        CompletableFuture<?> waiting = theirs.lockAsync();
        assertThat(waiting).isNotDone();
        get(mine.unlockAsync());
        get(waiting);
        assertThat(theirs.holdCount()).isEqualTo(1);
        get(theirs.unlockAsync());
        free(keeper().lock(name));
    }

    @Test
    void severalWaitsOfOneOwnerNestWhenOneOfThemIsServed() throws Exception {
        String name = freshName();
        ExclusiveHold held = take(otherKeeper().lock(name));
        DistributedLock lock = keeper().lock(name).ownedBy("request 7");
        List<CompletableFuture<?>> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiting.add(lock.lockAsync());
        }
        Task<Integer> thread = inThread(() -> {
            lock.lock();
            return lock.holdCount();
        });
        held.close();
        for (CompletableFuture<?> one : waiting) {
            get(one);
        }
        thread.get();
        assertThat(lock.holdCount()).isEqualTo(5);
        for (int i = 0; i < 5; i++) {
            taken(otherKeeper().lock(name));
            get(lock.unlockAsync());
        }
        soonFree(otherKeeper().lock(name));
    }

    @Test
    void aCancelledWaitLeavesNothingBehind() throws Exception {
        String name = freshName();
        DistributedLock lock = keeper().lock(name).ownedBy("request 7");
        for (int round = 0; round < 20; round++) {
            ExclusiveHold held = take(otherKeeper().lock(name));
            CompletableFuture<?> cancelled = lock.lockAsync();
            CompletableFuture<?> other = lock.lockAsync();
            held.close();
            boolean was = cancelled.cancel(false);
            get(other);
            eventually("only the other has it", () -> lock.holdCount() == (was ? 1 : 2));
            get(lock.unlockAsync());
            if (!was) {
                get(lock.unlockAsync());
            }
            soonFree(otherKeeper().lock(name));
        }
        ExclusiveHold held = take(otherKeeper().lock(name));
        CompletableFuture<?> alone = lock.lockAsync();
        alone.cancel(false);
        held.close();
        soonFree(otherKeeper().lock(name));
        assertThat(lock.holdCount()).isZero();
    }

    @Test
    void threadsCannotOwnWithoutThemselves() {
        DistributedLock lock = keeper().lock(freshName());
        assertThatThrownBy(lock::lockAsync)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ownedBy");
        assertThatThrownBy(lock::tryLockAsync).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> lock.tryLockAsync(Duration.ZERO)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lock::unlockAsync).isInstanceOf(IllegalStateException.class);
    }

    @TestIfOffered(Capability.FORCE_RELEASE)
    void aLossIsToldByTheUnlockAndTheOwnerMayLockAfresh() throws Exception {
        String name = freshName();
        DistributedLock lock = keeper().lock(name).ownedBy("request 7");
        get(lock.lockAsync());
        get(lock.lockAsync());
        long token = lock.currentHold().token();
        assertThat(otherKeeper().forceRelease(name)).isTrue();
        eventually("it is lost", () -> lock.holdCount() == 0);
        get(lock.lockAsync());
        assertThat(lock.currentHold().token()).isGreaterThan(token);
        get(lock.unlockAsync());
        for (int i = 0; i < 2; i++) {
            assertThat(failureOf(lock.unlockAsync())).isInstanceOf(LockLostException.class);
        }
        assertThat(failureOf(lock.unlockAsync())).isNotInstanceOf(LockLostException.class);
        free(otherKeeper().lock(name));
    }

    @TestIfOffered(Capability.SHARED)
    void anOwnerThatReadsCannotWriteAndAWriterMayReadOn() throws Exception {
        String name = freshName();
        DistributedReadWriteLock both = keeper().readWriteLock(name);
        SharedLock reading = both.readLock().ownedBy("request 7");
        DistributedLock writing = both.writeLock().ownedBy("request 7");
        get(reading.lockAsync());
        assertThat(failureOf(writing.lockAsync())).isInstanceOf(IllegalStateException.class);
        assertThat(this.<Boolean>get(writing.tryLockAsync())).isFalse();
        assertThat(this.<Boolean>get(writing.tryLockAsync(Duration.ofSeconds(5))))
                .isFalse();
        get(reading.unlockAsync());
        get(writing.lockAsync());
        get(reading.lockAsync());
        get(writing.unlockAsync());
        assertThat(reading.holdCount()).isEqualTo(1);
        assertThat(writing.holdCount()).isZero();
        taken(otherKeeper().readWriteLock(name).writeLock());
        held(otherKeeper().readWriteLock(name).readLock().tryAcquire(PATIENCE)).close();
        get(reading.unlockAsync());
        soonFree(otherKeeper().readWriteLock(name).writeLock());
    }
}
