package io.lockkeeper.shell;

import static io.lockkeeper.shell.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.MajorityHold;
import io.lockkeeper.MajorityLock;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.memory.MemoryFaults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A majority of locks of several keepers, under several names. */
final class MajorityLockTest {

    private static final int SIZE = 3;

    private final List<MemoryBackend> stores = new ArrayList<>();
    private final List<Lockkeeper> keepers = new ArrayList<>();

    @BeforeEach
    void open() {
        for (int i = 0; i < SIZE; i++) {
            stores.add(MemoryBackend.create());
            keepers.add(Lockkeeper.of(stores.get(i)));
        }
    }

    @AfterEach
    void close() {
        stores.forEach(store -> store.faults().failing(MemoryFaults.Fault.NONE));
        keepers.forEach(Lockkeeper::close);
        stores.forEach(MemoryBackend::close);
    }

    /** The locks of one process: each store has its own keeper, and the lock another name there. */
    private List<DistributedLock> locks() {
        List<DistributedLock> locks = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            Lockkeeper keeper =
                    Lockkeeper.builder().lease(Duration.ofMinutes(1)).open(stores.get(i));
            keepers.add(keeper);
            locks.add(keeper.lock(name(i)));
        }
        return locks;
    }

    private static String name(int store) {
        return "orders@" + store;
    }

    private static MajorityLock majority(List<DistributedLock> locks) {
        return MajorityLock.of(locks.toArray(DistributedLock[]::new));
    }

    private Lockkeeper operator(int store) {
        return keepers.get(store);
    }

    private boolean isFree(int store) {
        return operator(store).inspect(name(store)).isEmpty();
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    @Test
    void oneHolderHasAMajorityOfLocksWithDifferentNames() throws Exception {
        MajorityLock mine = majority(locks());
        MajorityLock theirs = majority(locks());
        try (MajorityHold hold = mine.acquire()) {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            assertThat(hold.remaining()).isPositive();
            hold.ensureHeld();
            // Before somebody else comes: a rival may have the third lock for a moment, and then it does not join.
            eventually("it comes to that", () -> hold.holds().size() == SIZE);
            assertThat(theirs.tryAcquire()).isNull();
        }
        try (MajorityHold next = theirs.acquire(Duration.ofSeconds(30))) {
            assertThat(next.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void aWaiterGetsItWhenTheHolderGivesItBack() throws Exception {
        MajorityHold hold = majority(locks()).acquire();
        CompletableFuture<MajorityHold> waiter = majority(locks()).acquireAsync();
        assertThat(waiter).isNotDone();
        assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
        get(waiter).close();
    }

    @Test
    void aMinorityThatIsDownCostsNothingAndAMajorityThatIsDownIsSaid() throws Exception {
        List<DistributedLock> locks = locks();
        stores.get(0).faults().failing(MemoryFaults.Fault.BEFORE);
        try (MajorityHold hold = majority(locks).tryAcquire()) {
            assertThat(hold).isNotNull();
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
        stores.get(1).faults().failing(MemoryFaults.Fault.BEFORE);
        assertThatThrownBy(() -> majority(locks).tryAcquire())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("2 of 3 locks");
        eventually("it comes to that", () -> isFree(2));
    }

    @Test
    void whatIsNotAMajorityIsGivenBack() {
        try (ExclusiveHold first = operator(0).lock(name(0)).tryAcquire();
                ExclusiveHold second = operator(1).lock(name(1)).tryAcquire()) {
            assertThat(first).isNotNull();
            assertThat(second).isNotNull();
            assertThat(majority(locks()).tryAcquire()).isNull();
            assertThat(isFree(2)).isTrue();
        }
    }

    @Test
    void itIsLostWithTheMajorityAndTheRestIsGivenBack() throws Exception {
        MajorityHold hold = majority(locks()).acquire();
        eventually("it comes to that", () -> hold.holds().size() == SIZE);
        CompletableFuture<Loss> told = new CompletableFuture<>();
        hold.onLost(told::complete);
        assertThat(operator(0).forceRelease(name(0))).isTrue();
        eventually("it comes to that", () -> hold.holds().stream().anyMatch(one -> one.state() == HoldState.LOST));
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(hold.lost()).isNotDone();
        assertThat(operator(1).forceRelease(name(1))).isTrue();
        assertThat(get(hold.lost()).reason()).isEqualTo(Loss.Reason.FORCED);
        assertThat(get(told).reason()).isEqualTo(Loss.Reason.FORCED);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(hold.remaining()).isZero();
        assertThatThrownBy(hold::ensureHeld).isInstanceOf(LockLostException.class);
        eventually("it comes to that", () -> isFree(2));
        assertThat(hold.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
    }

    @Test
    void aGrantThatComesAfterALossDoesNotMakeAMajorityAgain() throws Exception {
        List<DistributedLock> locks = locks();
        ExclusiveHold first = locks.get(0).acquire();
        ExclusiveHold second = locks.get(1).acquire();
        var hold = new LiveMajorityHold(((WriteLock) locks.get(0)).core, List.of(first, second), 2);
        ExclusiveHold late = locks.get(2).acquire();
        operator(0).forceRelease(name(0));
        get(first.lost());
        hold.join(late);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        eventually("it comes to that", () -> isFree(1) && isFree(2));
    }

    @Test
    void aGrantThatComesInTimeStandsInForOneThatIsLost() throws Exception {
        List<DistributedLock> locks = locks();
        ExclusiveHold first = locks.get(0).acquire();
        ExclusiveHold second = locks.get(1).acquire();
        var hold = new LiveMajorityHold(((WriteLock) locks.get(0)).core, List.of(first, second), 2);
        hold.join(locks.get(2).acquire());
        operator(0).forceRelease(name(0));
        get(first.lost());
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        hold.close();
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        eventually("it comes to that", () -> isFree(1) && isFree(2));
    }

    @Test
    void aGrantThatComesAfterTheReleaseIsGivenBack() throws Exception {
        List<DistributedLock> locks = locks();
        List<ExclusiveHold> two = List.of(locks.get(0).acquire(), locks.get(1).acquire());
        var hold = new LiveMajorityHold(((WriteLock) locks.get(0)).core, two, 2);
        hold.close();
        hold.join(locks.get(2).acquire());
        eventually("it comes to that", () -> isFree(2));
    }

    @Test
    void whoLeavesOrIsInterruptedHoldsNothing() throws Exception {
        MajorityHold hold = majority(locks()).acquire();
        CompletableFuture<MajorityHold> waiter = majority(locks()).acquireAsync();
        waiter.cancel(false);
        MajorityLock other = majority(locks());
        CompletableFuture<Class<?>> interrupted = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                other.acquire().close();
                interrupted.complete(Void.class);
            } catch (InterruptedException e) {
                interrupted.complete(e.getClass());
            }
        });
        thread.start();
        eventually("it comes to that", () -> thread.getState() == Thread.State.WAITING);
        thread.interrupt();
        assertThat(get(interrupted)).isEqualTo(InterruptedException.class);
        hold.close();
        for (int store = 0; store < SIZE; store++) {
            int which = store;
            eventually("it comes to that", () -> isFree(which));
        }
    }

    @Test
    void tooFewOrTheSameTwiceAreRefused() {
        List<DistributedLock> locks = locks();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MajorityLock.of(locks.get(0), locks.get(1)))
                .withMessageContaining("2 locks");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MajorityLock.of(locks.get(0), locks.get(1), locks.get(0)))
                .withMessageContaining("twice");
    }
}
