package io.lockkeeper.etcd.client;

import io.lockkeeper.LockkeeperException;

/** Thrown when etcd answered that it did not execute a request. Its message is a sentence for people. */
public final class EtcdErrorException extends LockkeeperException {
    private static final long serialVersionUID = 1;

    /** What the caller can do about it. */
    public enum Kind {
        /** The lease that a key was to be attached to is gone. */
        LEASE_NOT_FOUND,
        /** A key that was to be updated is not there. */
        KEY_NOT_FOUND,
        /** A new token is needed, or the rights of the user have changed meanwhile. */
        LOGIN_NEEDED,
        /** The space quota is used up: reading and deleting still work. */
        NO_SPACE,
        /** Something is wrong that a person has to mend. */
        REFUSED
    }

    private final Kind kind;

    EtcdErrorException(Kind kind, String message) {
        super(message, null);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /** Whether asking again is useless until a person has mended something. */
    public boolean isFinal() {
        return kind == Kind.REFUSED || kind == Kind.NO_SPACE;
    }
}
