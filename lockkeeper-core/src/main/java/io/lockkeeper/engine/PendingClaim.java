package io.lockkeeper.engine;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import org.jspecify.annotations.Nullable;

/**
 * A claim on its way to a grant. At most one request of it is under way at any time.
 *
 * <p>{@code unanswered} is never taken back: a request whose reply was lost may still arrive at the store, however often
 * later ones were answered, until the claim's release has left a tombstone there.
 */
public final class PendingClaim {

    static final long AT_ONCE = Long.MIN_VALUE;

    final AcquireRequest wish;
    final Claim.Queueing queueing;
    /** Whose claim it is; null if it belongs to the queue of all plain waiters. */
    final @Nullable Waiter waiter;

    String id;
    boolean underWay;
    boolean sent;
    boolean unanswered;
    /** Whether the store has answered, so that the claim has its place in the store's queue. */
    boolean placed;
    /** When the store last said so, on the monotonic clock. */
    long placedAt;

    /** Whether a signal came while a request was under way: its answer may be older than the signal. */
    boolean signalled;

    boolean abandoned;
    int failures;
    /** How often the store answered that another keeper was asked to give it back. */
    int asked;
    /** When to ask next, on the monotonic clock. */
    long askAt = AT_ONCE;

    PendingClaim(String id, AcquireRequest wish, Claim.Queueing queueing, @Nullable Waiter waiter) {
        this.id = id;
        this.wish = wish;
        this.queueing = queueing;
        this.waiter = waiter;
    }

    /** @param speaker the waiter that sends its requests now, if there is one */
    Claim claim(Resource resource, Terms terms, int tokens, @Nullable Waiter speaker) {
        return Claim.of(
                        id,
                        resource,
                        wish.mode(),
                        wish.lease(),
                        speaker == null ? terms.holder() : terms.holder().withThread(speaker.thread),
                        terms.limitFor(wish.lease()))
                .withFixed(wish.fixed())
                .withSticky(wish.isSticky())
                .withTokens(tokens)
                .withQueueing(queueing)
                .withRepeat(unanswered);
    }
}
