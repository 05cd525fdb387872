package io.lockkeeper.spring;

import io.lockkeeper.LockkeeperException;

/** Thrown by a {@link LeaderOnly} method with {@link WhenBusy#THROW} while this process does not lead. */
public final class NotLeaderException extends LockkeeperException {

    private static final long serialVersionUID = 1;

    /** @param message one sentence for people */
    public NotLeaderException(String message) {
        super(message);
    }
}
