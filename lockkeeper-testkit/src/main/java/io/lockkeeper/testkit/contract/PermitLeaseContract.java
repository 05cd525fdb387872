package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.HoldState;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.Overdue;
import io.lockkeeper.Permit;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.ResourceState;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Permits that end by themselves, and permits whose requests were lost. For stores with {@link Capability#PERMITS}. */
public abstract class PermitLeaseContract extends SemaphoreCases {
    @Test
    @AboutTime
    void permitsOfFixedLeaseComeBackOneByOne() throws Exception {
        String name = freshName();
        DistributedSemaphore semaphore = keeper().semaphore(name, 3);
        Permit first = taking(semaphore.withFixedLease(lease()), 1);
        Permit second = taking(semaphore.withFixedLease(lease().multipliedBy(3)), 1);
        Permit third = taking(semaphore.withFixedLease(Duration.ofMinutes(5)), 1);
        assertThat(get(first.lost()).reason()).isEqualTo(Loss.Reason.EXPIRED);
        assertThat(second.state()).isEqualTo(HoldState.HELD);
        eventually("the first is back", () -> semaphore.availablePermits() >= 1);
        assertThat(get(second.lost()).reason()).isEqualTo(Loss.Reason.EXPIRED);
        eventually("the second is back", () -> semaphore.availablePermits() == 2);
        assertThat(third.state()).isEqualTo(HoldState.HELD);
        assertThat(third.remaining()).isPositive();
        third.close();
        available(semaphore, 3);
    }

    @Test
    @AboutTime
    void anExpiredPermitLetsInAWaiter() throws Exception {
        String name = freshName();
        Permit both = taking(keeper().semaphore(name, 2).withFixedLease(lease()), 2);
        Task<Permit> waiter = inThread(() -> otherKeeper().semaphore(name, 2).acquire(2));
        Permit next = waiter.get();
        assertThat(both.state()).isEqualTo(HoldState.LOST);
        next.close();
    }

    @Test
    @AboutTime
    void whatExpiredCannotBeGivenBackAgain() throws Exception {
        String name = freshName();
        DistributedSemaphore semaphore = keeper().semaphore(name, 2);
        Permit expired = taking(semaphore.withFixedLease(lease()), 2);
        get(expired.lost());
        assertThatThrownBy(() -> expired.release(1)).isInstanceOf(LockLostException.class);
        assertThatThrownBy(expired::ensureHeld).isInstanceOf(LockLostException.class);
        eventually("they are back", () -> semaphore.availablePermits() == 2);
        Permit next = taking(otherKeeper().semaphore(name, 2), 2);
        assertThat(expired.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
        expired.close();
        assertThat(next.state()).isEqualTo(HoldState.HELD);
        available(semaphore, 0);
        next.close();
        available(semaphore, 2);
    }

    @Test
    @AboutTime
    void otherPermitsAreRenewedForAsLongAsTheyAreHeld() throws Exception {
        Duration lease = lease();
        String name = freshName();
        DistributedSemaphore semaphore = keeper().semaphore(name, 5).withLease(lease);
        Permit two = taking(semaphore, 2);
        Permit three = taking(semaphore, 3);
        three.release(2);
        outlast(lease);
        stillHeld(two);
        stillHeld(three);
        available(semaphore, 2);
        two.close();
        three.close();
        available(semaphore, 5);
    }

    @Test
    void aLostReplyToAnAttemptCountsOnce() throws Exception {
        String name = freshName();
        FaultyBackend faulty = faulty();
        DistributedSemaphore semaphore = openKeeper(faulty).semaphore(name, 4);
        List<Permit> out = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            faulty.network().failAfter(Call.ATTEMPT, 1 + i);
            out.add(semaphore.acquire());
        }
        assertThat(out).extracting(Permit::token).doesNotHaveDuplicates();
        available(keeper().semaphore(name, 4), 1);
        out.forEach(Permit::close);
        eventually("all are back", () -> keeper().semaphore(name, 4).availablePermits() == 4);
    }

    @Test
    void anAttemptWithoutAnAnswerIsUndone() throws Exception {
        String name = freshName();
        FaultyBackend faulty = faulty();
        DistributedSemaphore semaphore = openKeeper(faulty, builder -> builder.lease(Duration.ofMinutes(5)))
                .semaphore(name, 2);
        faulty.network().failAfter(Call.ATTEMPT, 1_000);
        assertThatThrownBy(semaphore::tryAcquire).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> semaphore.tryAcquire(1, Duration.ofMillis(100)))
                .isInstanceOf(StoreUnavailableException.class);
        CompletableFuture<Permit> cancelled = semaphore.acquireAsync();
        cancelled.cancel(true);
        faulty.network().heal();
        eventually("all are back", () -> keeper().semaphore(name, 2).availablePermits() == 2);
        got(keeper().semaphore(name, 2).tryAcquire(2, PATIENCE)).close();
    }

    @Test
    void aLostReplyToAPartialReleaseGivesBackOnce() throws Exception {
        String name = freshName();
        FaultyBackend faulty = faulty();
        Permit three = taking(openKeeper(faulty).semaphore(name, 3), 3);
        faulty.network().failAfter(Call.NARROW, 1);
        ReleaseOutcome outcome = three.release(1);
        assertThat(outcome).isNotEqualTo(ReleaseOutcome.NOT_HELD);
        assertThat(three.permits()).isEqualTo(2);
        DistributedSemaphore semaphore = keeper().semaphore(name, 3);
        eventually("one is back", () -> semaphore.availablePermits() == 1);
        letPass(A_WHILE);
        available(semaphore, 1);
        three.close();
        eventually("all are back", () -> semaphore.availablePermits() == 3);
    }

    @Test
    void aReleaseWithoutAnAnswerIsSettledLater() throws Exception {
        String name = freshName();
        FaultyBackend faulty = faulty();
        Lockkeeper keeper = openKeeper(faulty, builder -> builder.lease(Duration.ofMinutes(5)));
        Permit two = taking(keeper.semaphore(name, 2), 2);
        faulty.network().cut(Call.RELEASE);
        assertThat(two.release()).isEqualTo(ReleaseOutcome.UNKNOWN);
        assertThat(two.state()).isEqualTo(HoldState.RELEASED);
        available(keeper().semaphore(name, 2), 0);
        faulty.network().heal();
        eventually("all are back", () -> keeper().semaphore(name, 2).availablePermits() == 2);
    }

    @TestIfOffered(Capability.FORCE_RELEASE)
    @AboutTime
    void permitsThatTheStoreGaveAwayAreLost() throws Exception {
        String name = freshName();
        // A third of it is soon, all of it is later than a machine stalls: else they would be lost by their deadline.
        DistributedSemaphore semaphore = keeper().semaphore(name, 3).withLease(lease().multipliedBy(4));
        Permit two = taking(semaphore, 2);
        Permit one = taking(semaphore, 1);
        assertThat(otherKeeper().forceRelease(semaphoreNamed(name))).isTrue();
        assertThat(get(two.lost()).resource()).isEqualTo(semaphoreNamed(name));
        get(one.lost());
        assertThatThrownBy(() -> two.release(1)).isInstanceOf(LockLostException.class);
        available(semaphore, 3);
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void permitsKeptTooLongComeBack() throws Exception {
        String name = freshName();
        DistributedSemaphore semaphore = keeper().semaphore(name, 2).withLease(PATIENCE.multipliedBy(4));
        Permit kept = taking(semaphore.withMaxHold(brief(), Overdue.LOSE), 2);
        assertThat(get(kept.lost()).reason()).isEqualTo(Loss.Reason.EXPIRED);
        assertThat(kept.isHeld()).isFalse();
        eventually("they are back", () -> semaphore.availablePermits() == 2);
    }

    @Test
    void aSemaphoreSaysWhoHasItsPermits() throws Exception {
        String name = freshName();
        DistributedSemaphore semaphore = otherKeeper().semaphore(name, 3);
        try (Permit two = taking(keeper().semaphore(name, 3), 2)) {
            assertThat(two.isHeld()).isTrue();
            ResourceState state = semaphore.inspect().orElseThrow();
            assertThat(state.grants()).singleElement().satisfies(grant -> {
                assertThat(grant.permits()).isEqualTo(2);
                assertThat(grant.holder().keeper()).isEqualTo(keeper().id());
            });
            assertThat(get(semaphore.inspectAsync())).isPresent();
        }
    }
}
