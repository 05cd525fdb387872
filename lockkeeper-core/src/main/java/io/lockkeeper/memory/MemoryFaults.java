package io.lockkeeper.memory;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;

/** For tests: makes a {@link MemoryBackend} behave as badly as a server behind a network can. */
public final class MemoryFaults {

    /** What happens to requests. */
    public enum Fault {
        /** They are executed and answered. */
        NONE,
        /** They fail and are not executed: the store is out of reach. */
        BEFORE,
        /** They are executed and fail: the reply is lost. */
        AFTER
    }

    private final MemoryBackend backend;
    private volatile Fault fault = Fault.NONE;
    private volatile boolean dropSignals;

    MemoryFaults(MemoryBackend backend) {
        this.backend = backend;
    }

    /** From now on the requests of all keepers fail in this way. */
    public void failing(Fault kind) {
        fault = kind;
    }

    /** From now on no keeper is signalled; what is signalled meanwhile is lost for good. */
    public void dropSignals(boolean drop) {
        dropSignals = drop;
    }

    /** Forgets all grants without a signal, as a failover does that loses them; queues and counters stay. */
    public void loseGrants() {
        backend.call((store, now) -> {
            store.loseGrants();
            return true;
        });
    }

    /** A restart without persistence: all is forgotten but the last token, and the store is young again. */
    public void restartEmpty() {
        backend.restartEmpty();
    }

    /** Forgets the grants of one resource without a signal. */
    public void loseGrants(Resource resource) {
        backend.call((store, now) -> {
            store.loseGrants(resource);
            return true;
        });
    }

    boolean dropsSignals() {
        return dropSignals;
    }

    void failIfUnreachable() {
        if (fault == Fault.BEFORE) {
            throw new StoreUnavailableException("The store " + backend.describe() + " is made unreachable by a test");
        }
    }

    void failIfReplyIsLost() {
        if (fault == Fault.AFTER) {
            throw new StoreUnavailableException(
                    "The reply of " + backend.describe() + " is made to get lost by a test");
        }
    }
}
