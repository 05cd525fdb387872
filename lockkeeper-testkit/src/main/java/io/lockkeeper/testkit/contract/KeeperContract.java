package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.ResourceState;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The keeper itself: closing it, and what it tells of others. */
@SuppressWarnings("LockNotBeforeTry")
public abstract class KeeperContract extends ContractTest {
    @Test
    void closingReleasesWhatIsHeld() throws Exception {
        Lockkeeper closing = openKeeper();
        List<ExclusiveHold> holds = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            holds.add(take(closing.lock(freshName())));
        }
        CompletableFuture<Loss> told = new CompletableFuture<>();
        holds.get(0).onLost(told::complete);
        closing.close();
        assertThat(get(told).reason()).isEqualTo(Loss.Reason.KEEPER_CLOSED);
        for (ExclusiveHold hold : holds) {
            assertThat(hold.state()).isEqualTo(HoldState.LOST);
            assertThat(get(hold.lost()).reason()).isEqualTo(Loss.Reason.KEEPER_CLOSED);
            assertThatThrownBy(hold::ensureHeld).isInstanceOf(LockLostException.class);
            assertThat(hold.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
            take(keeper().lock(hold.name())).close();
        }
    }

    @Test
    void closingFailsThoseWhoWait() throws Exception {
        String name = freshName();
        Lockkeeper closing = openKeeper();
        try (SingleHold theirs = take(keeper().lock(name))) {
            DistributedLock lock = closing.lock(name);
            List<Task<?>> waiters = List.of(
                    inThread(lock::acquire),
                    inThread(() -> lock.tryAcquire(Duration.ofDays(1))),
                    inThread(() -> {
                        lock.lock();
                        return 0;
                    }),
                    inThread(() -> {
                        lock.lockInterruptibly();
                        return 0;
                    }));
            List<CompletableFuture<?>> futures = List.of(
                    lock.acquireAsync(),
                    lock.tryAcquireAsync(Duration.ofDays(1)),
                    lock.callAsync(hold -> CompletableFuture.completedFuture(1)));
            waiters.forEach(this::awaitParked);
            awaitQueued(name, 1);
            closing.close();
            for (Task<?> waiter : waiters) {
                assertThat(waiter.failure()).isInstanceOf(KeeperClosedException.class);
            }
            for (CompletableFuture<?> future : futures) {
                assertThat(failureOf(future)).isInstanceOf(KeeperClosedException.class);
            }
            eventually("nobody queues", () -> stateOf(name).waiting() == 0);
        }
        assertNoTrace(name);
    }

    @Test
    void aClosedKeeperRefuses() {
        Lockkeeper closed = openKeeper();
        DistributedLock lock = closed.lock(freshName());
        closed.close();
        closed.close();
        assertThatThrownBy(lock::acquire).isInstanceOf(KeeperClosedException.class);
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(KeeperClosedException.class);
        assertThatThrownBy(() -> lock.tryAcquire(Duration.ofSeconds(1))).isInstanceOf(KeeperClosedException.class);
        assertThatThrownBy(lock::lock).isInstanceOf(KeeperClosedException.class);
        assertThatThrownBy(lock::tryLock).isInstanceOf(KeeperClosedException.class);
        assertThat(failureOf(lock.acquireAsync())).isInstanceOf(KeeperClosedException.class);
        assertThat(failureOf(lock.tryAcquireAsync())).isInstanceOf(KeeperClosedException.class);
        assertThatThrownBy(() -> closed.inspect(lock.name())).isInstanceOf(KeeperClosedException.class);
        assertThatThrownBy(() -> closed.list("")).isInstanceOf(KeeperClosedException.class);
        assertNoTrace(lock.name());
    }

    @Test
    void manyThreadsMayCloseAtOnceAmidUse() throws Exception {
        String name = freshName();
        Lockkeeper closing = openKeeper();
        AtomicInteger rounds = new AtomicInteger();
        List<Task<Throwable>> users = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            users.add(inThread(() -> {
                try {
                    while (true) {
                        closing.lock(name).acquire().close();
                        rounds.incrementAndGet();
                    }
                } catch (KeeperClosedException e) {
                    return e;
                }
            }));
        }
        eventually("it is in use", () -> rounds.get() > 100);
        List<Task<Integer>> closers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            closers.add(inThread(() -> {
                closing.close();
                return 0;
            }));
        }
        for (Task<Integer> closer : closers) {
            closer.get();
        }
        for (Task<Throwable> user : users) {
            assertThat(user.get()).isInstanceOf(KeeperClosedException.class);
        }
        assertNoTrace(name);
    }

    @Test
    @AboutTime
    void closingOneKeeperDoesNotHarmAnother() throws Exception {
        Duration lease = lease();
        String name = freshName();
        Lockkeeper closing = openKeeper();
        take(closing.lock(name + "/theirs"));
        try (SingleHold hold = take(keeper().lock(name).withLease(lease))) {
            Task<ExclusiveHold> waiter = inThread(() -> otherKeeper().lock(name).acquire());
            awaitParked(waiter);
            closing.close();
            letPass(lease);
            assertKept(hold);
            hold.close();
            waiter.get().close();
        }
    }

    @Test
    void aDrainedKeeperAcquiresNothingNewWhileItsHoldersFinish() throws Exception {
        Lockkeeper drained = openKeeper();
        String name = freshName();
        DistributedLock free = drained.lock(freshName());
        ExclusiveHold hold = take(drained.lock(name));
        Task<Boolean> drain = inThread(() -> drained.drain(Duration.ofDays(1)));
        awaitParked(drain);
        assertThatThrownBy(free::acquire)
                .isInstanceOf(KeeperClosedException.class)
                .hasMessageContaining("drained");
        assertThatThrownBy(free::tryAcquire).isInstanceOf(KeeperClosedException.class);
        assertThatThrownBy(free::tryLock).isInstanceOf(KeeperClosedException.class);
        assertThat(failureOf(free.acquireAsync())).isInstanceOf(KeeperClosedException.class);
        assertThat(failureOf(free.ownedBy("a request").tryLockAsync())).isInstanceOf(KeeperClosedException.class);
        assertKept(hold);
        assertThat(drain.isDone()).isFalse();
        assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(drain.get()).isTrue();
        assertThatThrownBy(free::acquire).isInstanceOf(KeeperClosedException.class);
        assertNoTrace(name);
        assertNoTrace(free.name());
    }

    @Test
    void anOwnerMayNestWhileItsKeeperIsDrained() throws Exception {
        Lockkeeper drained = openKeeper();
        DistributedLock lock = drained.lock(freshName());
        lock.lock();
        assertThat(drained.drain(Duration.ZERO)).isFalse();
        lock.lock();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        lock.unlock();
        lock.unlock();
        assertThat(drained.drain(Duration.ofDays(1))).isTrue();
        assertThatThrownBy(lock::lock).isInstanceOf(KeeperClosedException.class);
        assertNoTrace(lock.name());
    }

    @Test
    void drainingFailsThoseWhoWait() throws Exception {
        String name = freshName();
        Lockkeeper drained = openKeeper();
        try (SingleHold theirs = take(keeper().lock(name))) {
            DistributedLock lock = drained.lock(name);
            Task<?> waiter = inThread(lock::acquire);
            CompletableFuture<?> future = lock.acquireAsync();
            awaitParked(waiter);
            awaitQueued(name, 1);
            assertThat(drained.drain(Duration.ofDays(1))).isTrue();
            assertThat(waiter.failure()).isInstanceOf(KeeperClosedException.class);
            assertThat(failureOf(future)).isInstanceOf(KeeperClosedException.class);
            eventually("nobody queues", () -> stateOf(name).waiting() == 0);
        }
        assertNoTrace(name);
    }

    @Test
    void drainingEndsWithItsTimeAndClosingTakesWhatIsLeft() throws Exception {
        Lockkeeper drained = openKeeper();
        ExclusiveHold hold = take(drained.lock(freshName()));
        assertThat(drained.drain(Duration.ofMillis(20))).isFalse();
        assertKept(hold);
        drained.close();
        assertThat(get(hold.lost()).reason()).isEqualTo(Loss.Reason.KEEPER_CLOSED);
        assertThatThrownBy(() -> drained.drain(Duration.ZERO)).isInstanceOf(KeeperClosedException.class);
        take(keeper().lock(hold.name())).close();
    }

    @Test
    void aListenerThatBlocksDoesNotHinderClosing() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try {
            Lockkeeper closing = openKeeper();
            ExclusiveHold hold = take(closing.lock(freshName()));
            hold.onLost(loss -> {
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            inThread(() -> {
                        closing.close();
                        return 0;
                    })
                    .get();
            take(keeper().lock(hold.name())).close();
        } finally {
            end.countDown();
        }
    }

    @TestIfOffered(Capability.HOLDERS)
    void inspectingTellsWhoHolds() throws Exception {
        String name = freshName();
        Lockkeeper noted = openKeeper(settings -> settings.note("the night shift"));
        assertThat(keeper().inspect(name)).isEmpty();
        try (ExclusiveHold hold = take(noted.lock(name))) {
            ResourceState state = keeper().inspect(name).orElseThrow();
            assertThat(state.resource()).isEqualTo(lockNamed(name));
            assertThat(state.waiting()).isZero();
            assertThat(state.permits()).isZero();
            ResourceState.Grant grant = state.grants().get(0);
            assertThat(state.grants()).hasSize(1);
            assertThat(grant.holder().keeper()).isEqualTo(noted.id());
            assertThat(grant.holder().pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(grant.holder().host()).isNotEmpty();
            assertThat(grant.holder().note()).isEqualTo("the night shift");
            assertThat(grant.token()).isEqualTo(hold.token());
            assertThat(grant.shared()).isFalse();
            assertThat(grant.remaining()).isPositive();
            Task<ExclusiveHold> waiter = inThread(() -> otherKeeper().lock(name).acquire());
            awaitParked(waiter);
            awaitQueued(name, 1);
            waiter.interrupt();
        }
        assertNoTrace(name);
    }

    @TestIfOffered(Capability.HOLDERS)
    void inspectingTellsOfOtherProcesses() {
        String name = freshName();
        Peer peer = peer(Duration.ofSeconds(30));
        peer.ask("acquire " + name);
        ResourceState.Grant grant = stateOf(name).grants().get(0);
        assertThat(grant.holder().keeper()).isNotEqualTo(keeper().id());
        assertThat(grant.holder().note()).isNotEmpty();
        assertThat(keeper().list(name)).hasSize(1);
        peer.ask("release");
        assertNoTrace(name);
    }

    @Test
    void everyKeeperHasAnIdOfItsOwn() {
        assertThat(keeper().id()).isNotEmpty().isNotEqualTo(otherKeeper().id());
        assertThat(openKeeper().id())
                .isNotEqualTo(keeper().id())
                .isNotEqualTo(otherKeeper().id());
    }

    @TestIfOffered(Capability.FORCE_RELEASE)
    @AboutTime
    void aForcedReleaseTakesItAwayAndItsHolderIsTold() throws Exception {
        String name = freshName();
        // A third of it is soon, all of it is later than a machine stalls: else it would be lost by its deadline.
        ExclusiveHold hold = take(keeper().lock(name).withLease(lease().multipliedBy(4)));
        assertThat(otherKeeper().forceRelease(name)).isTrue();
        try (ExclusiveHold next = take(otherKeeper().lock(name))) {
            assertThat(get(hold.lost()).reason()).isIn(Loss.Reason.FORCED, Loss.Reason.TAKEN);
            assertThat(hold.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
            assertThat(next.state()).isEqualTo(HoldState.HELD);
        }
        assertThat(otherKeeper().forceRelease(name)).isFalse();
        assertNoTrace(name);
    }

    @Test
    void aForcedReleaseServesThoseWhoWait() throws Exception {
        String name = freshName();
        ExclusiveHold hold = take(keeper().lock(name));
        Task<ExclusiveHold> waiter = inThread(() -> otherKeeper().lock(name).acquire());
        awaitParked(waiter);
        awaitQueued(name, 1);
        if (can(Capability.FORCE_RELEASE)) {
            assertThat(openKeeper().forceRelease(name)).isTrue();
        } else {
            assertNotOffered(Capability.FORCE_RELEASE, () -> keeper().forceRelease(name));
            hold.close();
        }
        waiter.get().close();
        hold.close();
        assertNoTrace(name);
    }
}
