package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HandOff;
import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.KeeperEvent;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.Permit;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Capability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a keeper tells its listener, and when; and that no listener can harm a lock. */
public abstract class ListenerContract extends PrimitiveContract {

    @Override
    protected Object make(Lockkeeper keeper, String name) {
        return keeper.lock(name);
    }

    @Test
    void aHoldBeginsAndEndsOnTheThreadOfItsCaller() throws Exception {
        var witness = new Witness();
        Lockkeeper keeper = openKeeper(builder -> builder.listener(witness));
        String name = freshName();
        ExclusiveHold hold = keeper.lock(name).acquire();
        Witness.Event acquired = witness.only("acquired");
        assertThat(acquired.resource()).isEqualTo(lockNamed(name));
        assertThat(acquired.token()).isEqualTo(hold.token());
        assertThat(acquired.detail()).as("handed on").isEqualTo(false);
        assertThat(acquired.thread()).isSameAs(Thread.currentThread());
        assertThat(witness.events("released")).isEmpty();
        hold.close();
        hold.close();
        Witness.Event released = witness.only("released");
        assertThat(released.resource()).isEqualTo(lockNamed(name));
        assertThat(released.token()).isEqualTo(hold.token());
        assertThat(released.detail()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(released.thread()).isSameAs(Thread.currentThread());
        assertThat(released.time()).isGreaterThanOrEqualTo(Duration.ZERO);
        assertThat(witness.events("waiting")).isEmpty();
        assertThat(witness.events("gaveUp")).isEmpty();
    }

    @Test
    void aWaitIsReportedFirstAndThenHowLongItTook() throws Exception {
        var witness = new Witness();
        Lockkeeper keeper = openKeeper(builder -> builder.listener(witness));
        String name = freshName();
        ExclusiveHold busy = otherKeeper().lock(name).acquire();
        Task<ExclusiveHold> waiter = inThread(() -> keeper.lock(name).acquire());
        eventually(
                "it is told of",
                () -> witness.events("waiting", lockNamed(name)).size() == 1);
        letPass(Duration.ofMillis(50));
        assertThat(witness.events("acquired")).isEmpty();
        busy.close();
        ExclusiveHold hold = waiter.get();
        assertThat(witness.only("acquired").token()).isEqualTo(hold.token());
        assertThat(witness.only("acquired").time()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
        assertThat(witness.events("waiting")).hasSize(1);
        hold.close();
    }

    @Test
    void whoGivesUpIsToldOf() throws Exception {
        var witness = new Witness();
        Lockkeeper keeper = openKeeper(builder -> builder.listener(witness));
        String name = freshName();
        ExclusiveHold busy = otherKeeper().lock(name).acquire();
        assertThat(keeper.lock(name).tryAcquire(Duration.ofMillis(50))).isNull();
        eventually(
                "the time limit",
                () -> witness.events("gaveUp", lockNamed(name)).size() == 1);
        // A first request that takes longer than the timeout leaves no time to wait.
        int waits = witness.events("waiting").size();
        Task<ExclusiveHold> interrupted = inThread(() -> keeper.lock(name).acquire());
        eventually("it waits", () -> witness.events("waiting").size() == waits + 1);
        interrupted.interrupt();
        eventually("the interrupt", () -> witness.events("gaveUp").size() == 2);
        CompletableFuture<ExclusiveHold> cancelled = keeper.lock(name).acquireAsync();
        eventually("it waits", () -> witness.events("waiting").size() == waits + 2);
        cancelled.cancel(true);
        eventually("the cancel", () -> witness.events("gaveUp").size() == 3);
        assertThat(witness.events("acquired")).isEmpty();
        busy.close();
    }

    @Test
    void eachAcquisitionIsRequestedOnceAndEndsOnce() throws Exception {
        var witness = new Witness();
        Lockkeeper keeper = openKeeper(builder -> builder.listener(witness));
        String name = freshName();
        ExclusiveHold busy = otherKeeper().lock(name).acquire();
        assertThat(keeper.lock(name).tryAcquire()).isNull();
        assertThat(get(keeper.lock(name).tryAcquireAsync())).isNull();
        Task<ExclusiveHold> interrupted = inThread(() -> keeper.lock(name).acquire());
        eventually("it waits", () -> witness.events("waiting").size() == 1);
        interrupted.interrupt();
        eventually("the interrupt", () -> witness.events("gaveUp").size() == 3);
        CompletableFuture<ExclusiveHold> cancelled = keeper.lock(name).acquireAsync();
        eventually("it waits", () -> witness.events("waiting").size() == 2);
        cancelled.cancel(true);
        eventually("the cancel", () -> witness.events("gaveUp").size() == 4);
        CompletableFuture<ExclusiveHold> patient = keeper.lock(name).acquireAsync();
        eventually("it waits", () -> witness.events("waiting").size() == 3);
        busy.close();
        get(patient).close();
        assertThat(witness.acquisitions()).hasSize(5);
        assertThat(witness.kinds(witness.acquisitions().get(0))).containsExactly("requested", "gaveUp");
        assertThat(witness.kinds(witness.acquisitions().get(1))).containsExactly("requested", "gaveUp");
        assertThat(withoutPolls(witness, 2)).containsExactly("requested", "waiting", "gaveUp");
        assertThat(withoutPolls(witness, 3)).containsExactly("requested", "waiting", "gaveUp");
        assertThat(withoutPolls(witness, 4)).containsExactly("requested", "waiting", "acquired", "released");
        assertThat(witness.events("gaveUp"))
                .extracting(Witness.Event::detail)
                .containsExactly(
                        KeeperEvent.GaveUp.Cause.TIMEOUT,
                        KeeperEvent.GaveUp.Cause.TIMEOUT,
                        KeeperEvent.GaveUp.Cause.INTERRUPTED,
                        KeeperEvent.GaveUp.Cause.CANCELLED);
        Witness.Event requested = witness.events("requested", lockNamed(name)).get(4);
        assertThat(requested.thread()).as("of a future, too").isSameAs(Thread.currentThread());
        assertThat(requested.detail()).isEqualTo(fixture().backend().kind());
    }

    private static List<String> withoutPolls(Witness witness, int index) {
        return witness.kinds(witness.acquisitions().get(index)).stream()
                .filter(kind -> !kind.equals("polled"))
                .toList();
    }

    @Test
    void aWaiterThatTheKeepersCloseEndsIsToldAsFailed() throws Exception {
        var witness = new Witness();
        Lockkeeper keeper = openKeeper(builder -> builder.listener(witness));
        String name = freshName();
        ExclusiveHold busy = otherKeeper().lock(name).acquire();
        Task<ExclusiveHold> waiter = inThread(() -> keeper.lock(name).acquire());
        CompletableFuture<ExclusiveHold> future = keeper.lock(name).acquireAsync();
        eventually("both wait", () -> witness.events("waiting").size() == 2);
        keeper.close();
        eventually("both failed", () -> witness.events("failed").size() == 2);
        assertThat(witness.events("failed")).allMatch(event -> event.detail() instanceof KeeperClosedException);
        assertThatThrownBy(() -> get(future)).isNotNull();
        assertThatThrownBy(waiter::get).isNotNull();
        busy.close();
    }

    @Test
    void aWaiterThatHearsNothingPollsAndSaysSo() throws Exception {
        var witness = new Witness();
        Lockkeeper keeper = openKeeper(builder -> builder.listener(witness));
        String name = freshName();
        ExclusiveHold busy = otherKeeper().lock(name).acquire();
        Task<ExclusiveHold> waiter = inThread(() -> keeper.lock(name).acquire());
        eventually("it polls", () -> witness.events("polled", lockNamed(name)).size() >= 2);
        assertThat(witness.kinds().indexOf("polled"))
                .isGreaterThan(witness.kinds().indexOf("waiting"));
        busy.close();
        waiter.get().close();
    }

    @Test
    void aHoldThatIsHandedOnSaysSo() throws Exception {
        var witness = new Witness();
        Lockkeeper keeper =
                openKeeper(builder -> builder.listener(witness).handOff(new HandOff(64, Duration.ofMinutes(1))));
        String name = freshName();
        List<Task<ExclusiveHold>> waiters = new ArrayList<>();
        ExclusiveHold first = keeper.lock(name).acquire();
        for (int i = 0; i < 3; i++) {
            waiters.add(inThread(() -> {
                ExclusiveHold hold = keeper.lock(name).acquire();
                hold.close();
                return hold;
            }));
        }
        eventually("all wait", () -> witness.events("waiting").size() == 3);
        first.close();
        List<ExclusiveHold> holds = results(waiters);
        assertThat(witness.events("acquired")).hasSize(4);
        assertThat(witness.events("released")).hasSize(4);
        List<Long> tokens =
                new ArrayList<>(holds.stream().map(ExclusiveHold::token).toList());
        tokens.add(first.token());
        assertThat(witness.events("acquired"))
                .extracting(Witness.Event::token)
                .containsExactlyInAnyOrderElementsOf(tokens);
        boolean handedOn = witness.events("acquired").stream()
                .anyMatch(event -> event.detail().equals(true));
        assertThat(handedOn).isEqualTo(can(Capability.HAND_OFF));
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry") // The inner pair has nothing to protect.
    void nestingIsNoHoldOfItsOwn() {
        var witness = new Witness();
        DistributedLock lock = openKeeper(builder -> builder.listener(witness)).lock(freshName());
        lock.lock();
        try {
            lock.lock();
            lock.unlock();
            assertThat(witness.events("acquired")).hasSize(1);
            assertThat(witness.events("nested")).hasSize(1);
            assertThat(witness.events("released")).isEmpty();
        } finally {
            lock.unlock();
        }
        assertThat(witness.events("released")).hasSize(1);
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void renewalsAreTold() throws Exception {
        Duration lease = lease();
        var witness = new Witness();
        Lockkeeper keeper = openKeeper(builder -> builder.listener(witness).lease(lease));
        try (ExclusiveHold hold = keeper.lock(freshName()).acquire()) {
            outlast(lease);
            stillHeld(hold);
            if (can(Capability.EXPIRES)) {
                eventually("renewals are told", () -> witness.events("renewed").size() >= 2);
                assertThat(witness.events("renewed").get(0).detail()).isEqualTo(1);
            }
            assertThat(witness.events("lost")).isEmpty();
        }
    }

    @Test
    void closingTheKeeperTellsOfEachLoss() throws Exception {
        var witness = new Witness();
        Lockkeeper keeper = openKeeper(builder -> builder.listener(witness));
        ExclusiveHold one = keeper.lock(freshName()).acquire();
        ExclusiveHold two = keeper.lock(freshName()).acquire();
        keeper.close();
        eventually("both are told", () -> witness.events("lost").size() == 2);
        assertThat(witness.events("lost"))
                .extracting(Witness.Event::token)
                .containsExactlyInAnyOrder(one.token(), two.token());
        assertThat(witness.events("lost"))
                .allMatch(event -> ((Loss) event.detail()).reason() == Loss.Reason.KEEPER_CLOSED);
    }

    @Test
    void otherPrimitivesAreToldOfUnderTheirFamily() throws Exception {
        var witness = new Witness();
        Lockkeeper keeper = openKeeper(builder -> builder.listener(witness));
        String name = freshName();
        keeper.segmentedLock(name, 1).acquire().close();
        keeper.multiLock(name + "/a", name + "/b").acquire().close();
        List<Resource> resources = new ArrayList<>(List.of(lockNamed(name + "/a"), lockNamed(name + "/b")));
        if (can(Capability.PERMITS)) {
            Permit permits = got(keeper.semaphore(name, 3).tryAcquire(2));
            permits.release(1);
            permits.close();
            resources.add(semaphoreNamed(name));
        }
        assertThat(witness.events("acquired"))
                .extracting(Witness.Event::resource)
                .containsAll(resources);
        assertThat(witness.events("acquired")).hasSize(resources.size() + 1);
        assertThat(witness.events("released")).hasSize(resources.size() + 1);
    }
}
