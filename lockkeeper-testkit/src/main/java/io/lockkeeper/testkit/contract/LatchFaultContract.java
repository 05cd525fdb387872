package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.CountPendingException;
import io.lockkeeper.DistributedLatch;
import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Latches when signals, requests and replies get lost or come late. For stores with {@link Capability#LATCH}. */
public abstract class LatchFaultContract extends LatchCases {

    // D9: a lost wake-up costs a poll, never a hang.
    @Test
    void withoutSignalsTheLastCountIsNoticedAllTheSame() throws Exception {
        String name = freshName();
        FaultyBackend deaf = faulty();
        deaf.network().dropSignals(true);
        DistributedLatch latch = openKeeper(deaf).latch(name);
        keeper().latch(name).trySetCount(1);
        Task<Boolean> timed = waiting(() -> latch.await(Duration.ofHours(1)));
        CompletableFuture<@Nullable Void> future = latch.awaitAsync();
        keeper().latch(name).countDown();
        assertThat(timed.get()).isTrue();
        get(future);
    }

    @Test
    void withoutSignalsADeletionIsNoticedAllTheSame() throws Exception {
        String name = freshName();
        FaultyBackend deaf = faulty();
        deaf.network().dropSignals(true);
        keeper().latch(name).trySetCount(1);
        CompletableFuture<@Nullable Void> future = openKeeper(deaf).latch(name).awaitAsync();
        keeper().latch(name).delete();
        get(future);
    }

    @Test
    void aCountWhoseReplyWasLostCountsOnce() throws Exception {
        String name = freshName();
        FaultyBackend faulty = faulty();
        DistributedLatch latch = openKeeper(faulty).latch(name);
        keeper().latch(name).trySetCount(5);
        for (int lost = 1; lost <= 2; lost++) {
            faulty.network().failAfter(Call.LATCH, lost);
            latch.countDown();
            assertThat(keeper().latch(name).count()).isEqualTo(5 - lost);
        }
        faulty.network().failAfter(Call.LATCH, 1);
        get(latch.countDownAsync());
        assertThat(keeper().latch(name).count()).isEqualTo(2);
        keeper().latch(name).delete();
    }

    @Test
    void aCountThatTheStoreNeverGotIsCountedWhenItIsBack() throws Exception {
        String name = freshName();
        FaultyBackend faulty = faulty();
        DistributedLatch latch = openKeeper(faulty).latch(name);
        keeper().latch(name).trySetCount(3);
        assertThat(latch.count()).isEqualTo(3);
        faulty.network().failBefore(Call.LATCH, 1_000);
        assertThatThrownBy(latch::countDown).isInstanceOf(CountPendingException.class);
        assertThat(keeper().latch(name).count()).isEqualTo(3);
        faulty.network().heal();
        eventually("it is counted", () -> keeper().latch(name).count() == 2);
        keeper().latch(name).delete();
    }

    @Test
    void aCountWhoseReplyWasLostIsNotCountedForTheNextGeneration() throws Exception {
        String name = freshName();
        FaultyBackend faulty = faulty();
        DistributedLatch latch = openKeeper(faulty).latch(name);
        keeper().latch(name).trySetCount(1);
        assertThat(latch.count()).isEqualTo(1);
        faulty.network().failAfter(Call.LATCH, 1_000);
        Task<@Nullable Void> counting = running(latch::countDown);
        eventually("it is counted", () -> keeper().latch(name).count() == 0);
        assertThat(keeper().latch(name).trySetCount(3)).isTrue();
        faulty.network().heal();
        eventually("it is over", counting::isDone);
        letPass(A_WHILE);
        assertThat(keeper().latch(name).count()).isEqualTo(3);
        keeper().latch(name).delete();
    }

    @Test
    void whoWaitedForTheLastGenerationIsFreedThoughANewOneBegan() throws Exception {
        String name = freshName();
        FaultyBackend deaf = faulty();
        deaf.network().dropSignals(true);
        DistributedLatch latch = openKeeper(deaf).latch(name);
        keeper().latch(name).trySetCount(1);
        Task<Boolean> waiter = waiting(() -> latch.await(Duration.ofHours(1)));
        CompletableFuture<@Nullable Void> future = latch.awaitAsync();
        // They ask one after the other, and together: before the second time from now both have seen the first
        // generation.
        long asked = deaf.network().calls(Call.LATCH);
        eventually("both have looked", () -> deaf.network().calls(Call.LATCH) >= asked + 2);
        keeper().latch(name).countDown();
        assertThat(keeper().latch(name).trySetCount(1)).isTrue();
        assertThat(waiter.get()).isTrue();
        get(future);
        assertThat(keeper().latch(name).count()).isEqualTo(1);
        assertThat(latch.await(Duration.ofMillis(50))).isFalse();
        keeper().latch(name).delete();
    }

    @Test
    void aSettingWhoseReplyWasLostIsKnownAsOnesOwn() {
        String name = freshName();
        FaultyBackend faulty = faulty();
        DistributedLatch latch = openKeeper(faulty).latch(name);
        faulty.network().failAfter(Call.LATCH, 1);
        assertThat(latch.trySetCount(4)).isTrue();
        assertThat(keeper().latch(name).count()).isEqualTo(4);
        assertThat(latch.trySetCount(4)).isFalse();
        keeper().latch(name).delete();
    }

    @Test
    void aWaiterOutlivesAStoreThatIsSilentForAWhile() throws Exception {
        String name = freshName();
        FaultyBackend faulty = faulty();
        DistributedLatch latch = openKeeper(faulty).latch(name);
        keeper().latch(name).trySetCount(1);
        Task<Boolean> waiter = waiting(() -> latch.await(Duration.ofHours(1)));
        CompletableFuture<@Nullable Void> future = latch.awaitAsync();
        faulty.network().cut();
        keeper().latch(name).countDown();
        letPass(A_WHILE);
        faulty.network().heal();
        assertThat(waiter.get()).isTrue();
        get(future);
    }

    @Test
    void aStoreThatCannotBeReachedIsReported() {
        FaultyBackend faulty = faulty();
        DistributedLatch latch = openKeeper(faulty).latch(freshName());
        faulty.network().cut();
        assertThatThrownBy(latch::count).isInstanceOf(StoreUnavailableException.class);
        assertThat(failureOf(latch.countAsync())).isInstanceOf(StoreUnavailableException.class);
        faulty.network().heal();
        assertThat(latch.count()).isZero();
    }

    @Test
    void aRequestThatIsSentAgainCountsOnceInTheStore() {
        String name = freshName();
        Resource latch = new Resource(Family.LATCH, name);
        try (Store store = fixture().backend().open(new Observer())) {
            LatchStore latches = StoreAbility.of(store, LatchStore.class);
            String setting = id();
            assertThat(latches.set(latch, setting, 2)).isTrue();
            assertThat(latches.set(latch, setting, 2))
                    .as("the same setting again")
                    .isTrue();
            assertThat(latches.set(latch, id(), 2)).as("another setting").isFalse();
            long generation = latches.state(latch, false).generation();
            String counting = id();
            assertThat(latches.countDown(latch, generation, counting)).isTrue();
            assertThat(latches.countDown(latch, generation, counting)).isTrue();
            assertThat(latches.state(latch, true).count()).isEqualTo(1);
            assertThat(latches.countDown(latch, generation, id())).isTrue();
            assertThat(latches.state(latch, false).count()).isZero();
        }
    }

    @Test
    void aLateRequestOfTheLastGenerationChangesNothingInTheStore() {
        String name = freshName();
        Resource latch = new Resource(Family.LATCH, name);
        try (Store store = fixture().backend().open(new Observer())) {
            LatchStore latches = StoreAbility.of(store, LatchStore.class);
            List<Long> generations = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                latches.set(latch, id(), 1);
                generations.add(latches.state(latch, false).generation());
                latches.countDown(latch, generations.get(i), id());
            }
            assertThat(generations).doesNotHaveDuplicates().doesNotContain(0L);
            latches.set(latch, id(), 1);
            for (long old : generations) {
                assertThat(latches.countDown(latch, old, id())).isFalse();
                latches.delete(latch, old);
            }
            LatchStore.State state = latches.state(latch, false);
            assertThat(state.count()).isEqualTo(1);
            latches.delete(latch, state.generation());
            assertThat(latches.state(latch, false).count()).isZero();
            latches.set(latch, id(), 1);
            assertThat(latches.state(latch, false).generation())
                    .as("a generation is never used twice, also not after deletion")
                    .isNotIn(generations)
                    .isNotEqualTo(state.generation());
            latches.delete(latch, latches.state(latch, false).generation());
        }
    }

    private static String id() {
        return UUID.randomUUID().toString().replace("-", "");
    }
}
