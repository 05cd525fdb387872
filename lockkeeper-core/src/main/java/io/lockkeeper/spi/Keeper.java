package io.lockkeeper.spi;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import java.time.Duration;

/** The keeper that opens a store, as the store sees it. */
public interface Keeper {

    /** Its random id, the same for all its claims. */
    String id();

    HolderInfo holder();

    /** How long a request may take that names no limit of its own. */
    Duration commandLimit();

    Clocks clocks();

    /**
     * Something may have changed for this keeper's claims or grants on that resource: ask again. Only a hint: it may be
     * lost, late or doubled. Never blocks; may be called from any thread.
     */
    void signal(Resource resource);

    /**
     * Another keeper wants the {@linkplain Claim#sticky sticky} grant of this claim: it is returned to the store at once if
     * nobody holds it, else as soon as its holder releases it. Only a hint, like {@link #signal}, and about this claim alone:
     * a recall that arrives late must not be taken for the recall of a later grant.
     */
    default void recall(Resource resource, String claimId) {
        signal(resource);
    }

    /** Signals may have been lost, as after a reconnect: ask again for everything. */
    void signalAll();

    /** Whether the engine still has to do with that claim; what a session owns beyond that is to be deleted. */
    boolean knows(String claimId);
}
