package io.lockkeeper.engine;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Since when the store has not answered, and what was heard instead. */
final class Silence {

    private final Resource resource;
    private @Nullable Moment since;
    private @Nullable RuntimeException lastFailure;

    Silence(Resource resource) {
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

    /** A request failed that says nothing of whether others are answered. */
    void heard(RuntimeException failure) {
        lastFailure = failure;
    }

    boolean lasts() {
        return since != null;
    }

    /** Whether it has lasted for longer than this waiter puts up with; what was before he came does not count. */
    boolean isTooLongFor(Waiter waiter, Moment now) {
        Moment asked = waiter.since;
        if (waiter.giveUpAfter == null || since == null || asked == null) {
            return false;
        }
        long lasted = now.mono() - Math.max(since.mono(), asked.mono());
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
