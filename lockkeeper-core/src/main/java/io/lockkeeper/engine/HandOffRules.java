package io.lockkeeper.engine;

import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import java.time.Duration;

/**
 * Which waiter of this keeper may be given a grant that the keeper already has. All methods are queries
 * without state of their own.
 *
 * <p><b>Invariant.</b> A grant serves one more waiter only while it is surely held for at least the time between two
 * renewals, and in a row that is bounded in number and time. Without the first, a waiter that wakes late would find it
 * ended; without the second, a busy process would never let another one in.
 */
final class HandOffRules {

    private HandOffRules() {}

    /** Whether it is surely held, and for long enough that the next holder has time to renew it. */
    static boolean isSafe(Moment now, Grant grant) {
        return !grant.uncertain(now) && grant.remaining(now) >= grant.period();
    }

    /** Whether one more holder may share it. */
    static boolean mayShare(Terms terms, Moment now, Grant grant) {
        return isRowOpen(terms, now, grant, grant.grantedAt().mono());
    }

    /** Whether the head of the queue may have it after its last holder. */
    static boolean mayHandOn(Terms terms, Moment now, Grant grant, WaiterQueue queue) {
        Waiter head = queue.first();
        if (head == null
                || queue.hasFair()
                || !grant.request().passable()
                || !head.request.equals(grant.request())
                || !grant.hasToken()) {
            return false;
        }
        if (grant.isSticky()) {
            // Other keepers need no bound to get their turn: they recall it.
            return terms.canHandOff() && terms.handOff().times() > 0 && !grant.isWanted() && isSafe(now, grant);
        }
        return isRowOpen(terms, now, grant, grant.firstReleasedAt());
    }

    /**
     * Whether a grant that may be handed on is left open to newcomers while the head of the queue is being woken: not if too
     * many have overtaken that waiter already. Permits are not left open: several may be released at once, and each has a
     * next waiter of its own. Nor are sticky grants, which another keeper may recall at any moment.
     */
    static boolean mayLeaveOpen(Terms terms, Moment now, Grant grant, Waiter head) {
        return grant.request().mode() instanceof Mode.Exclusive
                && !grant.isSticky()
                && (head.overtaken() == 0 ? terms.barging().times() > 0 : mayOvertake(terms, now, head));
    }

    /** Whether a newcomer may take an open grant before the head of the queue. */
    static boolean mayTakeOpen(Terms terms, Moment now, Waiter newcomer, Grant open, WaiterQueue queue) {
        Waiter head = queue.first();
        return head != null
                && newcomer.request.equals(open.request())
                && mayOvertake(terms, now, head)
                && mayHandOn(terms, now, open, queue);
    }

    private static boolean mayOvertake(Terms terms, Moment now, Waiter head) {
        return head.overtaken() < terms.barging().times()
                && now.mono() - head.calledAt() <= terms.barging().within().toNanos();
    }

    private static boolean isRowOpen(Terms terms, Moment now, Grant grant, long since) {
        Duration within = terms.handOff().within();
        return terms.canHandOff()
                && grant.holds() <= terms.handOff().times()
                && Duration.ofNanos(now.mono() - since).compareTo(within) <= 0
                && isSafe(now, grant);
    }
}
