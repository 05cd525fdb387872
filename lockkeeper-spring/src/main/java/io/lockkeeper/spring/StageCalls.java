package io.lockkeeper.spring;

import io.lockkeeper.LockLostException;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
        CompletableFuture<?> checked =
                stage.handle((value, failure) -> checked(held, value, failure)).toCompletableFuture();
        // A type of the application's own cannot be replaced by one that reports the loss.
        return result.getClass() == CompletableFuture.class ? checked : result;
    }

    private static @Nullable Object checked(HeldLock held, @Nullable Object value, @Nullable Throwable failure) {
        held.lossSoFar();
        held.leave();
        LockLostException lost = held.lossToThrow();
        if (failure != null) {
            if (lost != null) {
                failure.addSuppressed(lost);
            }
            throw failure instanceof CompletionException wrapped ? wrapped : new CompletionException(failure);
        }
        if (lost != null) {
            throw lost;
        }
        return value;
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
