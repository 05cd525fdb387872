package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLatch;
import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Capability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A count that goes down to zero, and those who wait for it. For stores with {@link Capability#LATCH}. */
public abstract class LatchContract extends LatchCases {

    @Test
    void aLatchThatWasNeverSetStandsAtZero() throws Exception {
        DistributedLatch latch = here(freshName());
        assertThat(latch.count()).isZero();
        latch.await();
        assertThat(latch.await(Duration.ZERO)).isTrue();
        assertThat(get(latch.awaitAsync(Duration.ZERO))).isTrue();
        get(latch.awaitAsync());
        latch.countDown();
        assertThat(latch.count()).isZero();
        latch.delete();
        assertThat(latch.count()).isZero();
    }

    @Test
    void itIsSetOnlyAtZeroAndByOne() {
        String name = freshName();
        assertThat(here(name).name()).isEqualTo(name);
        assertThat(here(name).trySetCount(2)).isTrue();
        assertThat(here(name).trySetCount(5)).isFalse();
        assertThat(there(name).trySetCount(2)).isFalse();
        assertThat(there(name).count()).isEqualTo(2);
        there(name).countDown();
        assertThat(here(name).trySetCount(9)).isFalse();
        assertThat(here(name).count()).isEqualTo(1);
        here(name).delete();
    }

    @Test
    void ofManyWhoSetItAtOnceOneDoes() throws Exception {
        String name = freshName();
        List<Task<Boolean>> setters = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
            DistributedLatch latch = i % 2 == 0 ? here(name) : there(name);
            int count = i;
            setters.add(inThread(() -> latch.trySetCount(count)));
        }
        List<Boolean> set = results(setters);
        assertThat(set).containsOnlyOnce(true);
        assertThat(here(name).count()).isEqualTo(1 + set.indexOf(true));
        here(name).delete();
    }

    @Test
    void countsThatMakeNoSenseAreRefusedWithASentence() {
        DistributedLatch latch = here(freshName());
        for (int wrong : new int[] {0, -7}) {
            assertThatThrownBy(() -> latch.trySetCount(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Integer.toString(wrong));
        }
        assertThat(latch.count()).isZero();
    }

    @Test
    void theLastCountFreesAllWhoWaitEverywhere() throws Exception {
        String name = freshName();
        here(name).trySetCount(2);
        List<Task<Boolean>> threads = new ArrayList<>();
        List<CompletableFuture<?>> futures = new ArrayList<>();
        for (DistributedLatch latch : List.of(here(name), there(name))) {
            threads.add(waiting(() -> {
                latch.await();
                return true;
            }));
            threads.add(waiting(() -> latch.await(Duration.ofHours(1))));
            futures.add(latch.awaitAsync());
            futures.add(latch.awaitAsync(Duration.ofHours(1)));
        }
        here(name).countDown();
        assertThat(there(name).count()).isEqualTo(1);
        letPass(A_WHILE);
        assertThat(threads).noneMatch(Task::isDone);
        assertThat(futures).noneMatch(CompletableFuture::isDone);
        there(name).countDown();
        assertThat(results(threads)).containsOnly(true);
        for (CompletableFuture<?> future : futures) {
            assertThat(get(future)).isNotEqualTo(false);
        }
        assertThat(here(name).count()).isZero();
        assertThat(here(name).await(Duration.ZERO)).isTrue();
    }

    @Test
    void aHundredWaitersAreFreed() throws Exception {
        String name = freshName();
        here(name).trySetCount(1);
        List<Task<Boolean>> waiters = new ArrayList<>();
        List<CompletableFuture<Boolean>> futures = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            DistributedLatch latch = i % 2 == 0 ? here(name) : there(name);
            waiters.add(inThread(() -> latch.await(PATIENCE)));
            futures.add(latch.awaitAsync(PATIENCE));
        }
        there(name).countDown();
        assertThat(results(waiters)).containsOnly(true);
        for (CompletableFuture<Boolean> future : futures) {
            assertThat(get(future)).isTrue();
        }
    }

    @Test
    void timeLimitsEndTheWaitAndSaySo() throws Exception {
        String name = freshName();
        here(name).trySetCount(1);
        for (int millis : new int[] {0, 1, 150}) {
            assertThat(there(name).await(Duration.ofMillis(millis))).isFalse();
            assertThat(get(here(name).awaitAsync(Duration.ofMillis(millis)))).isFalse();
        }
        assertThat(here(name).count()).isEqualTo(1);
        here(name).countDown();
        assertThat(there(name).await(Duration.ofDays(100_000))).isTrue();
    }

    @Test
    void itIsUsedAgainAfterZero() throws Exception {
        String name = freshName();
        for (int generation = 1; generation <= 3; generation++) {
            assertThat(here(name).trySetCount(generation)).isTrue();
            Task<Boolean> waiter = waiting(() -> there(name).await(PATIENCE));
            for (int i = 0; i < generation; i++) {
                assertThat(waiter.isDone()).isFalse();
                there(name).countDown();
            }
            assertThat(waiter.get()).isTrue();
            assertThat(here(name).count()).isZero();
        }
    }

    // D24: nobody waits for what is gone.
    @Test
    void deletingItFreesThoseWhoWait() throws Exception {
        String name = freshName();
        here(name).trySetCount(3);
        Task<Boolean> mine = waiting(() -> here(name).await(Duration.ofHours(1)));
        Task<Boolean> theirs = waiting(() -> {
            there(name).await();
            return true;
        });
        CompletableFuture<@Nullable Void> future = there(name).awaitAsync();
        here(name).delete();
        assertThat(mine.get()).isTrue();
        assertThat(theirs.get()).isTrue();
        get(future);
        assertThat(there(name).count()).isZero();
        assertThat(there(name).trySetCount(2)).isTrue();
        assertThat(here(name).count()).isEqualTo(2);
        get(there(name).deleteAsync());
        assertThat(here(name).count()).isZero();
    }

    @Test
    void countsFromManyKeepersAreAllCounted() throws Exception {
        String name = freshName();
        int each = 10;
        here(name).trySetCount(6 * each + 1);
        List<Task<@Nullable Void>> tasks = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            DistributedLatch latch = i % 2 == 0 ? here(name) : there(name);
            tasks.add(running(() -> {
                for (int round = 0; round < each; round++) {
                    if (round % 2 == 0) {
                        latch.countDown();
                    } else {
                        get(latch.countDownAsync());
                    }
                }
            }));
        }
        results(tasks);
        assertThat(here(name).count()).isEqualTo(1);
        assertThat(here(name).await(Duration.ZERO)).isFalse();
        get(there(name).countDownAsync());
        here(name).await();
        assertThat(get(here(name).countAsync())).isZero();
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        String name = freshName();
        here(name).trySetCount(1);
        Task<Boolean> timed = waiting(() -> here(name).await(Duration.ofHours(1)));
        Task<@Nullable Void> untimed = waiting(() -> {
            there(name).await();
            return null;
        });
        timed.interrupt();
        untimed.interrupt();
        assertThat(timed.failure()).isInstanceOf(InterruptedException.class);
        assertThat(untimed.failure()).isInstanceOf(InterruptedException.class);
        assertThat(here(name).count()).isEqualTo(1);
        here(name).delete();
    }

    @Test
    void aCancelledWaitHarmsNoOther() throws Exception {
        String name = freshName();
        get(here(name).trySetCountAsync(1));
        CompletableFuture<@Nullable Void> cancelled = there(name).awaitAsync();
        CompletableFuture<@Nullable Void> late = timedOut(there(name).awaitAsync());
        CompletableFuture<@Nullable Void> patient = there(name).awaitAsync();
        cancelled.cancel(true);
        assertThat(failureOf(late)).isInstanceOf(TimeoutException.class);
        assertThat(patient).isNotDone();
        here(name).countDown();
        get(patient);
    }

    @Test
    void closingTheKeeperFailsThoseWhoWait() throws Exception {
        String name = freshName();
        Lockkeeper closing = openKeeper();
        closing.latch(name).trySetCount(1);
        Task<Boolean> waiter = waiting(() -> closing.latch(name).await(Duration.ofHours(1)));
        CompletableFuture<@Nullable Void> future = closing.latch(name).awaitAsync();
        closing.close();
        assertThat(waiter.failure()).isInstanceOf(KeeperClosedException.class);
        assertThat(failureOf(future)).isInstanceOf(KeeperClosedException.class);
        assertThat(here(name).count()).isEqualTo(1);
        here(name).delete();
    }
}
