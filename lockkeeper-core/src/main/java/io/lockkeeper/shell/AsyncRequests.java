package io.lockkeeper.shell;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes short requests to the store without blocking the caller. */
final class AsyncRequests {

    private AsyncRequests() {}

    static <T extends @Nullable Object> CompletableFuture<T> call(KeeperCore core, Supplier<T> request) {
        CompletableFuture<T> future = new CompletableFuture<>();
        if (core.isClosed()) {
            future.completeExceptionally(core.closedException());
            return future;
        }
        try {
            core.workers().request(() -> {
                try {
                    T result = request.get();
                    core.workers().callback(() -> future.complete(result));
                } catch (RuntimeException | Error thrown) {
                    core.workers().callback(() -> future.completeExceptionally(thrown));
                }
            });
        } catch (RuntimeException | Error notBegun) {
            future.completeExceptionally(notBegun);
        }
        return future;
    }

    static CompletableFuture<@Nullable Void> run(KeeperCore core, Runnable request) {
        return call(core, () -> {
            request.run();
            return null;
        });
    }
}
