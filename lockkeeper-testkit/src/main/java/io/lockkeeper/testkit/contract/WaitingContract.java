package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SingleHold;
import io.lockkeeper.testkit.FaultyBackend;
import io.lockkeeper.testkit.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Waiting for a lock: until when, and what is left of it afterwards. */
public abstract class WaitingContract extends ContractTest {

    @Test
    void aWaiterIsServedWhenTheHolderInItsKeeperReleases() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        ExclusiveHold first = take(lock);
        Task<ExclusiveHold> waiter = inThread(lock::acquire);
        awaitParked(waiter);
        assertThat(waiter.isDone()).isFalse();
        first.close();
        waiter.get().close();
        assertNoTrace(lock.name());
    }

    @Test
    void aWaiterIsServedWhenTheHolderInAnotherKeeperReleases() throws Exception {
        String name = freshName();
        ExclusiveHold first = take(keeper().lock(name));
        Task<ExclusiveHold> waiter = inThread(() -> otherKeeper().lock(name).acquire());
        awaitParked(waiter);
        awaitQueued(name, 1);
        first.close();
        waiter.get().close();
        assertNoTrace(name);
    }

    // D7: a lost wake-up costs a poll, never a hang.
    @Test
    void aWaiterIsServedThoughTheWakeUpWasLost() throws Exception {
        String name = freshName();
        FaultyBackend deaf = faulty();
        Lockkeeper waiting = openKeeper(deaf);
        deaf.network().dropSignals(true);
        ExclusiveHold first = take(keeper().lock(name));
        Task<ExclusiveHold> waiter = inThread(() -> waiting.lock(name).acquire());
        awaitParked(waiter);
        awaitQueued(name, 1);
        first.close();
        waiter.get().close();
    }

    @Test
    @AboutTime
    void aWaiterIsServedAfterTheHolderIsKilled() throws Exception {
        String name = freshName();
        Peer peer = peer(lease());
        assertThat(peer.ask("acquire " + name)).startsWith("held");
        Task<ExclusiveHold> waiter = inThread(() -> keeper().lock(name).acquire());
        awaitParked(waiter);
        peer.kill();
        waiter.get().close();
    }

    @Test
    void aLimitOfZeroAsksOnce() throws Exception {
        String name = freshName();
        held(keeper().lock(name).tryAcquire(Duration.ZERO)).close();
        try (SingleHold hold = take(otherKeeper().lock(name))) {
            assertThat(keeper().lock(name).tryAcquire(Duration.ZERO)).isNull();
            assertThat(get(keeper().lock(name).tryAcquireAsync(Duration.ZERO))).isNull();
            assertThat(stateOf(name).waiting()).isZero();
        }
    }

    @Test
    void aShortLimitEndsInTimeAndLeavesNoTrace() throws Exception {
        String name = freshName();
        try (SingleHold hold = take(otherKeeper().lock(name))) {
            for (int i = 0; i < 20; i++) {
                assertThat(keeper().lock(name).tryAcquire(Duration.ofMillis(1))).isNull();
                assertThat(get(keeper().lock(name).tryAcquireAsync(Duration.ofMillis(1))))
                        .isNull();
                assertThat(keeper().lock(name).tryLock(1, TimeUnit.MILLISECONDS))
                        .isFalse();
            }
            eventually("nobody queues", () -> stateOf(name).waiting() == 0);
        }
        take(keeper().lock(name)).close();
        assertNoTrace(name);
    }

    @Test
    void aLimitBeyondAllClocksIsServed() throws Exception {
        String name = freshName();
        List<Duration> limits = List.of(Duration.ofDays(10_000), Duration.ofSeconds(Long.MAX_VALUE));
        for (Duration limit : limits) {
            ExclusiveHold first = take(otherKeeper().lock(name));
            Task<ExclusiveHold> waiter = inThread(() -> held(keeper().lock(name).tryAcquire(limit)));
            CompletableFuture<ExclusiveHold> async =
                    keeper().lock(name).tryAcquireAsync(limit).thenApply(ContractTest::held);
            awaitParked(waiter);
            first.close();
            CompletableFuture.anyOf(waiter.result(), async).get(60, TimeUnit.SECONDS);
            waiter.result().thenAccept(ExclusiveHold::close);
            async.thenAccept(ExclusiveHold::close);
            waiter.get();
            get(async);
        }
        assertNoTrace(name);
    }

    @Test
    void anInterruptEndsEveryWaitThatHeedsItAndLeavesNoTrace() throws Exception {
        String name = freshName();
        try (SingleHold hold = take(otherKeeper().lock(name))) {
            DistributedLock lock = keeper().lock(name);
            List<Task<?>> waits = List.of(
                    inThread(lock::acquire),
                    inThread(() -> lock.tryAcquire(Duration.ofDays(1))),
                    inThread(() -> {
                        lock.lockInterruptibly();
                        return 0;
                    }),
                    inThread(() -> lock.tryLock(1, TimeUnit.DAYS)),
                    inThread(() -> lock.call(h -> 0)));
            waits.forEach(this::awaitParked);
            for (Task<?> wait : waits) {
                wait.interrupt();
                assertThat(wait.failure()).isInstanceOf(InterruptedException.class);
            }
            eventually("nobody queues", () -> stateOf(name).waiting() == 0);
        }
        take(keeper().lock(name)).close();
        assertNoTrace(name);
    }

    // Clearing up must not be what the second interrupt ends.
    @Test
    void interruptedAgainAndAgainAWaiterLeavesNoTrace() throws Exception {
        String name = freshName();
        try (SingleHold hold = take(otherKeeper().lock(name))) {
            for (int i = 0; i < 20; i++) {
                Task<ExclusiveHold> waiter = inThread(() -> keeper().lock(name).acquire());
                awaitParked(waiter);
                eventually("it ends", () -> {
                    waiter.interrupt();
                    return waiter.isDone();
                });
                assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
            }
            eventually("nobody queues", () -> stateOf(name).waiting() == 0);
        }
        // Nobody is left in the keeper's own queue either.
        take(keeper().lock(name)).close();
        assertNoTrace(name);
    }

    @Test
    void aThreadThatIsAlreadyInterruptedDoesNotWait() throws Exception {
        String name = freshName();
        try (SingleHold hold = take(otherKeeper().lock(name))) {
            Task<ExclusiveHold> waiter = inThread(() -> {
                Thread.currentThread().interrupt();
                return keeper().lock(name).acquire();
            });
            assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
            eventually("nobody queues", () -> stateOf(name).waiting() == 0);
        }
    }

    // Interrupts that hit a waiter at any moment, also while it is being granted, leave the lock usable.
    @Test
    void interruptsAtRandomMomentsLoseNothing() throws Exception {
        String name = freshName();
        DistributedLock lock = keeper().lock(name);
        AtomicBoolean stop = new AtomicBoolean();
        Task<Integer> other = busyUntil(stop, otherKeeper().lock(name));
        for (int i = 0; i < 60; i++) {
            Task<Boolean> waiter = inThread(() -> {
                lock.acquire().close();
                return true;
            });
            LockSupport.parkNanos(20_000L * i);
            waiter.interrupt();
            eventually("it ends one way or the other", waiter::isDone);
        }
        stop.set(true);
        assertThat(other.get()).isPositive();
        assertNoTrace(name);
    }

    @Test
    void thoseBehindAWaiterThatLeavesAreServed() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        ExclusiveHold first = take(otherKeeper().lock(lock.name()));
        Task<ExclusiveHold> leaving = inThread(lock::acquire);
        awaitParked(leaving);
        Task<ExclusiveHold> staying = inThread(lock::acquire);
        awaitParked(staying);
        leaving.interrupt();
        assertThat(leaving.failure()).isInstanceOf(InterruptedException.class);
        first.close();
        staying.get().close();
        assertNoTrace(lock.name());
    }

    // A waiter whose time runs out just as it is woken passes the wake-up on.
    @Test
    void aWaiterThatTimesOutDoesNotEatItsNeighboursWakeUp() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        for (int i = 0; i < 15; i++) {
            ExclusiveHold first = take(otherKeeper().lock(lock.name()));
            Task<Boolean> hasty = inThread(() -> lock.tryRun(Duration.ofMillis(10), hold -> {}));
            Task<Boolean> patient = inThread(() -> {
                lock.acquire().close();
                return true;
            });
            letPass(Duration.ofMillis(10));
            first.close();
            assertThat(patient.get()).isTrue();
            hasty.get();
        }
        assertNoTrace(lock.name());
    }

    @Test
    void aThousandWaitersAreAllServed() throws Exception {
        String name = freshName();
        ExclusiveHold first = take(keeper().lock(name));
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        List<CompletableFuture<Boolean>> waiters = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            DistributedLock lock = (i % 2 == 0 ? keeper() : otherKeeper()).lock(name);
            waiters.add(lock.callAsync(hold -> {
                overlaps.addAndGet(inside.incrementAndGet() == 1 ? 0 : 1);
                inside.decrementAndGet();
                return CompletableFuture.completedFuture(true);
            }));
        }
        first.close();
        CompletableFuture.allOf(waiters.toArray(new CompletableFuture<?>[0])).get(90, TimeUnit.SECONDS);
        assertThat(overlaps).hasValue(0);
        assertNoTrace(name);
    }

    // Seven other keepers hold it for 40 ms each and come back at once, so a round takes longer than the 200 ms our
    // callers
    // wait: they are only served because each takes over the place, or the turn, of the one that left.
    @Test
    void callersWithShortLimitsGetTheirShare() throws Exception {
        String name = freshName();
        AtomicBoolean stop = new AtomicBoolean();
        List<AtomicInteger> served = new ArrayList<>();
        List<Task<Boolean>> tasks = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            Lockkeeper other = openKeeper();
            AtomicInteger rounds = new AtomicInteger();
            served.add(rounds);
            tasks.add(inThread(() -> {
                while (!stop.get()) {
                    try (SingleHold hold = other.lock(name).acquire()) {
                        rounds.incrementAndGet();
                        letPass(Duration.ofMillis(40));
                    }
                    breathe();
                }
                return true;
            }));
        }
        AtomicInteger callers = new AtomicInteger();
        served.add(callers);
        for (int i = 0; i < 2; i++) {
            // Not both at the same moment, or both would be away at once.
            Duration later = Duration.ofMillis(70L * i);
            tasks.add(inThread(() -> {
                letPass(later);
                while (!stop.get()) {
                    if (keeper().lock(name).tryRun(Duration.ofMillis(200), hold -> callers.incrementAndGet())) {
                        breathe();
                    }
                }
                return true;
            }));
        }
        eventually(
                "all are served, and are served again",
                Duration.ofSeconds(60),
                () -> served.stream().allMatch(rounds -> rounds.get() >= 2));
        stop.set(true);
        for (Task<Boolean> task : tasks) {
            assertThat(task.get()).isTrue();
        }
        assertNoTrace(name);
    }
}
