package io.lockkeeper;

/** Thrown when a guard rejects a hold because the data was already written under a later one. */
public final class StaleTokenException extends LockkeeperException {
    private static final long serialVersionUID = 1;

    private final long token;
    private final long seen;

    public StaleTokenException(String what, long token, long seen) {
        super("Refused to write " + what + " with token " + token + ": token " + seen
                + " was seen already, so this hold is stale; acquire again and repeat the work");
        this.token = token;
        this.seen = seen;
    }

    /** The token that was rejected. */
    public long token() {
        return token;
    }

    /** The greater token that the guard had seen. */
    public long seen() {
        return seen;
    }
}
