package io.lockkeeper;

import org.jspecify.annotations.Nullable;

/** Thrown when the store rejects a claim for good: another size of the semaphore, a key of another type, a newer format. */
public final class ClaimRefusedException extends LockkeeperException {
    private static final long serialVersionUID = 1;

    public ClaimRefusedException(String message) {
        super(message);
    }

    public ClaimRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
