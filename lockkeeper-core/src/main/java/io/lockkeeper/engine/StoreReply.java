package io.lockkeeper.engine;

import io.lockkeeper.spi.Moment;
import org.jspecify.annotations.Nullable;

/**
 * What came of one request to the store.
 *
 * <p>It has an answer or a failure, or both if the store answered that it does not know. A request that an {@link Error} cut
 * short has a failure like any other: the store may have executed it, and what waits for its end has to go on.
 *
 * @param sentAt just before the request was sent, which is when a lease begins to count
 * @param error what cut the request short, if an error did
 */
public record StoreReply<T extends @Nullable Object>(
        Moment sentAt,
        @Nullable T answer,
        @Nullable RuntimeException failure,
        @Nullable Error error) {

    public static <T extends @Nullable Object> StoreReply<T> answered(Moment sentAt, T answer) {
        return new StoreReply<>(sentAt, answer, null, null);
    }

    public static <T extends @Nullable Object> StoreReply<T> failed(Moment sentAt, RuntimeException failure) {
        return new StoreReply<>(sentAt, null, failure, null);
    }

    public boolean failed() {
        return failure != null;
    }

    RuntimeException requiredFailure() {
        if (failure == null) {
            throw new IllegalStateException("A reply has neither an answer nor a failure");
        }
        return failure;
    }
}
