package io.lockkeeper.redis.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** There is no reply, or none that can be read: whether the request was executed is not known. */
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

    /** What came is not the protocol of Redis, or beyond all bounds. */
    static NoReplyException malformed(String what) {
        return new NoReplyException(what, null, true);
    }

    /** Whether something came that is no reply. */
    boolean isMalformed() {
        return malformed;
    }
}
