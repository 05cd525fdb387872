package io.lockkeeper.redis.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** There is no reply, or none that can be read: it is unknown whether the request was executed. */
public final class NoReplyException extends RequestException {

    private static final long serialVersionUID = 1;

    private final boolean malformed;

    private NoReplyException(String message, @Nullable Throwable cause, boolean malformed) {
        super(message, cause, true);
        this.malformed = malformed;
    }

    NoReplyException(String message) {
        this(message, null, false);
    }

    public NoReplyException(String message, Throwable cause) {
        this(message, cause, false);
    }

    public NoReplyException(IOException cause) {
        this(String.valueOf(cause.getMessage()), cause, false);
    }

    /** For input that is not the protocol of Redis, or that exceeds the bounds. */
    static NoReplyException malformed(String what) {
        return new NoReplyException(what, null, true);
    }

    /** Whether something was received that is no reply. */
    boolean isMalformed() {
        return malformed;
    }
}
