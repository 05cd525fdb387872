package io.lockkeeper.shell;

import io.lockkeeper.KeeperEvent;
import io.lockkeeper.StoreState;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether the store answers: the state changes once, is logged once and is reported once, however many callers wait for it.
 *
 * <p><b>Invariant.</b> Changes are reported in the order in which they happened. Were a change made under the lock and reported
 * outside of it, a thread that pauses in between could report an outage after the end of that outage, and a listener would
 * believe in it until the next one.
 *
 * <p>A request that is answered while the store is reachable, which is the common case, takes no lock.
 */
final class StoreHealth {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    private final String store;
    private final String backend;
    private final Clocks clocks;
    private final Consumer<KeeperEvent.StoreStateChanged> listener;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile StoreState state = StoreState.UNKNOWN;
    /** When the state became uncertain; guarded by the lock. */
    private @Nullable Moment since;

    /** @param listener is called with the lock held, so it must not block nor run code of the application */
    StoreHealth(String store, String backend, Clocks clocks, Consumer<KeeperEvent.StoreStateChanged> listener) {
        this.store = store;
        this.backend = backend;
        this.clocks = clocks;
        this.listener = listener;
    }

    StoreState state() {
        return state;
    }

    void failed(RuntimeException failure) {
        if (state == StoreState.UNCERTAIN) {
            return;
        }
        lock.lock();
        try {
            StoreState before = state;
            if (before == StoreState.UNCERTAIN) {
                return;
            }
            since = clocks.now();
            state = StoreState.UNCERTAIN;
            listener.accept(new Events.StoreStateChanged(
                    backend, StoreState.UNCERTAIN, before, Optional.of(failure), Duration.ZERO));
        } finally {
            lock.unlock();
        }
        LOG.log(
                System.Logger.Level.WARNING,
                "{0} is not available ({1}); callers that wait go on asking until it is",
                store,
                failure.getMessage());
    }

    /** @return whether an outage ended with it */
    boolean answered() {
        if (state == StoreState.REACHABLE) {
            return false;
        }
        StoreState before;
        lock.lock();
        try {
            before = state;
            if (before == StoreState.REACHABLE) {
                return false;
            }
            Moment began = since;
            Duration outage = began == null
                    ? Duration.ZERO
                    : Duration.ofNanos(clocks.now().since(began));
            since = null;
            state = StoreState.REACHABLE;
            listener.accept(
                    new Events.StoreStateChanged(backend, StoreState.REACHABLE, before, Optional.empty(), outage));
        } finally {
            lock.unlock();
        }
        if (before == StoreState.UNKNOWN) {
            return false;
        }
        LOG.log(System.Logger.Level.INFO, "{0} is available again", store);
        return true;
    }
}
