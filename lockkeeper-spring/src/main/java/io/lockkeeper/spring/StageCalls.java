package io.lockkeeper.spring;

import io.lockkeeper.LockLostException;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Results that are not there yet when a method returns. */
final class StageCalls {

    private StageCalls() {}

    /** Keeps the lock until the stage that the method returned is complete; other results are returned as they are. */
    static @Nullable Object keepUntilDone(HeldLock held, @Nullable Object result) {
        if (!(result instanceof CompletionStage<?> stage)) {
            return result;
        }
        held.join();
        if (result.getClass() == CompletableFuture.class || result instanceof Returned) {
            Returned returned = new Returned((CompletableFuture<?>) result);
            stage.whenComplete((value, failure) -> returned.end(value, end(held, failure)));
            return returned;
        }
        // A type of the application's own cannot be replaced by one that reports the loss.
        stage.whenComplete((value, failure) -> end(held, failure));
        return result;
    }

    /** @return how the call failed, or null */
    private static @Nullable Throwable end(HeldLock held, @Nullable Throwable failure) {
        held.lossSoFar();
        held.leave();
        LockLostException lost = held.lossToThrow();
        if (failure == null) {
            return lost;
        }
        if (lost != null) {
            failure.addSuppressed(lost);
        }
        return failure;
    }

    /**
     * What the caller gets in place of the future that the method returned.
     *
     * <p><b>Invariant.</b> The lock is released when the method's own future is complete, whatever the caller does with this one. A caller may
     * complete it, or let it time out; a function that depends on it would then never run, and the lock would be renewed forever.
     * So the release depends on the method's own future, and only a cancellation is passed on to that.
     */
    private static final class Returned extends CompletableFuture<@Nullable Object> {

        private final CompletableFuture<?> work;

        Returned(CompletableFuture<?> work) {
            this.work = work;
        }

        void end(@Nullable Object value, @Nullable Throwable failure) {
            if (failure == null) {
                complete(value);
            } else {
                completeExceptionally(failure);
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            if (!isDone()) {
                work.cancel(mayInterruptIfRunning);
            }
            return super.cancel(mayInterruptIfRunning);
        }
    }

    /** What a call returns that did not run. */
    static @Nullable Object skipped(Method method) {
        Class<?> type = method.getReturnType();
        if (type == Optional.class) {
            return Optional.empty();
        }
        if (type.isAssignableFrom(CompletableFuture.class)
                && (CompletionStage.class.isAssignableFrom(type) || Future.class.isAssignableFrom(type))) {
            return CompletableFuture.completedFuture(null);
        }
        return null;
    }
}
