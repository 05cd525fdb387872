package io.lockkeeper.shell;

import io.lockkeeper.KeeperListener;
import java.util.function.Consumer;

/** Calls the application's listener on the thread of the caller that caused the event. */
final class Listeners {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    private Listeners() {}

    static void tell(KeeperListener listener, Consumer<KeeperListener> event) {
        try {
            event.accept(listener);
        } catch (RuntimeException | Error thrown) {
            LOG.log(System.Logger.Level.WARNING, "A keeper listener failed; the lock is not affected", thrown);
        }
    }
}
