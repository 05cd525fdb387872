package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MultiHold;
import io.lockkeeper.MultiLock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Several locks as one {@link java.util.concurrent.locks.Lock}: owned by the thread, re-entrant, all or none. */
@SuppressWarnings("LockNotBeforeTry") // What happens between lock and unlock is the matter here.
public abstract class MultiLockOwnershipContract extends MultiLockCases {

    @Test
    void aThreadLocksAllOfThemAndUnlocksAllOfThem() throws Exception {
        String[] names = names(3);
        MultiLock lock = keeper().multiLock(names);
        lock.lock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(lock.holdCount()).isEqualTo(1);
        for (String name : names) {
            assertThat(keeper().lock(name).isHeldByCurrentThread()).isTrue();
            taken(otherKeeper().lock(name));
        }
        assertThat(lock.currentHold().exclusiveHolds())
                .extracting(ExclusiveHold::name)
                .containsExactly(names);
        assertThat(inThread(lock::tryLock).get()).as("another thread").isFalse();
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        allFree(names);
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .isNotInstanceOf(LockLostException.class);
    }

    @Test
    void aThreadNestsSetsAndSingleLocks() throws Exception {
        String[] names = names(3);
        MultiLock all = keeper().multiLock(names);
        MultiLock two = keeper().multiLock(names[1], names[2]);
        DistributedLock one = keeper().lock(names[1]);
        all.lock();
        two.lock();
        one.lock();
        assertThat(all.tryLock()).isTrue();
        assertThat(all.tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(all.holdCount()).isEqualTo(3);
        assertThat(one.holdCount()).isEqualTo(5);
        all.unlock();
        all.unlock();
        one.unlock();
        all.unlock();
        assertThat(all.isHeldByCurrentThread()).isFalse();
        assertThat(two.isHeldByCurrentThread()).isTrue();
        soonFree(otherKeeper().lock(names[0]));
        taken(otherKeeper().lock(names[1]));
        two.unlock();
        allFree(names);
    }

    @Test
    void aTryThatFailsLeavesTheThreadWithWhatItHad() throws Exception {
        String[] names = names(3);
        MultiLock all = keeper().multiLock(names);
        DistributedLock first = keeper().lock(names[0]);
        first.lock();
        whileHeldElsewhere(names[2], busy -> {
            assertThat(all.tryLock()).isFalse();
            assertThat(interruptibly(all)).isFalse();
            assertThat(first.holdCount()).isEqualTo(1);
            assertThat(keeper().lock(names[1]).isHeldByCurrentThread()).isFalse();
            soonFree(otherKeeper().lock(names[1]));
        });
        first.unlock();
        allFree(names);
    }

    private static boolean interruptibly(MultiLock lock) {
        try {
            return lock.tryLock(50, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anInterruptLeavesTheThreadWithWhatItHad() throws Exception {
        String[] names = names(2);
        ExclusiveHold busy = otherKeeper().lock(names[1]).acquire();
        Task<@Nullable Void> interrupted = waiting(() -> {
            keeper().multiLock(names).lockInterruptibly();
            return null;
        });
        interrupted.interrupt();
        assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
        soonFree(otherKeeper().lock(names[0]));
        Task<Boolean> deaf = waiting(() -> {
            keeper().multiLock(names).lock();
            boolean kept = Thread.interrupted();
            keeper().multiLock(names).unlock();
            return kept;
        });
        deaf.interrupt();
        letPass(A_WHILE);
        assertThat(deaf.isDone()).as("lock() does not end by an interrupt").isFalse();
        busy.close();
        assertThat(deaf.get()).as("the interrupt flag is preserved").isTrue();
        allFree(names);
    }

    @Test
    void threadsThatLockOverlappingSetsExcludeEachOther() throws Exception {
        String[] names = names(3);
        var inside = new AtomicInteger();
        var wrong = new AtomicInteger();
        List<Task<@Nullable Void>> tasks = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Lockkeeper keeper = i % 2 == 0 ? keeper() : otherKeeper();
            MultiLock lock = keeper.multiLock(names[i % 3], names[(i + 1) % 3]);
            tasks.add(running(() -> {
                for (int round = 0; round < 10; round++) {
                    lock.lock();
                    try {
                        // Any two of these sets have a lock in common.
                        if (inside.incrementAndGet() > 1) {
                            wrong.incrementAndGet();
                        }
                        inside.decrementAndGet();
                    } finally {
                        lock.unlock();
                    }
                    breathe();
                }
            }));
        }
        untilDone(tasks);
        results(tasks);
        assertThat(wrong).hasValue(0);
        allFree(names);
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void anUnlockAfterALossUndoesAllAndSaysSo() throws Exception {
        String[] names = names(2);
        // The last one, which is unlocked first, is lost; the first one is kept until it is unlocked.
        MultiLock lock = MultiLock.of(keeper().lock(names[0]), losable(keeper().lock(names[1])));
        lock.lock();
        MultiHold hold = lock.currentHold();
        lose(names[1]);
        get(hold.lost());
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::currentHold).isInstanceOf(LockLostException.class);
        taken(otherKeeper().lock(names[0]));
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        allFree(names);
        assertThatThrownBy(lock::unlock).isNotInstanceOf(LockLostException.class);
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void afterALossItIsLockedAfresh() throws Exception {
        String[] names = names(2);
        MultiLock lock = MultiLock.of(losable(keeper().lock(names[0])), keeper().lock(names[1]));
        lock.lock();
        MultiHold before = lock.currentHold();
        lose(names[0]);
        get(before.lost());
        MultiLock again = keeper().multiLock(names);
        assertThat(again.tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(again.currentHold().holds().get(0).token())
                .isGreaterThan(before.holds().get(0).token());
        assertThat(keeper().lock(names[1]).holdCount()).isEqualTo(2);
        again.unlock();
        taken(otherKeeper().lock(names[1]));
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        allFree(names);
    }

    @Test
    void itHasNoConditions() {
        assertThatThrownBy(() -> keeper().multiLock(names(2)).newCondition())
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
