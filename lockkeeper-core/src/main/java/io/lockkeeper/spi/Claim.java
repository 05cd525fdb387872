package io.lockkeeper.spi;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import java.time.Duration;

/**
 * A wish for a resource.
 *
 * @param id random, at least 128 bits, of letters and digits; made before anything is sent and never used again after its
 *     release
 * @param resource what is wanted
 * @param mode how
 * @param lease how long a grant lasts without renewal
 * @param fixed whether it is never renewed
 * @param sticky whether its keeper may keep the grant for later while nobody holds it, so that others have to ask for it
 * @param tokens how many tokens are wanted, at least 1; a store may give fewer
 * @param queueing whether it may wait in the store's queue
 * @param repeat whether a request of this claim was sent before that was never answered
 * @param holder who asks
 * @param limit how long the request may take
 */
public record Claim(
        String id,
        Resource resource,
        Mode mode,
        Duration lease,
        boolean fixed,
        boolean sticky,
        int tokens,
        Queueing queueing,
        boolean repeat,
        HolderInfo holder,
        Duration limit) {

    /** A claim that is not sticky. */
    public Claim(
            String id,
            Resource resource,
            Mode mode,
            Duration lease,
            boolean fixed,
            int tokens,
            Queueing queueing,
            boolean repeat,
            HolderInfo holder,
            Duration limit) {
        this(id, resource, mode, lease, fixed, false, tokens, queueing, repeat, holder, limit);
    }

    /** The same claim in another mode. */
    public Claim withMode(Mode changed) {
        return new Claim(id, resource, changed, lease, fixed, sticky, tokens, queueing, repeat, holder, limit);
    }

    /** The same claim with another lease. */
    public Claim withLease(Duration changed) {
        return new Claim(id, resource, mode, changed, fixed, sticky, tokens, queueing, repeat, holder, limit);
    }

    /** Whether a claim may wait in the store's queue. */
    public enum Queueing {
        /** It is granted now or leaves no trace. */
        NEVER,
        /** It may queue, as the one claim that stands for all waiters of its keeper. */
        PLAIN,
        /** It queues for one waiter, whose place must not be passed over while its keeper lives. */
        FAIR
    }
}
