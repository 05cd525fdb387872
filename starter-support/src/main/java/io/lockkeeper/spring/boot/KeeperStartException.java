package io.lockkeeper.spring.boot;

import org.jspecify.annotations.Nullable;

/** A keeper could not be opened when the application started. The message says why, and {@link #action} what to do. */
public final class KeeperStartException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String action;

    KeeperStartException(String description, String action) {
        this(description, action, null);
    }

    KeeperStartException(String description, String action, @Nullable Throwable cause) {
        super(description, cause);
        this.action = action;
    }

    /** What to do. */
    public String action() {
        return action;
    }
}
