package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.StoreState;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a listener hears of a store in trouble, and listeners that are the trouble themselves. */
public abstract class ListenerFaultContract extends PrimitiveContract {

    @Override
    protected Object make(Lockkeeper keeper, String name) {
        return keeper.lock(name);
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aStoreThatFallsSilentMakesAHoldUncertainAndThenLost() throws Exception {
        whenAStoreFallsSilent(lease());
    }

    private void whenAStoreFallsSilent(Duration lease) throws Exception {
        var witness = new Witness();
        FaultyBackend faulty = faulty();
        Lockkeeper keeper =
                openKeeper(faulty, builder -> builder.listener(witness).lease(lease));
        String name = freshName();
        ExclusiveHold hold = keeper.lock(name).acquire();
        faulty.network().cut();
        if (can(Capability.EXPIRES)) {
            Loss loss = get(hold.lost());
            assertThat(loss.reason()).isEqualTo(Loss.Reason.EXPIRED);
            eventually("the loss is told", () -> !witness.events("lost").isEmpty());
            assertThat(witness.only("lost").detail()).isEqualTo(loss);
            eventually(
                    "the doubt is told",
                    () -> !witness.events("uncertain", lockNamed(name)).isEmpty());
            assertThat(witness.events("uncertain").get(0).token()).isEqualTo(hold.token());
            assertThat(witness.kinds()).containsSubsequence("acquired", "uncertain", "lost");
            eventually(
                    "the failures are told too",
                    () -> !witness.events("storeFailed").isEmpty());
            eventually(
                    "the renewals that failed are told",
                    () -> !witness.events("renewalFailed").isEmpty());
            assertThat(witness.events("renewalFailed").get(0).detail()).isEqualTo(1);
            assertThat(witness.only("lost").thread()).isNotSameAs(Thread.currentThread());
        } else {
            outlast(lease);
            assertThat(witness.events("lost")).isEmpty();
            assertThat(hold.state()).isNotEqualTo(HoldState.LOST);
        }
        faulty.network().heal();
        hold.close();
        soonFree(keeper().lock(name));
    }

    private static List<StoreState> states(Witness witness) {
        return witness.events("storeStateChanged").stream()
                .map(event -> ((KeeperEvent.StoreStateChanged) event.detail()).state())
                .toList();
    }

    @Test
    void theStateOfTheStoreIsReportedOncePerChangeAndInOrder() {
        var witness = new Witness();
        FaultyBackend faulty = faulty();
        Lockkeeper keeper = openKeeper(faulty, builder -> builder.listener(witness));
        String name = freshName();
        assertThat(keeper.storeState()).isEqualTo(StoreState.REACHABLE);
        List<StoreState> expected = new ArrayList<>(List.of(StoreState.REACHABLE));
        for (int round = 0; round < 3; round++) {
            faulty.network().cut();
            for (int request = 0; request < 5; request++) {
                assertThatThrownBy(() -> keeper.inspect(name)).isInstanceOf(StoreUnavailableException.class);
            }
            assertThat(keeper.storeState()).isEqualTo(StoreState.UNCERTAIN);
            faulty.network().heal();
            for (int request = 0; request < 5; request++) {
                keeper.inspect(name);
            }
            assertThat(keeper.storeState()).isEqualTo(StoreState.REACHABLE);
            expected.add(StoreState.UNCERTAIN);
            expected.add(StoreState.REACHABLE);
        }
        eventually("each change is reported once", () -> states(witness).equals(expected));
        var uncertain = (KeeperEvent.StoreStateChanged)
                witness.events("storeStateChanged").get(1).detail();
        assertThat(uncertain.before()).isEqualTo(StoreState.REACHABLE);
        assertThat(uncertain.failure().orElseThrow()).isInstanceOf(StoreUnavailableException.class);
        assertThat(uncertain.back()).isFalse();
        var back = (KeeperEvent.StoreStateChanged)
                witness.events("storeStateChanged").get(2).detail();
        assertThat(back.back()).isTrue();
        assertThat(back.failure()).isEmpty();
        assertThat(witness.events("storeStateChanged"))
                .extracting(event -> event.thread().getName())
                .allMatch(thread -> thread.startsWith("lockkeeper-callback-"));
    }

    @Test
    void aListenerThatBlocksDelaysTheNextStateOfTheStoreAndNothingElse() throws Exception {
        var mayGoOn = new CountDownLatch(1);
        List<StoreState> told = new CopyOnWriteArrayList<>();
        FaultyBackend faulty = faulty();
        Lockkeeper keeper = openKeeper(
                faulty,
                builder -> builder.listener(new KeeperListener() {
                    @Override
                    public void storeStateChanged(KeeperEvent.StoreStateChanged event) {
                        told.add(event.state());
                        try {
                            mayGoOn.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                }));
        String name = freshName();
        eventually("it blocks", () -> told.size() == 1);
        faulty.network().cut();
        assertThatThrownBy(() -> keeper.inspect(name)).isInstanceOf(StoreUnavailableException.class);
        faulty.network().heal();
        keeper.lock(name).acquire().close();
        assertThat(told).containsExactly(StoreState.REACHABLE);
        mayGoOn.countDown();
        eventually(
                "the rest follows in order",
                () -> told.equals(List.of(StoreState.REACHABLE, StoreState.UNCERTAIN, StoreState.REACHABLE)));
    }

    @Test
    void theStateOfAStoreThatNobodyAskedYetIsUnknown() {
        var witness = new Witness();
        FaultyBackend faulty = faulty();
        faulty.network().cut();
        Lockkeeper keeper =
                openKeeper(faulty, builder -> builder.listener(witness).lazy());
        String name = freshName();
        assertThat(keeper.storeState()).isEqualTo(StoreState.UNKNOWN);
        assertThatThrownBy(() -> keeper.inspect(name)).isInstanceOf(StoreUnavailableException.class);
        assertThat(keeper.storeState()).isEqualTo(StoreState.UNCERTAIN);
        faulty.network().heal();
        eventually("it answers", () -> {
            try {
                return keeper.inspect(name).isEmpty();
            } catch (StoreUnavailableException notYet) {
                return false;
            }
        });
        eventually(
                "both changes are reported",
                () -> states(witness).equals(List.of(StoreState.UNCERTAIN, StoreState.REACHABLE)));
    }

    @Test
    void aReleaseThatTheStoreDidNotAnswerIsToldAsUnknown() throws Exception {
        var witness = new Witness();
        FaultyBackend faulty = faulty();
        Lockkeeper keeper = openKeeper(faulty, builder -> builder.listener(witness));
        String name = freshName();
        ExclusiveHold hold = keeper.lock(name).acquire();
        faulty.network().cut(Call.RELEASE);
        assertThat(hold.release()).isEqualTo(ReleaseOutcome.UNKNOWN);
        assertThat(witness.only("released").detail()).isEqualTo(ReleaseOutcome.UNKNOWN);
        eventually(
                "the failure is told too",
                () -> !witness.events("storeFailed", lockNamed(name)).isEmpty());
        faulty.network().heal();
        soonFree(keeper().lock(name));
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aListenerThatThrowsHarmsNothing() throws Exception {
        Duration lease = lease();
        var told = new AtomicInteger();
        Lockkeeper keeper =
                openKeeper(builder -> builder.listener(failing(told)).lease(lease));
        String name = freshName();
        ExclusiveHold hold = keeper.lock(name).acquire();
        Task<ExclusiveHold> waiter = waiting(() -> keeper.lock(name).acquire());
        outlast(lease);
        stillHeld(hold);
        assertThat(keeper.lock(name).tryAcquire(Duration.ofMillis(20))).isNull();
        assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
        waiter.get().close();
        free(otherKeeper().lock(name));
        assertThat(told.get()).isPositive();
    }

    private static KeeperListener failing(AtomicInteger told) {
        return new KeeperListener() {
            private void fail() {
                told.incrementAndGet();
                throw new IllegalStateException("as the test wants it");
            }

            @Override
            public void waiting(KeeperEvent.Waiting event) {
                fail();
            }

            @Override
            public void acquired(KeeperEvent.Acquired event) {
                fail();
            }

            @Override
            public void gaveUp(KeeperEvent.GaveUp event) {
                fail();
            }

            @Override
            public void released(KeeperEvent.Released event) {
                fail();
            }

            @Override
            public void renewed(KeeperEvent.Renewed event) {
                fail();
            }
        };
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aListenerThatBlocksHoldsUpNobodyElse() throws Exception {
        whileAListenerBlocks(lease());
    }

    private void whileAListenerBlocks(Duration lease) throws Exception {
        var blocked = new CountDownLatch(1);
        var entered = new CountDownLatch(1);
        Lockkeeper keeper = openKeeper(builder -> builder.lease(lease).listener(blocking(entered, blocked)));
        String name = freshName();
        try (ExclusiveHold kept = keeper.lock(name + "/kept").acquire()) {
            ExclusiveHold fixed =
                    keeper.lock(name + "/fixed").withFixedLease(lease).acquire();
            eventually("a listener blocks", () -> entered.getCount() == 0);
            get(fixed.lost());
            outlast(lease);
            stillHeld(kept);
            keeper.lock(name + "/other").acquire().close();
            get(keeper.lock(name + "/other").acquireAsync()).close();
            Task<@Nullable ExclusiveHold> timed =
                    inThread(() -> keeper.lock(name + "/kept").tryAcquire(Duration.ofMillis(50)));
            assertThat(timed.get()).isNull();
        } finally {
            blocked.countDown();
        }
        soonFree(otherKeeper().lock(name + "/kept"));
    }

    private static KeeperListener blocking(CountDownLatch entered, CountDownLatch blocked) {
        return new KeeperListener() {
            @Override
            public void renewed(KeeperEvent.Renewed event) {
                block();
            }

            @Override
            public void lost(KeeperEvent.Lost event) {
                block();
            }

            private void block() {
                entered.countDown();
                try {
                    blocked.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
    }
}
