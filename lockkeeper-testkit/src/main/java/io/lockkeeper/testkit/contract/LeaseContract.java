package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.Overdue;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Durations;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import io.lockkeeper.testkit.LockProgram;
import io.lockkeeper.testkit.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a hold lasts: renewed ones until released, fixed ones for their time, those of the dead for their lease. */
@SuppressWarnings("LockNotBeforeTry")
public abstract class LeaseContract extends ContractTest {

    @Test
    @AboutTime
    void renewedHoldsOutliveTheirLease() throws Exception {
        Duration lease = lease();
        List<ExclusiveHold> holds = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            holds.add(take(keeper().lock(freshName()).withLease(lease)));
        }
        letPass(lease.multipliedBy(5).dividedBy(2));
        for (ExclusiveHold hold : holds) {
            assertKept(hold);
            taken(otherKeeper().lock(hold.name()));
            hold.close();
        }
    }

    @Test
    @AboutTime
    void aFixedLeaseEndsByItself() throws Exception {
        String name = freshName();
        ExclusiveHold hold = take(keeper().lock(name).withFixedLease(lease()));
        assertThat(hold.remaining()).isLessThanOrEqualTo(lease());
        assertExcludesOthers(hold);
        Loss loss = get(hold.lost());
        assertThat(loss.reason()).isEqualTo(Loss.Reason.EXPIRED);
        assertThat(loss.token()).isEqualTo(hold.token());
        assertThat(loss.holdId()).isEqualTo(hold.id());
        assertThat(loss.resource()).isEqualTo(lockNamed(name));
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(hold.remaining()).isZero();
        otherKeeper().lock(name).acquire().close();
    }

    // Safety rule 1: what the holder believes ends before the store gives it to another.
    @Test
    @AboutTime
    void aHoldIsOverForItsHolderBeforeAnotherGetsIt() throws Exception {
        String name = freshName();
        for (int i = 0; i < 4; i++) {
            ExclusiveHold hold = take(keeper().lock(name).withFixedLease(brief()));
            try (SingleHold next = otherKeeper().lock(name).acquire()) {
                assertThat(hold.state()).isEqualTo(HoldState.LOST);
                assertThat(hold.remaining()).isZero();
            }
        }
    }

    // D10: the lease of a view is not that of the next acquisition, whichever thread made it.
    @Test
    @AboutTime
    @DecidedByKeeper
    void aViewsLeaseDoesNotLeakIntoTheNextAcquisition() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        ExclusiveHold fixed = inThread(() -> take(lock.withFixedLease(brief()))).get();
        eventually("the fixed one ends", () -> fixed.state() == HoldState.LOST);
        try (ExclusiveHold renewed = lock.acquire()) {
            assertThat(renewed.remaining()).isGreaterThan(brief().multipliedBy(4));
            letPass(brief().multipliedBy(2));
            assertThat(renewed.state()).isEqualTo(HoldState.HELD);
            taken(otherKeeper().lock(lock.name()));
        }
    }

    // D11: a fixed lease nested in a renewed one ends neither the renewals nor the hold.
    @Test
    @AboutTime
    @DecidedByKeeper
    void aFixedLeaseNestedInARenewedHoldChangesNothing() {
        DistributedLock lock = keeper().lock(freshName());
        lock.lock();
        lock.withFixedLease(brief()).lock();
        long token = lock.currentHold().token();
        assertThat(lock.holdCount()).isEqualTo(2);
        lock.withFixedLease(brief()).unlock();
        letPass(brief().multipliedBy(2));
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(lock.currentHold().token()).isEqualTo(token);
        assertThat(lock.currentHold().state()).isEqualTo(HoldState.HELD);
        taken(otherKeeper().lock(lock.name()));
        lock.unlock();
        assertNoTrace(lock.name());
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aRenewedLeaseNestedInAFixedOneDoesNotKeepItAlive() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        lock.withFixedLease(lease()).lock();
        lock.lock();
        SingleHold hold = lock.currentHold();
        assertThat(get(hold.lost()).reason()).isEqualTo(Loss.Reason.EXPIRED);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        otherKeeper().lock(lock.name()).acquire().close();
    }

    @Test
    @AboutTime
    void aWaiterGetsItsOwnLeaseNotTheHolders() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        ExclusiveHold first = take(lock);
        Task<ExclusiveHold> waiter = inThread(() -> lock.withFixedLease(brief()).acquire());
        awaitParked(waiter);
        first.close();
        ExclusiveHold fixed = waiter.get();
        assertThat(fixed.remaining()).isLessThanOrEqualTo(brief());
        Task<ExclusiveHold> next = inThread(lock::acquire);
        ExclusiveHold renewed = next.get();
        assertThat(fixed.state()).isEqualTo(HoldState.LOST);
        if (can(Capability.EXPIRES)) {
            // In a session it is never more than the session surely has.
            Duration least = Duration.ofSeconds(can(Capability.LEASES) ? 40 : 15);
            assertThat(renewed.remaining()).isBetween(least, Duration.ofSeconds(60));
        }
        renewed.close();
    }

    // D15: every form honours the lease of its view.
    @Test
    void everyFormHonoursTheLease() throws Exception {
        Duration lease = Duration.ofSeconds(7);
        DistributedLock lock = keeper().lock(freshName()).withFixedLease(lease);
        List<Duration> remaining = new ArrayList<>();
        try (SingleHold hold = lock.acquire()) {
            remaining.add(hold.remaining());
        }
        try (SingleHold hold = take(lock)) {
            remaining.add(hold.remaining());
        }
        try (SingleHold hold = held(lock.tryAcquire(PATIENCE))) {
            remaining.add(hold.remaining());
        }
        try (SingleHold hold = get(lock.acquireAsync())) {
            remaining.add(hold.remaining());
        }
        lock.lock();
        remaining.add(lock.currentHold().remaining());
        lock.unlock();
        assertThat(remaining).hasSize(5).allSatisfy(left -> assertThat(left).isBetween(lease.dividedBy(3), lease));
    }

    @Test
    void whatIsRenewedHasItsLeaseBeforeIt() throws Exception {
        try (SingleHold hold =
                keeper().lock(freshName()).withLease(Duration.ofSeconds(9)).acquire()) {
            if (can(Capability.EXPIRES)) {
                assertThat(hold.remaining()).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(9));
            } else {
                assertThat(hold.remaining()).isGreaterThan(Duration.ofDays(300));
            }
        }
    }

    @Test
    void leasesThatCannotWorkAreRefused() {
        DistributedLock lock = keeper().lock(freshName());
        List<Duration> bad = List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofMillis(99), Duration.ofNanos(1));
        for (Duration lease : bad) {
            assertThatThrownBy(() -> lock.withLease(lease))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Durations.text(lease));
            assertThatThrownBy(() -> lock.withFixedLease(lease)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Lockkeeper.builder().lease(lease)).isInstanceOf(IllegalArgumentException.class);
        }
        lock.withLease(Duration.ofMillis(100));
        Duration tooLong = fixture().backend().longestLease().plusSeconds(1);
        assertThatThrownBy(() -> lock.withLease(tooLong).tryAcquire())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Durations.text(tooLong));
        assertNoTrace(lock.name());
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aHoldKeptTooLongIsReportedAndKept() {
        try (SingleHold hold = take(keeper().lock(freshName()).withMaxHold(brief(), Overdue.REPORT))) {
            letPass(brief().multipliedBy(2));
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            taken(otherKeeper().lock(hold.name()));
        }
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aHoldKeptTooLongIsLostAndGivenBack() throws Exception {
        // Its lease ends later than anybody here waits.
        DistributedLock lock = keeper().lock(freshName()).withLease(PATIENCE.multipliedBy(4));
        ExclusiveHold hold = take(lock.withMaxHold(brief(), Overdue.LOSE));
        assertThat(get(hold.lost()).reason()).isEqualTo(Loss.Reason.EXPIRED);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        held(otherKeeper().lock(hold.name()).tryAcquire(PATIENCE)).close();
    }

    // Safety rule 8 and 11: a paused holder loses it after its lease where leases end by the store's clock, and learns
    // of
    // it when it goes on; elsewhere it keeps it.
    @Test
    @AboutTime
    void aPausedHolderLosesItWithItsLease() throws Exception {
        String name = freshName();
        Peer peer = peer(lease());
        long token = LockProgram.token(peer.ask("acquire " + name));
        peer.pause();
        if (can(Capability.EXPIRES)) {
            try (ExclusiveHold next = held(keeper().lock(name).tryAcquire(PATIENCE))) {
                assertThat(next.token()).isGreaterThan(token);
                peer.resume();
                eventually("the paused one knows", () -> peer.ask("state").equals("LOST"));
                assertThat(peer.ask("release")).isEqualTo("NOT_HELD");
                assertThat(next.state()).isEqualTo(HoldState.HELD);
                taken(otherKeeper().lock(name));
            }
        } else {
            assertThat(keeper().lock(name).tryAcquire(lease().multipliedBy(2))).isNull();
            peer.resume();
            assertThat(peer.ask("state")).isEqualTo("HELD");
            assertThat(peer.ask("release")).isEqualTo("RELEASED");
        }
    }

    // A holder that looks whether it still holds the lock must not wait for a store that hangs.
    @Test
    void whatAHoldSaysOfItselfNeedsNoStore() throws Exception {
        FaultyBackend hanging = faulty();
        DistributedLock lock = openKeeper(hanging).lock(freshName());
        lock.lock();
        ExclusiveHold hold = lock.currentHold();
        hanging.network().hang();
        // Renewals come when they come.
        Call[] kinds = {Call.ATTEMPT, Call.RELEASE, Call.INSPECT};
        long before = hanging.network().calls(kinds);
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(hold.remaining()).isPositive();
        assertThat(hold.token()).isPositive();
        hold.ensureHeld();
        hold.onLost(loss -> {}).close();
        assertThat(hold.lost()).isNotDone();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(2);
        lock.unlock();
        assertThat(hanging.network().calls(kinds)).isEqualTo(before);
        hanging.network().heal();
        lock.unlock();
    }
}
