package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.MajorityHold;
import io.lockkeeper.MajorityLock;
import io.lockkeeper.Overdue;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.engine.KeeperPolicy;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A majority of several locks as one. Each call makes rounds ({@link MajorityVote}) until one succeeds or its time is over;
 * a round that fails has given everything back before the next begins.
 */
final class LiveMajorityLock implements MajorityLock {

    private static final int LAST_DOUBLING = 5;

    private final List<WriteLock> locks;
    private final KeeperCore core;

    LiveMajorityLock(List<WriteLock> locks) {
        this.locks = List.copyOf(locks);
        this.core = locks.get(0).core;
    }

    private MajorityLock view(Function<DistributedLock, DistributedLock> change) {
        return new LiveMajorityLock(
                locks.stream().map(lock -> (WriteLock) change.apply(lock)).toList());
    }

    @Override
    public MajorityLock withLease(Duration lease) {
        return view(lock -> lock.withLease(lease));
    }

    @Override
    public MajorityLock withFixedLease(Duration lease) {
        return view(lock -> lock.withFixedLease(lease));
    }

    @Override
    public MajorityLock withMaxHold(Duration longest, Overdue whenOverdue) {
        return view(lock -> lock.withMaxHold(longest, whenOverdue));
    }

    @Override
    public MajorityHold acquire() throws InterruptedException {
        MajorityHold hold = await(async(Long.MAX_VALUE));
        if (hold == null) {
            throw new IllegalStateException("an endless wait ended");
        }
        return hold;
    }

    @Override
    public @Nullable MajorityHold tryAcquire() {
        CompletableFuture<@Nullable MajorityHold> result = async(0);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return result(result);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public @Nullable MajorityHold tryAcquire(Duration wait) throws InterruptedException {
        MajorityHold hold = await(async(Timeouts.nanos(wait)));
        if (hold == null) {
            TimeoutReport.log(this, parts(), wait);
        }
        return hold;
    }

    @Override
    public MajorityHold acquire(Duration wait) throws InterruptedException {
        MajorityHold hold = await(async(Timeouts.nanos(wait)));
        if (hold == null) {
            throw TimeoutReport.exception(this, parts(), wait);
        }
        return hold;
    }

    private List<TimeoutReport.Part> parts() {
        return locks.stream()
                .map(lock -> new TimeoutReport.Part(lock.core, lock.order.resource()))
                .toList();
    }

    /** If it is interrupted, what comes after that is given back. */
    private static @Nullable MajorityHold await(CompletableFuture<@Nullable MajorityHold> result)
            throws InterruptedException {
        try {
            return result(result);
        } catch (InterruptedException e) {
            if (!result.cancel(false)) {
                MajorityHold tooLate = result.isCompletedExceptionally() ? null : result.join();
                if (tooLate != null) {
                    tooLate.close();
                }
            }
            throw e;
        }
    }

    private static @Nullable MajorityHold result(CompletableFuture<@Nullable MajorityHold> result)
            throws InterruptedException {
        try {
            return result.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw StoreCalls.asFailure(cause == null ? e : cause);
        }
    }

    @Override
    @SuppressWarnings({"NullAway", "unchecked"}) // An endless wait never ends with null.
    public CompletableFuture<MajorityHold> acquireAsync() {
        return (CompletableFuture<MajorityHold>) (CompletableFuture<?>) async(Long.MAX_VALUE);
    }

    @Override
    public CompletableFuture<@Nullable MajorityHold> tryAcquireAsync() {
        return async(0);
    }

    @Override
    public CompletableFuture<@Nullable MajorityHold> tryAcquireAsync(Duration wait) {
        return async(Timeouts.nanos(wait));
    }

    private CompletableFuture<@Nullable MajorityHold> async(long timeout) {
        CompletableFuture<@Nullable MajorityHold> result = new CompletableFuture<>();
        Moment begun = core.now();
        round(timeout, Timeouts.deadline(begun, timeout), 1, result);
        return result;
    }

    private void round(long timeout, long deadline, int rounds, CompletableFuture<@Nullable MajorityHold> result) {
        new MajorityVote(locks, result).begin().whenComplete((vote, thrown) -> {
            if (thrown != null) {
                result.completeExceptionally(StoreCalls.asFailure(thrown));
            } else if (vote instanceof MajorityVote.Outcome.Lost lost) {
                lost(lost, timeout, deadline, rounds, result);
            }
        });
    }

    private void lost(
            MajorityVote.Outcome.Lost lost,
            long timeout,
            long deadline,
            int rounds,
            CompletableFuture<@Nullable MajorityHold> result) {
        boolean goesOn = timeout == 0
                ? lost.contested() && rounds < KeeperPolicy.MAJORITY_ROUNDS_OF_A_TRY
                : Timeouts.left(core, timeout, deadline) > 0;
        RuntimeException failure = lost.failure();
        if (failure != null && !(failure instanceof StoreUnavailableException)) {
            result.completeExceptionally(failure);
        } else if (result.isDone()) {
            return;
        } else if (goesOn) {
            // Not on the timer: if the keeper was closed, the application's future is completed in there.
            core.alarms()
                    .in(
                            pause(rounds),
                            () -> core.workers().callback(() -> round(timeout, deadline, rounds + 1, result)));
        } else if (failure != null) {
            result.completeExceptionally(failure);
        } else {
            result.complete(null);
        }
    }

    private static Duration pause(int rounds) {
        long bound = Math.min(
                KeeperPolicy.LONGEST_MAJORITY_PAUSE.toNanos(),
                KeeperPolicy.SHORTEST_MAJORITY_PAUSE.toNanos() << Math.min(rounds + 1, LAST_DOUBLING + 1));
        return Duration.ofNanos(
                ThreadLocalRandom.current().nextLong(KeeperPolicy.SHORTEST_MAJORITY_PAUSE.toNanos(), bound + 1));
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(
            Function<? super MajorityHold, ? extends CompletionStage<T>> body) {
        given(body, "body");
        return AsyncBody.call(core.workers().callbacks(), acquireAsync(), body);
    }

    @Override
    public String toString() {
        return "a majority of " + locks;
    }
}
