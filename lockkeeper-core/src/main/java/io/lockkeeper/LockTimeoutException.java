package io.lockkeeper;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something was not acquired in time. The message says who held it, for how long, and how many wait before, as far as the store
 * could say it a moment after the time was over.
 */
public final class LockTimeoutException extends LockkeeperException {

    private static final long serialVersionUID = 1;

    private final transient Duration waited;
    private final transient @Nullable ResourceState state;

    /**
     * @param message one sentence for people
     * @param waited how long it was waited for
     * @param state what the store said of it after that, if it is a single resource and the store answered
     */
    public LockTimeoutException(String message, Duration waited, @Nullable ResourceState state) {
        super(message);
        this.waited = waited;
        this.state = state;
    }

    /** How long it was waited for. */
    public Duration waited() {
        return waited;
    }

    /**
     * Who held it and how many waited, a moment after the time was over; empty if the store did not answer, or it was free
     * again, or several resources were wanted.
     */
    public Optional<ResourceState> state() {
        return Optional.ofNullable(state);
    }
}
