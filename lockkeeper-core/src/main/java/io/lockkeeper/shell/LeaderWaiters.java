package io.lockkeeper.shell;

import io.lockkeeper.ExclusiveHold;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The callers that wait until one candidate leads. They are guarded by the candidate's own lock, so that none is added
 * between the moment at which it is elected and the moment at which all that wait are told.
 */
final class LeaderWaiters {

    private final KeeperCore core;
    private final ReentrantLock guard;
    private final Set<CompletableFuture<ExclusiveHold>> waiting = new HashSet<>();

    LeaderWaiters(KeeperCore core, ReentrantLock guard) {
        this.core = core;
        this.guard = guard;
    }

    /** Called while the guard is held. */
    void add(CompletableFuture<ExclusiveHold> future) {
        waiting.add(future);
    }

    /** Called while the guard is held; the futures are completed outside of it. */
    void complete(ExclusiveHold hold) {
        end(future -> future.complete(hold));
    }

    /** Called while the guard is held; the futures are completed outside of it. */
    void fail(RuntimeException failure) {
        end(future -> future.completeExceptionally(failure));
    }

    private void end(Consumer<CompletableFuture<ExclusiveHold>> end) {
        for (CompletableFuture<ExclusiveHold> future : waiting) {
            core.workers().callback(() -> end.accept(future));
        }
        waiting.clear();
    }

    void forget(CompletableFuture<ExclusiveHold> future) {
        guard.lock();
        try {
            waiting.removeIf(each -> each == future);
        } finally {
            guard.unlock();
        }
    }

    /**
     * Waits on the calling thread for one of these futures.
     *
     * @return null if the time was over before
     */
    @Nullable
    ExclusiveHold await(CompletableFuture<ExclusiveHold> future, long deadline, Object election)
            throws InterruptedException {
        Thread me = Thread.currentThread();
        future.whenComplete((hold, failure) -> LockSupport.unpark(me));
        while (!future.isDone()) {
            if (Thread.interrupted()) {
                forget(future);
                throw new InterruptedException("Interrupted while waiting to lead " + election);
            }
            if (core.now().mono() >= deadline) {
                forget(future);
                return null;
            }
            core.clocks().park(election, deadline);
        }
        try {
            return future.join();
        } catch (CompletionException failed) {
            throw StoreCalls.asFailure(failed.getCause() == null ? failed : failed.getCause());
        }
    }
}
