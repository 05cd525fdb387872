package io.lockkeeper.shell;

import java.util.concurrent.atomic.AtomicBoolean;

/** Logs once that the store is not available, and once that it is again, however many requests fail. */
final class OutageLog {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    private final String store;
    private final AtomicBoolean silent = new AtomicBoolean();

    OutageLog(String store) {
        this.store = store;
    }

    void failed(RuntimeException failure) {
        if (silent.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} is not available ({1}); waiters keep retrying",
                    store,
                    failure.getMessage());
        }
    }

    /** @return whether an outage ended with it */
    boolean answered() {
        boolean ended = silent.get() && silent.compareAndSet(true, false);
        if (ended) {
            LOG.log(System.Logger.Level.INFO, "{0} is available again", store);
        }
        return ended;
    }
}
