package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Permit;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Semaphores whose number of permits is in the store. For stores with {@link Capability#SIZES}. */
@Needs(Capability.SIZES)
public abstract class SemaphoreSizeContract extends SemaphoreCases {
    @Override
    protected Object make(Lockkeeper keeper, String name) {
        return keeper.semaphore(name);
    }

    @Test
    void theFirstToSetTheNumberDecidesAndOthersReadIt() throws Exception {
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name);
        DistributedSemaphore there = otherKeeper().semaphore(name);
        assertThat(here.permits()).isZero();
        assertThat(here.storedPermits()).isEmpty();
        assertThat(here.availablePermits()).isZero();
        assertThat(here.trySetPermits(3)).isTrue();
        assertThat(there.trySetPermits(5)).isFalse();
        assertThat(this.<Boolean>get(here.trySetPermitsAsync(7))).isFalse();
        assertThat(there.storedPermits()).hasValue(3);
        assertThat(this.<OptionalInt>get(here.storedPermitsAsync())).hasValue(3);
        available(there, 3);
        Permit two = taking(there, 2);
        Permit one = taking(here, 1);
        taken(here);
        available(here, 0);
        assertThat(two.permits()).isEqualTo(2);
        two.close();
        one.close();
        assertThat(there.storedPermits())
                .as("also while nobody has a permit or waits for one")
                .hasValue(3);
        assertThat(otherKeeper().inspect(Resource.semaphore(name))).isEmpty();
    }

    @Test
    void theNumberOfTheFirstUseCanBeReadWhileItIsIdle() throws Exception {
        String name = freshName();
        taking(keeper().semaphore(name, 4), 1).close();
        assertThat(otherKeeper().semaphore(name).storedPermits()).hasValue(4);
        assertThat(otherKeeper().semaphore(name).trySetPermits(9)).isFalse();
        taking(otherKeeper().semaphore(name), 4).close();
    }

    @Test
    void whileThereIsNoNumberWaitersWaitForIt() throws Exception {
        String name = freshName();
        DistributedSemaphore there = otherKeeper().semaphore(name);
        assertThat(there.tryAcquire()).isNull();
        Task<Permit> thread = waiting(() -> there.acquire(2));
        CompletableFuture<Permit> future = otherKeeper().semaphore(name).acquireAsync();
        assertThat(keeper().semaphore(name).trySetPermits(3)).isTrue();
        Permit two = thread.get();
        Permit one = get(future);
        assertThat(List.of(two, one)).allMatch(permit -> permit.state() == HoldState.HELD);
        taken(there);
        two.close();
        one.close();
    }

    @Test
    void additionsOfAllProcessesCount() throws Exception {
        String name = freshName();
        keeper().semaphore(name).trySetPermits(1);
        List<Task<@Nullable Void>> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            DistributedSemaphore semaphore = (i % 2 == 0 ? keeper() : otherKeeper()).semaphore(name);
            tasks.add(running(() -> {
                for (int round = 0; round < 10; round++) {
                    semaphore.addPermits(3);
                    semaphore.addPermits(-1);
                }
            }));
        }
        untilDone(tasks);
        results(tasks);
        assertThat(keeper().semaphore(name).storedPermits()).hasValue(81);
        assertThat(otherKeeper().semaphore(name).addPermits(-80)).isEqualTo(1);
        assertThat(this.<Integer>get(keeper().semaphore(name).addPermitsAsync(4)))
                .isEqualTo(5);
    }

    @Test
    void addingPermitsWakesWaiters() throws Exception {
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name);
        here.trySetPermits(1);
        Permit only = taking(here, 1);
        Task<Permit> thread = waiting(() -> otherKeeper().semaphore(name).acquire());
        CompletableFuture<Permit> future = otherKeeper().semaphore(name).acquireAsync();
        assertThat(here.addPermits(2)).isEqualTo(3);
        Permit second = thread.get();
        Permit third = get(future);
        assertThat(only.state()).isEqualTo(HoldState.HELD);
        taken(here);
        only.close();
        second.close();
        third.close();
    }

    @Test
    void anAdditionWhoseReplyIsLostCountsOnce() throws Exception {
        String name = freshName();
        FaultyBackend faulty = faulty();
        DistributedSemaphore semaphore = openKeeper(faulty).semaphore(name);
        faulty.network().failAfter(Call.RESIZE, 2);
        assertThat(semaphore.trySetPermits(2))
                .as("the call that set it says so, though it was sent three times")
                .isTrue();
        faulty.network().failAfter(Call.RESIZE, 3);
        assertThat(semaphore.addPermits(5)).isEqualTo(7);
        assertThat(keeper().semaphore(name).storedPermits()).hasValue(7);
    }

    @Test
    void anAdditionThatLeavesNoneIsRefusedAndChangesNothing() throws Exception {
        String name = freshName();
        DistributedSemaphore semaphore = keeper().semaphore(name);
        semaphore.trySetPermits(3);
        for (int wrong : new int[] {-3, -10, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> semaphore.addPermits(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(name)
                    .hasMessageContaining("3")
                    .hasMessageContaining(Integer.toString(wrong));
        }
        assertThat(failureOf(semaphore.addPermitsAsync(-3))).isInstanceOf(IllegalArgumentException.class);
        assertThat(semaphore.storedPermits()).hasValue(3);
        assertThatThrownBy(() -> semaphore.trySetPermits(0)).isInstanceOf(IllegalArgumentException.class);
        for (int wrong : new int[] {0, -1}) {
            assertThatThrownBy(() -> semaphore.tryAcquire(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Integer.toString(wrong));
        }
    }

    @Test
    void additionsToASemaphoreThatNobodyUsedBeginWithTheNumberInTheCode() {
        String name = freshName();
        DistributedSemaphore sized = keeper().semaphore(name, 5);
        assertThat(sized.addPermits(2)).isEqualTo(7);
        assertThat(sized.permits()).isEqualTo(7);
        assertThat(sized.storedPermits()).hasValue(7);
        assertThat(otherKeeper().semaphore(freshName()).addPermits(2)).isEqualTo(2);
    }

    @Test
    void anotherNumberFailsNeitherWaitersNorProcessesWithTheOldOne() throws Exception {
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name, 1);
        Permit only = taking(here, 1);
        Task<Permit> thread = waiting(() -> otherKeeper().semaphore(name, 1).acquire());
        CompletableFuture<Permit> future = otherKeeper().semaphore(name, 1).acquireAsync();
        here.resize(3);
        Permit second = thread.get();
        Permit third = get(future);
        taken(otherKeeper().semaphore(name, 1));
        available(otherKeeper().semaphore(name, 1), 0);
        only.close();
        second.close();
        third.close();
        taking(otherKeeper().semaphore(name, 1), 1).close();
        available(otherKeeper().semaphore(name, 1), 3);
        taking(otherKeeper().semaphore(name), 3).close();
    }

    @Test
    void fewerEndNobodysPermitAndNoneIsGrantedUntilEnoughAreBack() throws Exception {
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name);
        here.trySetPermits(4);
        Permit three = taking(here, 3);
        Permit fourth = taking(here, 1);
        DistributedSemaphore there = otherKeeper().semaphore(name);
        Task<Permit> waiter = waiting(() -> there.acquire());
        assertThat(there.addPermits(-3)).isEqualTo(1);
        fourth.close();
        available(here, 0);
        assertThat(three.release(1)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(three.release(1)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(three.state()).isEqualTo(HoldState.HELD);
        available(here, 0);
        assertThat(waiter.isDone()).isFalse();
        three.close();
        waiter.get().close();
        available(here, 1);
    }

    @Test
    void aClaimForMoreThanThereAreWaitsForThemAndHoldsUpNoOtherProcess() throws Exception {
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name);
        here.trySetPermits(2);
        Task<Permit> many = waiting(() -> otherKeeper().semaphore(name).acquire(4));
        Permit one = got(here.tryAcquire(1, PATIENCE));
        Permit other = got(here.tryAcquire(1, PATIENCE));
        assertThat(many.isDone()).isFalse();
        one.close();
        other.close();
        assertThat(here.addPermits(2)).isEqualTo(4);
        Permit all = many.get();
        taken(here);
        all.close();
    }

    @Test
    void waitersAreNotFailedWhenFewerAreLeftThanTheyWant() throws Exception {
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name, 3);
        Permit one = taking(here, 1);
        Task<Permit> all = waiting(() -> otherKeeper().semaphore(name, 3).acquire(3));
        here.resize(2);
        one.close();
        got(here.tryAcquire(1, PATIENCE)).close();
        assertThat(all.isDone()).isFalse();
        here.resize(3);
        all.get().close();
    }

    @Test
    void drainingTakesAllThatAreFree() throws Exception {
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name);
        assertThat(here.drainPermits()).isNull();
        here.trySetPermits(5);
        Permit two = taking(otherKeeper().semaphore(name), 2);
        Permit rest = got(here.drainPermits());
        assertThat(rest.permits()).isEqualTo(3);
        assertThat(here.drainPermits()).isNull();
        two.close();
        Permit more =
                got(this.<@Nullable Permit>get(otherKeeper().semaphore(name, 5).drainPermitsAsync()));
        assertThat(more.permits()).isEqualTo(2);
        assertThat(this.<@Nullable Permit>get(here.drainPermitsAsync())).isNull();
        more.close();
        rest.close();
        available(here, 5);
    }

    @Test
    void drainingPassesNoWaiter() throws Exception {
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name);
        here.trySetPermits(3);
        Permit one = taking(here, 1);
        Task<Permit> three = waiting(() -> otherKeeper().semaphore(name).acquire(3));
        eventually("the place of the waiter is respected", () -> {
            try (Permit drained = here.drainPermits()) {
                return drained == null;
            }
        });
        one.close();
        three.get().close();
    }

    @Test
    void aNumberThatIsClearedIsGivenAnewByTheNextUse() throws Exception {
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name);
        here.trySetPermits(3);
        Permit held = taking(here, 2);
        here.clearPermits();
        assertThat(here.storedPermits()).isEmpty();
        assertThat(held.state()).isEqualTo(HoldState.HELD);
        taken(otherKeeper().semaphore(name, 2));
        held.close();
        taking(otherKeeper().semaphore(name, 2), 2).close();
        assertThat(here.storedPermits()).hasValue(2);
        get(here.clearPermitsAsync());
        assertThat(here.storedPermits()).isEmpty();
    }

    // What other libraries call an unowned release: by the id of a portable permit, wherever it was acquired.
    @TestIfOffered(Capability.PORTABLE)
    void portablePermitsOfASemaphoreInTheStoreAreReleasedByAnyProcess() throws Exception {
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name);
        here.trySetPermits(2);
        Permit both = got(here.withLease(Duration.ofMinutes(1)).portable().tryAcquire(2));
        taken(otherKeeper().semaphore(name));
        assertThat(otherKeeper().release(Resource.semaphore(name), both.id())).isEqualTo(ReleaseOutcome.RELEASED);
        available(otherKeeper().semaphore(name), 2);
    }
}
