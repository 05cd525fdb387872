package io.lockkeeper.shell;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Short requests to the store, made without blocking the caller. */
final class Background {

    private Background() {}

    static <T extends @Nullable Object> CompletableFuture<T> call(Station station, Supplier<T> request) {
        CompletableFuture<T> future = new CompletableFuture<>();
        if (station.isClosed()) {
            future.completeExceptionally(station.closedException());
            return future;
        }
        try {
            station.workers().request(() -> {
                try {
                    T result = request.get();
                    station.workers().callback(() -> future.complete(result));
                } catch (RuntimeException | Error thrown) {
                    station.workers().callback(() -> future.completeExceptionally(thrown));
                }
            });
        } catch (RuntimeException | Error notBegun) {
            future.completeExceptionally(notBegun);
        }
        return future;
    }

    static CompletableFuture<@Nullable Void> run(Station station, Runnable request) {
        return call(station, () -> {
            request.run();
            return null;
        });
    }
}
