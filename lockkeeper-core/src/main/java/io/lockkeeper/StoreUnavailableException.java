package io.lockkeeper;

import org.jspecify.annotations.Nullable;

/** Thrown when the store did not answer, or not in time. Nothing is held; what was requested is undone in the background. */
public class StoreUnavailableException extends LockkeeperException {
    private static final long serialVersionUID = 1;

    public StoreUnavailableException(String message) {
        super(message);
    }

    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
