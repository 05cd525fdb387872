package io.lockkeeper;

/** Thrown when the keeper is closed, before a call or while it waits. */
public final class KeeperClosedException extends LockkeeperException {
    private static final long serialVersionUID = 1;

    public KeeperClosedException(String message) {
        super(message);
    }
}
