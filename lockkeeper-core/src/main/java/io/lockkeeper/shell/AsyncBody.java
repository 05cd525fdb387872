package io.lockkeeper.shell;

import io.lockkeeper.Hold;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs an asynchronous body while something is held. */
final class AsyncBody {

    private AsyncBody() {}

    /**
     * Calls the body when the hold is there, and releases it when the body's stage is complete. Cancelling the result
     * before that cancels the acquisition.
     *
     * @param callbacks where the body runs, also if the hold is there at once: the caller is never kept by it
     */
    static <H extends Hold, T extends @Nullable Object> CompletableFuture<T> call(
            Executor callbacks,
            CompletableFuture<H> acquisition,
            Function<? super H, ? extends CompletionStage<T>> body) {
        CompletableFuture<T> result = new CompletableFuture<>();
        acquisition.whenCompleteAsync(
                (hold, failure) -> {
                    if (failure != null) {
                        result.completeExceptionally(failure);
                    } else {
                        run(hold, body, result);
                    }
                },
                callbacks);
        result.whenComplete((value, failure) -> acquisition.cancel(false));
        return result;
    }

    private static <H extends Hold, T extends @Nullable Object> void run(
            H hold, Function<? super H, ? extends CompletionStage<T>> body, CompletableFuture<T> result) {
        CompletionStage<T> stage;
        try {
            stage = Objects.requireNonNull(body.apply(hold), "The body returned null; it must return a stage");
        } catch (RuntimeException | Error thrown) {
            hold.releaseAsync().whenComplete((outcome, ignored) -> result.completeExceptionally(thrown));
            return;
        }
        stage.whenComplete((value, thrown) -> hold.releaseAsync().whenComplete((outcome, ignored) -> {
            if (thrown == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(thrown);
            }
        }));
    }
}
