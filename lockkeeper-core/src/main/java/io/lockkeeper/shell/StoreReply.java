package io.lockkeeper.shell;

import io.lockkeeper.spi.Moment;
import org.jspecify.annotations.Nullable;

/**
 * What came of one request to the store; {@link KeeperCore#call} makes it.
 *
 * <p>Either an answer or a failure, or both if the store answered that it does not know. A request that an {@link Error} cut
 * short has a failure like any other: it may have been executed, and whatever waits for its end goes on. Those who do not
 * wait with a thread, and those who can say that they do not know, make no difference between the two. Only the thread that
 * acquires gets the error itself, when the engine was told.
 *
 * @param sentAt just before the request was sent, which is when a lease begins to count
 * @param error what cut it short, if an error did
 */
record StoreReply<T extends @Nullable Object>(
        Moment sentAt,
        @Nullable T answer,
        @Nullable RuntimeException failure,
        @Nullable Error error) {

    boolean failed() {
        return failure != null;
    }
}
