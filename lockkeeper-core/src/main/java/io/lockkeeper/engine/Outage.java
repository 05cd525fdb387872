package io.lockkeeper.engine;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The time since which the store has not answered, and the last failure. */
final class Outage {

    private final Resource resource;
    private @Nullable Moment since;
    private @Nullable RuntimeException lastFailure;

    Outage(Resource resource) {
        this.resource = resource;
    }

    void answered() {
        since = null;
    }

    void failed(Moment now, RuntimeException failure) {
        lastFailure = failure;
        if (since == null) {
            since = now;
        }
    }

    /** A request failed, which does not say whether others are answered. */
    void heard(RuntimeException failure) {
        lastFailure = failure;
    }

    boolean lasts() {
        return since != null;
    }

    /** Whether the outage, counted from when this waiter arrived, exceeds the waiter's {@code giveUpAfter}. */
    boolean isTooLongFor(Waiter waiter, Moment now) {
        Moment arrived = waiter.since;
        if (waiter.giveUpAfter == null || since == null || arrived == null) {
            return false;
        }
        long lasted = now.mono() - Math.max(since.mono(), arrived.mono());
        return Duration.ofNanos(lasted).compareTo(waiter.giveUpAfter) >= 0;
    }

    StoreUnavailableException exception() {
        RuntimeException cause = lastFailure;
        String said = cause == null || cause.getMessage() == null ? "no answer" : cause.getMessage();
        return new StoreUnavailableException(
                "The store did not answer for " + resource + " (" + said
                        + "); nothing is held, try again when it is back",
                cause);
    }
}
