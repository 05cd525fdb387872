package io.lockkeeper.redis.client;

import org.jspecify.annotations.Nullable;

/** What went wrong between a request and its reply. {@link RedisErrors} makes a sentence for people out of it. */
public abstract sealed class RequestException extends RuntimeException permits ErrorReplyException, NoReplyException {

    private static final long serialVersionUID = 1;

    RequestException(String message, @Nullable Throwable cause, boolean stack) {
        super(message, cause, stack, stack);
    }
}
