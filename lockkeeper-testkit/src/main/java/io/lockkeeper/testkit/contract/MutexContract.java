package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Acquirable;
import io.lockkeeper.Hold;
import io.lockkeeper.HoldState;
import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What everything that one alone may hold has in common, whichever primitive it is made of. A subclass says how to make
 * one: a write lock, a semaphore of one permit, a multi-lock of one lock, a segmented lock of one segment.
 */
public abstract class MutexContract extends PrimitiveContract {

    /** The same mutex for the same name, whichever keeper of the store it is made with. */
    protected abstract Acquirable<? extends Hold> mutex(Lockkeeper keeper, String name);

    @Override
    protected final Object make(Lockkeeper keeper, String name) {
        return mutex(keeper, name);
    }

    private Acquirable<? extends Hold> here(String name) {
        return mutex(keeper(), name);
    }

    private Acquirable<? extends Hold> there(String name) {
        return mutex(otherKeeper(), name);
    }

    @Test
    void oneHoldsItAndNobodyElse() throws Exception {
        String name = freshName();
        try (Hold hold = here(name).acquire()) {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            assertThat(hold.remaining()).isPositive();
            hold.ensureHeld();
            taken(here(name));
            taken(there(name));
            assertThat(inThread(() -> here(name).tryAcquire()).get()).isNull();
        }
        free(there(name));
        free(here(name));
    }

    @Test
    void anotherNameIsAnotherMutex() throws Exception {
        String name = freshName();
        try (Hold hold = here(name + "/a").acquire()) {
            free(here(name + "/b"));
            free(there(name + "/A"));
        }
    }

    @Test
    void timeLimitsOfZeroAndOneMillisecondAndMoreEndWithoutIt() throws Exception {
        String name = freshName();
        try (Hold hold = here(name).acquire()) {
            for (int millis : new int[] {0, 1, 150}) {
                assertThat(there(name).tryAcquire(Duration.ofMillis(millis))).isNull();
                assertThat(here(name).tryAcquire(Duration.ofMillis(millis))).isNull();
                assertThat(this.<@Nullable Hold>get(nullable(there(name).tryAcquireAsync(Duration.ofMillis(millis)))))
                        .isNull();
            }
            assertThat(this.<@Nullable Hold>get(nullable(here(name).tryAcquireAsync())))
                    .isNull();
        }
        soonFree(there(name));
        got(here(name).tryAcquire(Duration.ofDays(100_000))).close();
    }

    @Test
    void releaseLetsInAWaiterHereAndThere() throws Exception {
        String name = freshName();
        Hold hold = here(name).acquire();
        List<Task<?>> waiting = new ArrayList<>();
        for (Acquirable<? extends Hold> lock : List.of(here(name), there(name), here(name), there(name))) {
            waiting.add(waiting(() -> lock.call(inside -> "in")));
        }
        assertThat(waiting).noneMatch(Task::isDone);
        assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
        results(waiting);
        soonFree(there(name));
    }

    @Test
    void asynchronousWaitersAreLetInToo() throws Exception {
        String name = freshName();
        Hold hold = here(name).acquire();
        List<CompletableFuture<?>> waiting = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Acquirable<? extends Hold> lock = i % 2 == 0 ? here(name) : there(name);
            waiting.add(lock.acquireAsync().thenAccept(Hold::close));
        }
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        assertThat(get(hold.releaseAsync())).isEqualTo(ReleaseOutcome.RELEASED);
        get(CompletableFuture.allOf(waiting.toArray(CompletableFuture<?>[]::new)));
        soonFree(here(name));
    }

    @Test
    void aHandleBelongsToNoThread() throws Exception {
        String name = freshName();
        Hold hold = here(name).acquire();
        assertThat(inThread(hold::release).get()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        free(there(name));
    }

    @Test
    void releaseTwiceSaysTheSameAndHarmsNobody() throws Exception {
        String name = freshName();
        Hold hold = here(name).acquire();
        assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
        Hold next = there(name).acquire();
        assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
        hold.close();
        assertThat(next.state()).isEqualTo(HoldState.HELD);
        taken(here(name));
        assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void aReleasedHoldSaysSoAndIsNotLost() throws Exception {
        Hold hold = here(freshName()).acquire();
        var losses = new AtomicInteger();
        hold.onLost(loss -> losses.incrementAndGet());
        CompletableFuture<Loss> lost = hold.lost();
        hold.close();
        assertThat(hold.remaining()).isZero();
        assertThatThrownBy(hold::ensureHeld).isInstanceOf(IllegalStateException.class);
        assertThat(lost).isNotDone();
        assertThat(losses).hasValue(0);
    }

    // D13: also several locks at once heed an interrupt.
    @Test
    void anInterruptEndsTheWaitAndLeavesNoTrace() throws Exception {
        String name = freshName();
        Hold hold = here(name).acquire();
        Task<?> mine = waiting(() -> here(name).acquire());
        Task<?> other = waiting(() -> there(name).acquire());
        Task<?> timed = waiting(() -> there(name).tryAcquire(Duration.ofHours(1)));
        for (Task<?> actor : List.of(mine, other, timed)) {
            actor.interrupt();
            assertThat(actor.failure()).isInstanceOf(InterruptedException.class);
        }
        hold.close();
        soonFree(here(name));
        soonFree(there(name));
    }

    @Test
    void anInterruptBeforeTheCallIsHeeded() throws Exception {
        String name = freshName();
        Acquirable<? extends Hold> lock = here(name);
        Task<?> actor = running(() -> {
            Thread.currentThread().interrupt();
            lock.acquire().close();
        });
        assertThat(actor.failure()).isInstanceOf(InterruptedException.class);
        soonFree(there(name));
    }

    @Test
    void cancellingOrTimingOutTheFutureLeavesTheQueue() throws Exception {
        String name = freshName();
        Hold hold = here(name).acquire();
        CompletableFuture<? extends Hold> cancelled = there(name).acquireAsync();
        CompletableFuture<? extends Hold> late = timedOut(there(name).acquireAsync());
        CompletableFuture<? extends Hold> local = here(name).acquireAsync();
        CompletableFuture<? extends Hold> last = there(name).acquireAsync();
        assertThat(cancelled.cancel(true)).isTrue();
        assertThat(local.cancel(false)).isTrue();
        assertThatThrownBy(cancelled::join).isInstanceOf(CancellationException.class);
        assertThat(failureOf(late)).isInstanceOf(TimeoutException.class);
        hold.close();
        get(last).close();
        soonFree(here(name));
    }

    @Test
    void aCancelThatMeetsTheGrantGivesItBack() throws Exception {
        String name = freshName();
        for (int i = 0; i < 20; i++) {
            CompletableFuture<? extends Hold> future = there(name).acquireAsync();
            if (!future.cancel(true)) {
                // It was ours before that, and is not taken from us.
                get(future).close();
            }
        }
        soonFree(here(name));
    }

    @Test
    void bodiesRunWhileItIsHeldAndItIsReleasedHoweverTheyEnd() throws Exception {
        String name = freshName();
        Acquirable<? extends Hold> lock = here(name);
        int answer = lock.call(hold -> {
            taken(there(name));
            return 42;
        });
        assertThat(answer).isEqualTo(42);
        assertThatThrownBy(() -> lock.run(hold -> {
                    throw new java.io.IOException("of the body");
                }))
                .isInstanceOf(java.io.IOException.class)
                .hasMessage("of the body");
        assertThat(lock.tryCall(PATIENCE, hold -> "done")).contains("done");
        free(there(name));
        // A single try, where nobody before it can have left anything behind on a slow member of a quorum.
        Acquirable<? extends Hold> fresh = here(freshName());
        assertThat(fresh.tryRun(
                        Duration.ZERO,
                        hold -> assertThat(fresh.tryRun(Duration.ZERO, again -> {}))
                                .isFalse()))
                .isTrue();
    }

    @Test
    void anAsynchronousBodyHoldsItUntilItsStageIsComplete() throws Exception {
        String name = freshName();
        var stage = new CompletableFuture<String>();
        var inside = new CompletableFuture<Boolean>();
        CompletableFuture<String> called = here(name).callAsync(hold -> {
            inside.complete(true);
            return stage;
        });
        get(inside);
        taken(there(name));
        CompletableFuture<String> second = there(name).callAsync(hold -> CompletableFuture.completedFuture("second"));
        assertThat(second).isNotDone();
        stage.complete("first");
        assertThat(get(called)).isEqualTo("first");
        assertThat(get(second)).isEqualTo("second");
        CompletableFuture<String> failing = here(name).callAsync(hold -> {
            throw new IllegalArgumentException("of the body");
        });
        assertThat(failureOf(failing)).hasMessage("of the body");
        CompletableFuture<String> failed = here(name)
                .callAsync(hold -> CompletableFuture.failedFuture(new IllegalArgumentException("of the stage")));
        assertThat(failureOf(failed)).hasMessage("of the stage");
        soonFree(there(name));
    }

    @Test
    void nobodyIsEverInsideTogetherWithAnother() throws Exception {
        String name = freshName();
        var inside = new AtomicInteger();
        var most = new AtomicInteger();
        int rounds = 25;
        var unguarded = new int[1];
        List<Task<?>> actors = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Acquirable<? extends Hold> lock = i % 2 == 0 ? here(name) : there(name);
            actors.add(running(() -> {
                for (int round = 0; round < rounds; round++) {
                    lock.run(hold -> {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        unguarded[0]++;
                        inside.decrementAndGet();
                    });
                }
            }));
        }
        untilDone(actors);
        results(actors);
        assertThat(most).hasValue(1);
        assertThat(unguarded[0]).isEqualTo(6 * rounds);
    }

    @Test
    void closingTheKeeperFreesItAndFailsThoseWhoWait() throws Exception {
        String name = freshName();
        Lockkeeper closing = openKeeper();
        Hold hold = mutex(closing, name).acquire();
        CompletableFuture<Loss> lost = hold.lost();
        Task<?> waiter = waiting(() -> mutex(closing, name).acquire());
        CompletableFuture<? extends Hold> asynchronous = mutex(closing, name).acquireAsync();
        closing.close();
        assertThat(waiter.failure()).isInstanceOf(KeeperClosedException.class);
        assertThat(failureOf(asynchronous)).isInstanceOf(KeeperClosedException.class);
        assertThat(get(lost).reason()).isEqualTo(Loss.Reason.KEEPER_CLOSED);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThatThrownBy(hold::ensureHeld).isInstanceOf(LockLostException.class);
        hold.close();
        soonFree(here(name));
        assertThatThrownBy(() -> mutex(closing, name).acquire()).isInstanceOf(KeeperClosedException.class);
    }

    @SuppressWarnings("unchecked")
    private static CompletableFuture<@Nullable Hold> nullable(CompletableFuture<? extends @Nullable Hold> future) {
        return (CompletableFuture<@Nullable Hold>) future;
    }
}
