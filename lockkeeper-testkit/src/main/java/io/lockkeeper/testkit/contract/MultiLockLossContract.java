package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.MultiHold;
import io.lockkeeper.MultiLock;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Several locks of which one is lost, and callers who leave in the middle. */
public abstract class MultiLockLossContract extends MultiLockCases {

    @Test
    @AboutTime
    @DecidedByKeeper
    void itIsLostAsSoonAsOneIsLost() throws Exception {
        String[] names = names(3);
        MultiLock lock = MultiLock.of(
                keeper().lock(names[0]), keeper().lock(names[1]).withFixedLease(lease()), keeper().lock(names[2]));
        MultiHold all = lock.acquire();
        var heard = new CompletableFuture<Loss>();
        all.onLost(heard::complete);
        Loss loss = get(all.lost());
        assertThat(loss.resource()).isEqualTo(lockNamed(names[1]));
        assertThat(loss.reason()).isEqualTo(Loss.Reason.EXPIRED);
        assertThat(get(heard)).isEqualTo(loss);
        assertThat(all.state()).isEqualTo(HoldState.LOST);
        assertThat(all.remaining()).isZero();
        assertThatThrownBy(all::ensureHeld).isInstanceOf(LockLostException.class);
        all.release();
        allFree(names);
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void releaseFreesTheOthersThoughOneWasLost() throws Exception {
        String[] names = names(3);
        MultiHold all = MultiLock.of(
                        keeper().lock(names[0]).withFixedLease(lease()),
                        keeper().lock(names[1]),
                        keeper().lock(names[2]))
                .acquire();
        get(all.holds().get(0).lost());
        try (ExclusiveHold successor = otherKeeper().lock(names[0]).acquire()) {
            assertThat(all.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
            all.close();
            free(otherKeeper().lock(names[1]));
            free(otherKeeper().lock(names[2]));
            assertThat(successor.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void aWaiterOutlivesAStoreThatIsSilentForAWhile() throws Exception {
        String[] names = names(2);
        FaultyBackend faulty = faulty();
        Lockkeeper cutOff = openKeeper(faulty);
        faulty.network().cut();
        List<MultiLock> locks =
                List.of(cutOff.multiLock(names), MultiLock.of(cutOff.lock(names[0]), keeper().lock(names[1])));
        List<Task<@Nullable Void>> waiters = new ArrayList<>();
        List<CompletableFuture<@Nullable Void>> futures = new ArrayList<>();
        for (MultiLock lock : locks) {
            assertThatThrownBy(lock::tryAcquire).isInstanceOf(StoreUnavailableException.class);
        }
        for (MultiLock lock : locks) {
            waiters.add(running(() -> lock.acquire().close()));
            futures.add(lock.acquireAsync().thenAccept(MultiHold::close));
        }
        letPass(A_WHILE);
        assertThat(waiters).noneMatch(Task::isDone);
        assertThat(futures).noneMatch(CompletableFuture::isDone);
        faulty.network().heal();
        results(waiters);
        for (CompletableFuture<@Nullable Void> future : futures) {
            get(future);
        }
        allFree(names);
    }

    @Test
    void whereOneFailsTheOthersAreGivenBack() throws Exception {
        String[] names = names(3);
        FaultyBackend faulty = faulty();
        Lockkeeper cutOff = openKeeper(faulty);
        for (int failing = 0; failing < names.length; failing++) {
            List<DistributedLock> locks = new ArrayList<>();
            for (int i = 0; i < names.length; i++) {
                locks.add((i == failing ? cutOff : keeper()).lock(names[i]));
            }
            MultiLock lock = MultiLock.of(locks.toArray(DistributedLock[]::new));
            lock.acquire().close();
            faulty.network().cut();
            if (can(Capability.QUEUE)) {
                assertThatThrownBy(lock::tryAcquire).isInstanceOf(StoreUnavailableException.class);
            } else {
                saysThatTheStoreIsAway(lock::tryAcquire);
            }
            saysThatTheStoreIsAway(() -> lock.tryAcquire(A_WHILE));
            allFree(names);
            faulty.network().heal();
        }
    }

    /**
     * It cannot be acquired, and says why once it comes as far as the lock whose store is away. That it is not acquired is
     * all it knows if its time is over before that, or one before it was found taken by what is left on a slow member.
     */
    private void saysThatTheStoreIsAway(Callable<@Nullable MultiHold> call) {
        eventually("it says that the store is away", () -> {
            try (MultiHold hold = call.call()) {
                assertThat(hold).isNull();
                return false;
            } catch (StoreUnavailableException away) {
                return true;
            }
        });
    }

    @Test
    void anInterruptInTheMiddleGivesAllBack() throws Exception {
        String[] names = names(3);
        for (String busy : names) {
            ExclusiveHold hold = otherKeeper().lock(busy).acquire();
            Task<MultiHold> caller = waiting(() -> keeper().multiLock(names).acquire());
            caller.interrupt();
            assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
            hold.close();
            allFree(names);
        }
    }

    @Test
    void cancellingInTheMiddleGivesAllBack() throws Exception {
        String[] names = names(3);
        for (String busy : names) {
            ExclusiveHold hold = otherKeeper().lock(busy).acquire();
            CompletableFuture<MultiHold> caller = keeper().multiLock(names).acquireAsync();
            letPass(Duration.ofMillis(30));
            assertThat(caller.cancel(true)).isTrue();
            hold.close();
            allFree(names);
        }
    }
}
