package io.lockkeeper;

/** The keeper was closed. */
public final class KeeperClosedException extends LockkeeperException {
    private static final long serialVersionUID = 1;

    public KeeperClosedException(String message) {
        super(message);
    }
}
