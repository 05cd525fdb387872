package io.lockkeeper.shell;

import java.util.concurrent.atomic.AtomicBoolean;

/** Says once that the store does not answer, and once that it does again, however many wait for it. */
final class Outage {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    private final String store;
    private final AtomicBoolean silent = new AtomicBoolean();

    Outage(String store) {
        this.store = store;
    }

    void failed(RuntimeException failure) {
        if (silent.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} does not answer ({1}); who waits goes on asking until it is back",
                    store,
                    failure.getMessage());
        }
    }

    void answered() {
        if (silent.get() && silent.compareAndSet(true, false)) {
            LOG.log(System.Logger.Level.INFO, "{0} answers again", store);
        }
    }
}
