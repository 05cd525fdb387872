package io.lockkeeper.engine;

import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;

/**
 * Decides what becomes of a grant that one of its holders released. A query: {@link Releases} acts on the decision.
 *
 * <p>The order of preference is the order of {@link Decision}: the grant stays in use here as long as the bounds of
 * {@link HandOffRules} allow it, then it is kept if it is sticky and nobody wants it, and only then the store is told.
 */
final class ReleasePolicy {

    /** The ways that a released grant can go. */
    enum Decision {
        /** Other holders still share it. */
        SHARE,
        /** It is left open: the head of the queue is called, and a newcomer may take it first. */
        LEAVE_OPEN,
        /** The head of the queue has it at once. */
        HAND_ON,
        /** It is sticky, and stays here though nobody holds it. */
        KEEP,
        /** It goes back to the store, together with an attempt for the plain waiters of this keeper. */
        EXCHANGE,
        /** It goes back to the store. */
        RETURN
    }

    private ReleasePolicy() {}

    /**
     * Decides, after the released hold was taken from the grant.
     *
     * @param queue the waiters of this keeper
     * @param hasPlainClaim whether the plain waiters have a claim already
     * @param mayKeep whether a grant may stay idle: not if the keeper is being closed
     */
    static Decision decide(
            Terms terms, Moment now, Grant grant, WaiterQueue queue, boolean hasPlainClaim, boolean mayKeep) {
        if (!grant.holdings().isEmpty()) {
            return Decision.SHARE;
        }
        Waiter head = queue.first();
        if (head != null && HandOffRules.mayHandOn(terms, now, grant, queue)) {
            return HandOffRules.mayLeaveOpen(terms, now, grant, head) ? Decision.LEAVE_OPEN : Decision.HAND_ON;
        }
        if (mayKeep && isWorthKeeping(now, grant, queue)) {
            return Decision.KEEP;
        }
        return mayExchange(terms, grant, queue, hasPlainClaim) ? Decision.EXCHANGE : Decision.RETURN;
    }

    /** Whether a sticky grant is kept: nobody waits for it here or elsewhere, and the next waiter could still take it. */
    private static boolean isWorthKeeping(Moment now, Grant grant, WaiterQueue queue) {
        return queue.isEmpty()
                && grant.isToBeKept()
                && !grant.isWanted()
                && grant.hasToken()
                && HandOffRules.isSafe(now, grant);
    }

    /**
     * Whether an attempt goes along with the release, so that the first plain waiter need not be awake for it: not if the
     * plain waiters have a claim already, or if fair waiters are to be served first.
     */
    private static boolean mayExchange(Terms terms, Grant grant, WaiterQueue queue, boolean hasPlainClaim) {
        return terms.exchanges()
                && grant.request().mode() instanceof Mode.Exclusive
                && !hasPlainClaim
                && !queue.isEmpty()
                && !queue.hasFair();
    }
}
