package io.lockkeeper;

/** Thrown when the store does not offer what was requested; the message names the stores that do. */
public final class UnsupportedFeatureException extends LockkeeperException {
    private static final long serialVersionUID = 1;

    public UnsupportedFeatureException(String message) {
        super(message);
    }
}
