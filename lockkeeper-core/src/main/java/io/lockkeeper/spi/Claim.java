package io.lockkeeper.spi;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import java.time.Duration;

/**
 * A request for a resource, known by its id. {@link #of} makes a plain one; the withers make a changed copy.
 *
 * @param id random, at least 128 bits, of letters and digits; made before anything is sent and never used again after its
 *     release
 * @param resource what is claimed
 * @param mode how it is claimed
 * @param lease how long a grant lasts without renewal
 * @param fixed whether the grant is never renewed
 * @param sticky whether the keeper may keep the grant for later while nothing in its process holds it, so that other keepers
 *     have to recall it
 * @param tokens how many tokens the keeper would like, at least 1; a store may give fewer
 * @param queueing whether the claim may wait in the store's queue
 * @param repeat whether a request of this claim was sent before that was never answered
 * @param placed whether the store has answered that this claim waits, so that it should have a place in the queue
 * @param holder the keeper and thread that claim, for people
 * @param timeout how long the request may take
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
        boolean placed,
        HolderInfo holder,
        Duration timeout) {

    /** A claim for one token and a lease that is renewed; it does not queue, is not sticky, and is sent for the first time. */
    public static Claim of(
            String id, Resource resource, Mode mode, Duration lease, HolderInfo holder, Duration timeout) {
        return new Claim(id, resource, mode, lease, false, false, 1, Queueing.NEVER, false, false, holder, timeout);
    }

    /** The same request as another claim. */
    public Claim withId(String changed) {
        return new Claim(
                changed, resource, mode, lease, fixed, sticky, tokens, queueing, repeat, placed, holder, timeout);
    }

    /** The same claim in another mode. */
    public Claim withMode(Mode changed) {
        return new Claim(
                id, resource, changed, lease, fixed, sticky, tokens, queueing, repeat, placed, holder, timeout);
    }

    /** The same claim with another lease. */
    public Claim withLease(Duration changed) {
        return new Claim(id, resource, mode, changed, fixed, sticky, tokens, queueing, repeat, placed, holder, timeout);
    }

    /** The same claim with a lease that is never renewed, or one that is. */
    public Claim withFixed(boolean changed) {
        return changed == fixed
                ? this
                : new Claim(
                        id, resource, mode, lease, changed, sticky, tokens, queueing, repeat, placed, holder, timeout);
    }

    /** The same claim, whose grant the keeper may keep while nothing holds it, or must not. */
    public Claim withSticky(boolean changed) {
        return changed == sticky
                ? this
                : new Claim(
                        id, resource, mode, lease, fixed, changed, tokens, queueing, repeat, placed, holder, timeout);
    }

    /** The same claim for another number of tokens. */
    public Claim withTokens(int changed) {
        return changed == tokens
                ? this
                : new Claim(
                        id, resource, mode, lease, fixed, sticky, changed, queueing, repeat, placed, holder, timeout);
    }

    /** The same claim with another way to queue. */
    public Claim withQueueing(Queueing changed) {
        return changed == queueing
                ? this
                : new Claim(id, resource, mode, lease, fixed, sticky, tokens, changed, repeat, placed, holder, timeout);
    }

    /** The same claim, sent again after a request that was not answered, or for the first time. */
    public Claim withRepeat(boolean changed) {
        return changed == repeat
                ? this
                : new Claim(
                        id, resource, mode, lease, fixed, sticky, tokens, queueing, changed, placed, holder, timeout);
    }

    /** The same claim, of which the store has answered that it waits, or has not. */
    public Claim withPlaced(boolean changed) {
        return changed == placed
                ? this
                : new Claim(
                        id, resource, mode, lease, fixed, sticky, tokens, queueing, repeat, changed, holder, timeout);
    }

    /** The same claim, whose request may take another time. */
    public Claim withTimeout(Duration changed) {
        return new Claim(id, resource, mode, lease, fixed, sticky, tokens, queueing, repeat, placed, holder, changed);
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
