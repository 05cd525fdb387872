package io.lockkeeper;

import org.jspecify.annotations.Nullable;

/**
 * The superclass of the exceptions of Lockkeeper, except {@link LockLostException}: that one is an {@link
 * IllegalMonitorStateException}, so that code written for other locks keeps working.
 */
public class LockkeeperException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public LockkeeperException(String message) {
        super(message);
    }

    public LockkeeperException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
