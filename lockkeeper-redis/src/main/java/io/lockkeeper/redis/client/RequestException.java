package io.lockkeeper.redis.client;

import org.jspecify.annotations.Nullable;

/** A request that failed after it was sent. {@link RedisErrors} makes a sentence out of it. */
public abstract sealed class RequestException extends RuntimeException permits ErrorReplyException, NoReplyException {

    private static final long serialVersionUID = 1;

    RequestException(String message, @Nullable Throwable cause, boolean stack) {
        super(message, cause, stack, stack);
    }
}
