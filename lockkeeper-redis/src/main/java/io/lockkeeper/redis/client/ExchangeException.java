package io.lockkeeper.redis.client;

import org.jspecify.annotations.Nullable;

/** What went wrong between a request and its reply. {@link Trouble} makes a sentence for people out of it. */
public abstract sealed class ExchangeException extends RuntimeException permits ErrorReplyException, NoReplyException {

    private static final long serialVersionUID = 1;

    ExchangeException(String message, @Nullable Throwable cause, boolean stack) {
        super(message, cause, stack, stack);
    }
}
