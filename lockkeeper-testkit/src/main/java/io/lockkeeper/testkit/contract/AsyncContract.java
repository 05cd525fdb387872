package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.SingleHold;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The asynchronous forms: they never block the caller, and a future that is ended early leaves nothing behind. */
public abstract class AsyncContract extends ContractTest {

    @Test
    void aFutureCompletesWhenTheLockIsAcquired() throws Exception {
        String name = freshName();
        ExclusiveHold theirs = take(otherKeeper().lock(name));
        CompletableFuture<ExclusiveHold> future = keeper().lock(name).acquireAsync();
        letPass(Duration.ofMillis(50));
        assertThat(future).isNotDone();
        theirs.close();
        try (ExclusiveHold hold = get(future)) {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            assertThat(hold.token()).isGreaterThan(theirs.token());
        }
        assertNoTrace(name);
    }

    @Test
    void tryingAHeldLockCompletesWithNull() throws Exception {
        String name = freshName();
        try (SingleHold theirs = take(otherKeeper().lock(name))) {
            assertThat(get(keeper().lock(name).tryAcquireAsync())).isNull();
            assertThat(get(keeper().lock(name).tryAcquireAsync(Duration.ofMillis(30))))
                    .isNull();
            eventually("nobody queues", () -> stateOf(name).waiting() == 0);
        }
    }

    // jetcd: a wait that was given up keeps its place and later wins (pain 11).
    @Test
    void cancellingLeavesTheQueue() throws Exception {
        String name = freshName();
        try (SingleHold theirs = take(otherKeeper().lock(name))) {
            CompletableFuture<ExclusiveHold> future = keeper().lock(name).acquireAsync();
            awaitQueued(name, 1);
            assertThat(future.cancel(true)).isTrue();
            assertThat(failureOf(future)).isInstanceOf(CancellationException.class);
            eventually("nobody queues", () -> stateOf(name).waiting() == 0);
        }
        assertNoTrace(name);
    }

    @Test
    void orTimeoutLeavesTheQueue() throws Exception {
        String name = freshName();
        try (SingleHold theirs = take(otherKeeper().lock(name))) {
            CompletableFuture<ExclusiveHold> future =
                    timedOut(keeper().lock(name).acquireAsync());
            assertThat(failureOf(future)).isInstanceOf(TimeoutException.class);
            eventually("nobody queues", () -> stateOf(name).waiting() == 0);
        }
        assertNoTrace(name);
    }

    @Test
    void completingFromOutsideLeavesTheQueue() throws Exception {
        String name = freshName();
        try (ExclusiveHold theirs = take(otherKeeper().lock(name))) {
            CompletableFuture<ExclusiveHold> value = keeper().lock(name).acquireAsync();
            CompletableFuture<ExclusiveHold> failure = keeper().lock(name).acquireAsync();
            assertThat(value.complete(theirs)).isTrue();
            assertThat(failure.completeExceptionally(new IllegalStateException("by the test")))
                    .isTrue();
            eventually("nobody queues", () -> stateOf(name).waiting() == 0);
        }
        assertNoTrace(name);
    }

    @Test
    void aGrantThatComesAfterTheEndOfTheFutureIsGivenBack() {
        FaultyBackend slow = faulty();
        DistributedLock lock = openKeeper(slow).lock(freshName());
        slow.network().hang(Call.ATTEMPT);
        CompletableFuture<ExclusiveHold> future = lock.acquireAsync();
        eventually("it is asked for", () -> slow.network().calls(Call.ATTEMPT) > 0);
        future.cancel(true);
        slow.network().heal();
        eventually("it is free", () -> {
            try (SingleHold hold = keeper().lock(lock.name()).tryAcquire()) {
                return hold != null;
            }
        });
    }

    @Test
    void cancellingAtRandomMomentsLosesNothing() throws Exception {
        String name = freshName();
        AtomicBoolean stop = new AtomicBoolean();
        Task<Integer> other = busyUntil(stop, otherKeeper().lock(name));
        for (int i = 0; i < 200; i++) {
            CompletableFuture<ExclusiveHold> future = keeper().lock(name).acquireAsync();
            for (int spin = 0; spin < i * 50; spin++) {
                Thread.onSpinWait();
            }
            if (!future.cancel(false)) {
                future.join().close();
            }
        }
        stop.set(true);
        assertThat(other.get()).isPositive();
        assertNoTrace(name);
    }

    @Test
    void callAsyncHoldsUntilTheStageOfItsBodyIsComplete() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<ExclusiveHold> seen = new CompletableFuture<>();
        CompletableFuture<String> result = lock.callAsync(hold -> {
            seen.complete(hold);
            return work;
        });
        assertThat(get(seen).state()).isEqualTo(HoldState.HELD);
        taken(otherKeeper().lock(lock.name()));
        assertThat(result).isNotDone();
        work.complete("done");
        assertThat(get(result)).isEqualTo("done");
        assertNoTrace(lock.name());
        assertThat(get(seen).state()).isEqualTo(HoldState.RELEASED);
    }

    @Test
    void callAsyncReleasesWhenItsBodyFails() {
        DistributedLock lock = keeper().lock(freshName());
        CompletableFuture<String> throwing = lock.callAsync(hold -> {
            throw new IllegalStateException("thrown");
        });
        assertThat(failureOf(throwing))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("thrown");
        CompletableFuture<String> failing =
                lock.callAsync(hold -> CompletableFuture.failedFuture(new IllegalStateException("failed")));
        assertThat(failureOf(failing)).isInstanceOf(IllegalStateException.class).hasMessage("failed");
        assertNoTrace(lock.name());
    }

    @Test
    void cancellingCallAsyncBeforeItHoldsLeavesTheQueue() {
        String name = freshName();
        AtomicBoolean ran = new AtomicBoolean();
        try (SingleHold theirs = take(otherKeeper().lock(name))) {
            CompletableFuture<String> future = keeper().lock(name).callAsync(hold -> {
                ran.set(true);
                return CompletableFuture.completedFuture("ran");
            });
            awaitQueued(name, 1);
            future.cancel(true);
            eventually("nobody queues", () -> stateOf(name).waiting() == 0);
        }
        assertNoTrace(name);
        assertThat(ran).isFalse();
    }

    @Test
    void hundredsOfLocksAtOnceOnFewThreads() throws Exception {
        List<CompletableFuture<ExclusiveHold>> futures = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            futures.add(keeper().lock(freshName()).acquireAsync());
        }
        for (CompletableFuture<ExclusiveHold> future : futures) {
            assertThat(get(future).state()).isEqualTo(HoldState.HELD);
        }
        for (CompletableFuture<ExclusiveHold> future : futures) {
            get(future.join().releaseAsync());
        }
    }

    // Rule 10: what the application does with a future or in a listener runs on the callback executor, so blocking
    // there
    // harms no lock.
    @Test
    @AboutTime
    @DecidedByKeeper
    void callbacksRunOnTheCallbackExecutor() throws Exception {
        ExecutorService callbacks = Executors.newCachedThreadPool(work -> {
            var thread = new Thread(work, "the application's own");
            thread.setDaemon(true);
            return thread;
        });
        closing(callbacks::shutdownNow);
        Lockkeeper mine = openKeeper(settings -> settings.callbacks(callbacks));
        DistributedLock lock = mine.lock(freshName());
        CompletableFuture<String> listenerThread = new CompletableFuture<>();
        ExclusiveHold fixed = take(lock.withFixedLease(brief()));
        fixed.onLost(
                (Loss loss) -> listenerThread.complete(Thread.currentThread().getName()));
        assertThat(get(listenerThread)).isEqualTo("the application's own");
        CompletableFuture<String> lateListenerThread = new CompletableFuture<>();
        fixed.onLost((Loss loss) ->
                lateListenerThread.complete(Thread.currentThread().getName()));
        assertThat(get(lateListenerThread)).isEqualTo("the application's own");
        String bodyThread = get(lock.callAsync(
                hold -> CompletableFuture.completedFuture(Thread.currentThread().getName())));
        assertThat(bodyThread).isEqualTo("the application's own");
    }

    @Test
    void whoBlocksInACallbackBlocksNoLock() throws Exception {
        String name = freshName();
        List<ExclusiveHold> theirs = new ArrayList<>();
        List<CompletableFuture<ExclusiveHold>> blocked = new ArrayList<>();
        CompletableFuture<ExclusiveHold> end = new CompletableFuture<>();
        for (int i = 0; i < 20; i++) {
            theirs.add(take(otherKeeper().lock(name + i)));
            blocked.add(keeper().lock(name + i).acquireAsync().thenApply(hold -> {
                end.join();
                return hold;
            }));
        }
        theirs.forEach(ExclusiveHold::close);
        ExclusiveHold last = take(otherKeeper().lock(name));
        CompletableFuture<ExclusiveHold> other = keeper().lock(name).acquireAsync();
        last.close();
        ExclusiveHold hold = get(other);
        end.complete(hold);
        hold.close();
        for (CompletableFuture<ExclusiveHold> one : blocked) {
            get(one).close();
        }
    }
}
