package io.lockkeeper;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when something was not acquired in time. The message names the holder, how long it has been held, and the number of
 * waiters, as far as the store could tell a moment after the time was over.
 */
public final class LockTimeoutException extends LockkeeperException {

    private static final long serialVersionUID = 1;

    private final transient Duration waited;
    private final transient @Nullable ResourceState state;

    /**
     * @param message one sentence for people
     * @param waited how long the caller waited
     * @param state the state in the store after that, if one resource was missing and the store answered
     */
    public LockTimeoutException(String message, Duration waited, @Nullable ResourceState state) {
        super(message);
        this.waited = waited;
        this.state = state;
    }

    /** How long the caller waited. */
    public Duration waited() {
        return waited;
    }

    /**
     * The holders and the number of waiters, a moment after the time was over; of a multi-lock, those of the lock that was missing.
     * Empty if the store did not answer, if it was free again, or if any of several resources would have done, as the segments
     * of a segmented lock.
     */
    public Optional<ResourceState> state() {
        return Optional.ofNullable(state);
    }
}
