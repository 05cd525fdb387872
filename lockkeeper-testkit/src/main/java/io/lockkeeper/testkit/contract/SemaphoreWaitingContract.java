package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.HandOff;
import io.lockkeeper.HoldState;
import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Permit;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Waiting for permits: order, wake-ups and giving up. For stores with {@link Capability#PERMITS}. */
public abstract class SemaphoreWaitingContract extends SemaphoreCases {

    // D22: as many are served as permits came back.
    @Test
    void givingBackFiveWakesFiveAsynchronousWaiters() throws Exception {
        String name = freshName();
        Permit six = taking(keeper().semaphore(name, 6), 6);
        List<CompletableFuture<Permit>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(otherKeeper().semaphore(name, 6).acquireAsync());
        }
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        six.release(5);
        for (CompletableFuture<Permit> waiter : waiting) {
            assertThat(get(waiter).state()).isEqualTo(HoldState.HELD);
        }
        taken(otherKeeper().semaphore(name, 6));
        for (CompletableFuture<Permit> waiter : waiting) {
            get(waiter).close();
        }
        six.close();
        available(keeper().semaphore(name, 6), 6);
    }

    @Test
    void givingBackFiveWakesFiveThreadsOfSeveralKeepers() throws Exception {
        String name = freshName();
        Permit five = taking(keeper().semaphore(name, 5), 5);
        List<Task<Permit>> waiting = new ArrayList<>();
        for (Lockkeeper keeper : List.of(keeper(), otherKeeper(), keeper(), otherKeeper(), otherKeeper())) {
            waiting.add(waiting(() -> keeper.semaphore(name, 5).acquire()));
        }
        five.close();
        List<Permit> permits = results(waiting);
        assertThat(permits).allMatch(permit -> permit.state() == HoldState.HELD);
        available(keeper().semaphore(name, 5), 0);
        permits.forEach(Permit::close);
    }

    // D8: a lost wake-up costs a poll, never a hang.
    @Test
    void withoutSignalsAReleaseIsNoticedAllTheSame() throws Exception {
        String name = freshName();
        FaultyBackend deaf = faulty();
        deaf.network().dropSignals(true);
        DistributedSemaphore semaphore = openKeeper(deaf).semaphore(name, 2);
        Permit both = taking(keeper().semaphore(name, 2), 2);
        Task<Permit> one = waiting(() -> semaphore.acquire());
        CompletableFuture<Permit> two = semaphore.acquireAsync();
        both.close();
        one.get().close();
        get(two).close();
    }

    @Test
    void whoStandsBehindOneThatWasHandedAPermitIsServedWithoutSignals() throws Exception {
        String name = freshName();
        FaultyBackend deaf = faulty();
        deaf.network().dropSignals(true);
        Lockkeeper keeper = openKeeper(deaf, builder -> builder.handOff(new HandOff(64, Duration.ofMinutes(1))));
        DistributedSemaphore semaphore = keeper.semaphore(name, 2);
        Permit one = taking(keeper().semaphore(name, 2), 1);
        Permit two = taking(keeper().semaphore(name, 2), 1);
        Task<Permit> first = waiting(() -> semaphore.acquire());
        Task<Permit> second = waiting(() -> semaphore.acquire());
        Task<Permit> third = waiting(() -> semaphore.acquire());
        one.close();
        Permit handedOn = first.get();
        long asked = deaf.network().calls(Call.ATTEMPT);
        eventually("the second asks for one of its own", () -> deaf.network().calls(Call.ATTEMPT) > asked);
        handedOn.close();
        Permit received = second.get();
        two.close();
        third.get().close();
        received.close();
        eventually(
                "no trace is left", () -> keeper().inspect(semaphoreNamed(name)).isEmpty());
    }

    @Test
    void aClaimForManyIsNotStarvedByClaimsForOne() throws Exception {
        String name = freshName();
        var stop = new AtomicBoolean();
        var passed = new AtomicInteger();
        List<Task<@Nullable Void>> tasks = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            DistributedSemaphore semaphore = (i % 2 == 0 ? keeper() : otherKeeper()).semaphore(name, 3);
            tasks.add(running(() -> {
                while (!stop.get()) {
                    semaphore.run(permit -> {
                        passed.incrementAndGet();
                        LockSupport.parkNanos(2_000_000);
                    });
                }
            }));
        }
        try {
            eventually("the stream flows", () -> passed.get() > 10);
            Task<@Nullable Void> caller = running(() -> {
                got(otherKeeper().semaphore(name, 3).tryAcquire(3, PATIENCE)).close();
                got(keeper().semaphore(name, 3).tryAcquire(2, PATIENCE)).close();
            });
            if (!can(Capability.QUEUE)) {
                letPass(A_WHILE);
                stop.set(true);
            }
            eventually("it got in twice", PATIENCE.multipliedBy(2), caller::isDone);
            caller.get();
        } finally {
            stop.set(true);
        }
        results(tasks);
    }

    @Test
    void nobodyOvertakesALocalClaimThatWaitsForMore() throws Exception {
        String name = freshName();
        DistributedSemaphore semaphore = keeper().semaphore(name, 3);
        Permit two = taking(semaphore, 2);
        Task<Permit> big = waiting(() -> semaphore.acquire(3));
        soonTaken(semaphore);
        CompletableFuture<Permit> small = semaphore.acquireAsync();
        assertThat(small).isNotDone();
        two.close();
        big.get().close();
        get(small).close();
    }

    @Test
    void aClaimForManyThatGivesUpLetsTheOthersIn() throws Exception {
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name, 3);
        DistributedSemaphore there = otherKeeper().semaphore(name, 3);
        Permit two = taking(here, 2);
        CompletableFuture<Permit> cancelled = there.acquireAsync(3);
        CompletableFuture<Permit> late = timedOut(here.acquireAsync(3));
        Task<Permit> interrupted = waiting(() -> there.acquire(2));
        Task<@Nullable Permit> timed = inThread(() -> here.tryAcquire(2, Duration.ofMillis(200)));
        CompletableFuture<Permit> mine = here.acquireAsync();
        cancelled.cancel(true);
        interrupted.interrupt();
        assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
        assertThat(timed.get()).isNull();
        assertThat(failureOf(late)).isInstanceOf(TimeoutException.class);
        get(mine).close();
        soonFree(there);
        two.close();
        eventually("all are back", () -> here.availablePermits() == 3);
    }

    @Test
    void aLargerSizeWakesThoseWhoWait() throws Exception {
        String name = freshName();
        DistributedSemaphore semaphore = keeper().semaphore(name, 1);
        Permit first = taking(semaphore, 1);
        Task<Permit> waiter = waiting(() -> semaphore.acquire());
        CompletableFuture<Permit> asynchronous = semaphore.acquireAsync();
        semaphore.resize(3);
        assertThat(waiter.get().state()).isEqualTo(HoldState.HELD);
        assertThat(get(asynchronous).state()).isEqualTo(HoldState.HELD);
        waiter.get().close();
        get(asynchronous).close();
        first.close();
        available(semaphore, 3);
    }

    @Test
    void aWaiterWithTheOldSizeElsewhereIsServedOrRefusedAndDoesNotHang() throws Exception {
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name, 1);
        Permit first = taking(here, 1);
        Task<Permit> waiter = waiting(() -> otherKeeper().semaphore(name, 1).acquire());
        here.resize(2);
        if (can(Capability.SIZES)) {
            waiter.get().close();
        } else {
            assertThat(waiter.failure())
                    .isInstanceOf(ClaimRefusedException.class)
                    .hasMessageContaining("1")
                    .hasMessageContaining("2");
        }
        first.close();
        available(here, 2);
    }

    @Test
    void timeLimitsEndTheWait() throws Exception {
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name, 2);
        DistributedSemaphore there = otherKeeper().semaphore(name, 2);
        Permit one = taking(here, 1);
        for (int millis : new int[] {0, 1, 150}) {
            Duration wait = Duration.ofMillis(millis);
            assertThat(there.tryAcquire(2, wait)).isNull();
            assertThat(this.<@Nullable Permit>get(there.tryAcquireAsync(2, wait)))
                    .isNull();
            soonFree(there);
        }
        assertThat(this.<@Nullable Permit>get(here.tryAcquireAsync(2))).isNull();
        got(this.<@Nullable Permit>get(there.tryAcquireAsync(1, PATIENCE))).close();
        one.close();
        eventually("both can be had", () -> {
            try (Permit both = there.tryAcquire(2, Duration.ZERO)) {
                return both != null;
            }
        });
    }

    @Test
    void closingTheKeeperFailsThoseWhoWait() throws Exception {
        String name = freshName();
        Lockkeeper closing = openKeeper();
        Permit two = taking(keeper().semaphore(name, 2), 2);
        Task<Permit> waiter = waiting(() -> closing.semaphore(name, 2).acquire(2));
        CompletableFuture<Permit> asynchronous = closing.semaphore(name, 2).acquireAsync();
        closing.close();
        assertThat(waiter.failure()).isInstanceOf(KeeperClosedException.class);
        assertThat(failureOf(asynchronous)).isInstanceOf(KeeperClosedException.class);
        two.release(1);
        soonFree(otherKeeper().semaphore(name, 2));
        two.close();
        assertThatThrownBy(() -> closing.semaphore(name, 2).acquire()).isInstanceOf(KeeperClosedException.class);
    }

    @Test
    void bodiesRunWithAPermit() throws Exception {
        String name = freshName();
        DistributedSemaphore semaphore = keeper().semaphore(name, 2);
        int left = semaphore.call(permit -> semaphore.availablePermits());
        assertThat(left).isEqualTo(1);
        int leftAsync = get(semaphore.callAsync(permit -> semaphore.availablePermitsAsync()));
        assertThat(leftAsync).isEqualTo(1);
        eventually("it is back", () -> semaphore.availablePermits() == 2);
    }
}
