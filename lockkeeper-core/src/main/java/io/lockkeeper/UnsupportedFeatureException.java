package io.lockkeeper;

/** The store can not do what was asked for; the message names those that can. */
public final class UnsupportedFeatureException extends LockkeeperException {
    private static final long serialVersionUID = 1;

    public UnsupportedFeatureException(String message) {
        super(message);
    }
}
