package io.lockkeeper.spi;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import java.time.Duration;

/**
 * The keeper that opens a store, as the store sees it.
 *
 * <p><b>Threads.</b> A store may call it from any thread, also while it is being opened and after it was closed. No call does I/O or
 * waits for an answer of the store; {@link #signal}, {@link #recall}, {@link #signalAll} and {@link #knows} take a lock of the keeper
 * for a moment, so a store must not call them while it holds a lock that its own {@link Store#node} or {@link Store#ability} takes.
 */
public interface Keeper {

    /** Its random id, the same for all its claims. */
    String id();

    /** The keeper as others see it in the store. */
    HolderInfo holder();

    /**
     * The lease that this keeper's claims have unless they name another one. A store whose grants last as long as a session lets a
     * session end that long after its keeper was last heard of, unless it is set up otherwise.
     */
    Duration lease();

    /** How long a request may take that names no timeout of its own. */
    Duration commandTimeout();

    /** What this keeper counts time by. */
    Clocks clocks();

    /**
     * Notifies the keeper that something may have changed for its claims or grants on that resource, so that it asks the store
     * again. Only a hint: it may be lost, late or doubled.
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

    /**
     * Notifies the keeper that signals may have been lost, as after a reconnect, so that it asks the store again for everything; or
     * that a {@linkplain Session#end session has ended}, so that the holders of all its grants are told in this call.
     */
    void signalAll();

    /**
     * Whether the keeper still uses a claim: it waits, holds, or is yet to be released. What a session has for other
     * claims of that resource is to be deleted, with every contact of the session and not only when something is renewed: a late
     * request may have made it while nothing is held, and it would be in the way of everybody. Other resources are not looked at, so that reconciling many claims costs one step
     * each.
     */
    boolean knows(Resource resource, String claimId);
}
