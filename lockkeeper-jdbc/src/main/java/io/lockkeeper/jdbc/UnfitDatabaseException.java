package io.lockkeeper.jdbc;

import io.lockkeeper.LockkeeperException;

/** Thrown when a database, as it is set up, cannot keep locks. The message says what to change. */
public final class UnfitDatabaseException extends LockkeeperException {
    private static final long serialVersionUID = 1;

    UnfitDatabaseException(String message) {
        super(message);
    }

    UnfitDatabaseException(String message, Throwable cause) {
        super(message, cause);
    }
}
