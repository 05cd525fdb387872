package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.Permit;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Permits that all processes share: how many there are, and who has them. For stores with {@link Capability#PERMITS}. */
public abstract class SemaphoreContract extends SemaphoreCases {

    @Test
    void asManyAsThereAreAreOutAndNoMore() throws Exception {
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name, 3);
        DistributedSemaphore there = otherKeeper().semaphore(name, 3);
        assertThat(here.name()).isEqualTo(name);
        assertThat(here.permits()).isEqualTo(3);
        available(here, 3);
        List<Permit> out = List.of(taking(here, 1), taking(there, 1), taking(here, 1));
        assertThat(out).allMatch(permit -> permit.state() == HoldState.HELD && permit.permits() == 1);
        assertThat(out).extracting(Permit::id).doesNotHaveDuplicates();
        assertThat(out).extracting(Permit::token).doesNotHaveDuplicates();
        available(there, 0);
        taken(here);
        taken(there);
        out.get(0).close();
        available(here, 1);
        free(there);
        out.forEach(Permit::close);
        available(there, 3);
    }

    @Test
    void severalAtOnceAreTakenTogetherOrNotAtAll() throws Exception {
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name, 5);
        DistributedSemaphore there = otherKeeper().semaphore(name, 5);
        Permit three = taking(here, 3);
        assertThat(three.permits()).isEqualTo(3);
        assertThat(there.tryAcquire(3)).isNull();
        available(there, 2);
        Permit two = taking(there, 2);
        taken(here);
        assertThat(three.release()).isEqualTo(ReleaseOutcome.RELEASED);
        available(here, 3);
        two.close();
        taking(there, 5).close();
    }

    @Test
    void someCanBeGivenBackAndTheOthersKept() throws Exception {
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name, 3);
        DistributedSemaphore there = otherKeeper().semaphore(name, 3);
        Permit permit = taking(here, 3);
        long token = permit.token();
        assertThat(permit.release(2)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(permit.permits()).isEqualTo(1);
        assertThat(permit.state()).isEqualTo(HoldState.HELD);
        assertThat(permit.token()).isEqualTo(token);
        available(here, 2);
        Permit others = taking(there, 2);
        taken(there);
        others.close();
        assertThat(permit.release(1)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(permit.state()).isEqualTo(HoldState.RELEASED);
        available(there, 3);
        permit.close();
        available(there, 3);
    }

    @Test
    void morePermitsThanHeldCannotBeGivenBack() throws Exception {
        String name = freshName();
        DistributedSemaphore semaphore = keeper().semaphore(name, 4);
        Permit mine = taking(semaphore, 2);
        Permit others = taking(otherKeeper().semaphore(name, 4), 2);
        for (int wrong : new int[] {3, 0, -1, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> mine.release(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Integer.toString(wrong));
        }
        assertThat(mine.permits()).isEqualTo(2);
        available(semaphore, 0);
        mine.release(2);
        assertThat(mine.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(mine.permits()).isZero();
        assertThatThrownBy(() -> mine.release(1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(others.state()).isEqualTo(HoldState.HELD);
        available(semaphore, 2);
        others.close();
        available(semaphore, 4);
    }

    @Test
    void numbersThatMakeNoSenseAreRefusedWithASentence() {
        String name = freshName();
        DistributedSemaphore semaphore = keeper().semaphore(name, 3);
        for (int wrong : new int[] {0, -2, 4}) {
            for (Script script : List.<Script>of(
                    () -> semaphore.acquire(wrong),
                    () -> semaphore.tryAcquire(wrong),
                    () -> semaphore.tryAcquire(wrong, Duration.ofSeconds(1)))) {
                assertThatThrownBy(script::play)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(Integer.toString(wrong))
                        .hasMessageContaining("3");
            }
        }
        assertThatThrownBy(() -> keeper().semaphore(name, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0");
        assertThatThrownBy(() -> semaphore.resize(0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(semaphore.permits()).isEqualTo(3);
        available(semaphore, 3);
    }

    @Test
    void anotherSizeIsRefusedWithBothNumbers() throws Exception {
        String name = freshName();
        Permit permit = taking(keeper().semaphore(name, 37), 1);
        for (Lockkeeper keeper : List.of(keeper(), otherKeeper())) {
            DistributedSemaphore other = keeper.semaphore(name, 59);
            for (Script script : List.<Script>of(
                    other::acquire, other::tryAcquire, () -> other.tryAcquire(2, Duration.ofSeconds(5)))) {
                assertThatThrownBy(script::play).satisfies(refusal -> refusedWith(refusal, name));
            }
            refusedWith(failureOf(other.acquireAsync()), name);
        }
        assertThat(permit.state()).isEqualTo(HoldState.HELD);
        permit.close();
        assertThatThrownBy(() -> otherKeeper().semaphore(name, 59).acquire())
                .as("the size is kept while nobody has a permit")
                .satisfies(refusal -> refusedWith(refusal, name));
        free(otherKeeper().semaphore(name, 37));
    }

    private static void refusedWith(Throwable refusal, String name) {
        assertThat(refusal)
                .isInstanceOf(ClaimRefusedException.class)
                .hasMessageContaining(name)
                .hasMessageContaining("37")
                .hasMessageContaining("59");
    }

    @Test
    void aLargerSizeLetsMoreIn() throws Exception {
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name, 1);
        Permit first = taking(here, 1);
        taken(here);
        here.resize(3);
        assertThat(here.permits()).isEqualTo(3);
        available(here, 2);
        Permit two = taking(here, 2);
        if (!can(Capability.SIZES)) {
            assertThatThrownBy(() -> otherKeeper().semaphore(name, 1).tryAcquire())
                    .isInstanceOf(ClaimRefusedException.class)
                    .hasMessageContaining("1")
                    .hasMessageContaining("3");
        }
        taken(otherKeeper().semaphore(name, 3));
        first.close();
        free(otherKeeper().semaphore(name, 3));
        two.close();
        get(here.resizeAsync(2));
        assertThat(here.permits()).isEqualTo(2);
        free(otherKeeper().semaphore(name, 2));
    }

    @Test
    @AboutTime
    void aSmallerSizeTakesNothingAwayAndIsReachedByReleases() throws Exception {
        Duration lease = lease();
        String name = freshName();
        DistributedSemaphore here = keeper().semaphore(name, 3).withLease(lease);
        List<Permit> out = List.of(taking(here, 1), taking(here, 1), taking(here, 1));
        here.resize(1);
        outlast(lease);
        out.forEach(this::stillHeld);
        DistributedSemaphore there = otherKeeper().semaphore(name, 1);
        available(there, 0);
        out.get(0).close();
        taken(there);
        out.get(1).close();
        taken(there);
        out.get(2).close();
        Permit only = taking(there, 1);
        taken(here);
        only.close();
    }

    @Test
    void thePermitsOfAClosedKeeperComeBack() throws Exception {
        String name = freshName();
        Lockkeeper closing = openKeeper();
        Permit two = taking(closing.semaphore(name, 3), 2);
        Permit one = taking(closing.semaphore(name, 3), 1);
        closing.close();
        assertThat(get(two.lost()).reason()).isEqualTo(Loss.Reason.KEEPER_CLOSED);
        assertThat(get(one.lost()).reason()).isEqualTo(Loss.Reason.KEEPER_CLOSED);
        DistributedSemaphore semaphore = keeper().semaphore(name, 3);
        eventually("all are back", () -> semaphore.availablePermits() == 3);
        taking(semaphore, 3).close();
    }

    @Test
    @AboutTime
    void thePermitsOfAKilledProcessComeBackAndOnlyThose() throws Exception {
        Duration lease = lease();
        String name = freshName();
        Peer victim = peer(lease);
        assertThat(victim.ask("permits " + name + " 2 4")).startsWith("held");
        DistributedSemaphore semaphore = keeper().semaphore(name, 4);
        Permit mine = taking(semaphore, 1);
        available(semaphore, 1);
        victim.kill();
        eventually("two come back", () -> semaphore.availablePermits() == 3);
        assertThat(mine.state()).isEqualTo(HoldState.HELD);
        mine.close();
        available(semaphore, 4);
    }

    @Test
    void neverAreMoreOutThanThereAre() throws Exception {
        String name = freshName();
        int size = 5;
        var out = new AtomicInteger();
        var most = new AtomicInteger();
        List<Task<@Nullable Void>> tasks = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            DistributedSemaphore semaphore = (i % 2 == 0 ? keeper() : otherKeeper()).semaphore(name, size);
            int wanted = 1 + i % 3;
            tasks.add(running(() -> {
                for (int round = 0; round < 15; round++) {
                    Permit permit = semaphore.acquire(wanted);
                    most.accumulateAndGet(out.addAndGet(wanted), Math::max);
                    int part = round % 2 == 0 ? wanted - 1 : 0;
                    if (part > 0) {
                        out.addAndGet(-part);
                        permit.release(part);
                    }
                    out.addAndGet(part - wanted);
                    permit.close();
                }
            }));
        }
        untilDone(tasks);
        results(tasks);
        assertThat(most.get()).isBetween(1, size);
        // What was granted to one who had got a permit handed on meanwhile is given back in the background.
        eventually("all are back", () -> keeper().semaphore(name, size).availablePermits() == size);
    }

    @Test
    void theStoreTellsWhoHasHowMany() throws Exception {
        String name = freshName();
        Resource resource = semaphoreNamed(name);
        try (Permit permit = taking(keeper().semaphore(name, 6), 4)) {
            ResourceState state = otherKeeper().inspect(resource).orElseThrow();
            assertThat(state.permits()).isEqualTo(6);
            assertThat(state.grants().stream()
                            .mapToInt(ResourceState.Grant::permits)
                            .sum())
                    .isEqualTo(4);
            assertThat(state.grants()).allMatch(grant -> grant.holder().keeper().equals(keeper().id()));
            assertThat(permit.name()).isEqualTo(name);
        }
    }

    @Test
    void aLockOfTheSameNameIsSomethingElse() throws Exception {
        String name = freshName();
        try (var lock = keeper().lock(name).acquire();
                var permit = taking(otherKeeper().semaphore(name, 1), 1)) {
            assertThat(lock.state()).isEqualTo(HoldState.HELD);
            assertThat(permit.state()).isEqualTo(HoldState.HELD);
        }
    }
}
