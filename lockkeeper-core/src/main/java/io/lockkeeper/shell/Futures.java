package io.lockkeeper.shell;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Waits for futures, and links one to another. */
final class Futures {

    private Futures() {}

    /** Waits for a future of ours; an interrupt cancels it. Its own exceptions come out as they were thrown. */
    static <T extends @Nullable Object> T get(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (InterruptedException interrupted) {
            future.cancel(false);
            throw interrupted;
        } catch (ExecutionException failed) {
            throw unchecked(failed.getCause());
        }
    }

    private static RuntimeException unchecked(@Nullable Throwable cause) {
        if (cause instanceof RuntimeException runtime) {
            runtime.addSuppressed(new Throwable("waited for here"));
            return runtime;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return new CompletionException(cause);
    }

    /** A future of another type that ends the first one when it is ended from outside. */
    static <A extends @Nullable Object, B extends @Nullable Object> CompletableFuture<B> linked(
            CompletableFuture<A> first, Function<A, B> change) {
        CompletableFuture<B> second = new CompletableFuture<>();
        first.whenComplete((value, thrown) -> {
            if (thrown == null) {
                second.complete(change.apply(value));
            } else {
                second.completeExceptionally(thrown);
            }
        });
        second.whenComplete((value, thrown) -> {
            if (thrown instanceof CancellationException || !first.isDone()) {
                first.cancel(false);
            }
        });
        return second;
    }
}
