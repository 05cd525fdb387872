package io.lockkeeper;

import org.jspecify.annotations.Nullable;

/** The root of what Lockkeeper throws by itself. */
public class LockkeeperException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public LockkeeperException(String message) {
        super(message);
    }

    public LockkeeperException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
