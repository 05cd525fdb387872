package io.lockkeeper.engine;

import io.lockkeeper.spi.Moment;

/**
 * Lets waiters go that get nothing: those that leave and those that fail. After each of them the open grant, if there is
 * one, is offered to the new head of the queue; if it were not, it would be renewed and held by nobody.
 */
final class Departures {

    private final PendingClaims claims;
    private final WaiterQueue queue;
    private final GrantDispatcher dispatcher;
    private final Outage outage;
    private final Outbox out;

    Departures(PendingClaims claims, GrantDispatcher dispatcher, Outage outage, Outbox out) {
        this.claims = claims;
        this.queue = claims.queue;
        this.dispatcher = dispatcher;
        this.outage = outage;
        this.out = out;
    }

    /** A waiter does not wait any more. */
    void leave(Moment now, Waiter waiter) {
        waiter.become(Waiter.State.LEFT);
        claims.remove(now, waiter);
        dispatcher.callHeir(now);
    }

    /** A waiter cannot have what it wants. */
    void fail(Moment now, Waiter waiter, RuntimeException failure) {
        waiter.fail(failure);
        claims.remove(now, waiter);
        dispatcher.callHeir(now);
        out.wake(waiter);
    }

    /** Fails each waiter for which the store has been silent for too long. */
    void failOutOfPatience(Moment now) {
        for (Waiter waiter = queue.first(); waiter != null; ) {
            Waiter next = waiter.next;
            if (outage.isTooLongFor(waiter, now)) {
                fail(now, waiter, outage.exception());
            }
            waiter = next;
        }
    }

    /** Fails every waiter, except single tries whose request is under way: its reply tells them. */
    void failAll(Moment now, RuntimeException failure) {
        for (Waiter waiter = queue.first(); waiter != null; waiter = queue.first()) {
            fail(now, waiter, failure);
        }
        for (Waiter waiter : claims.patientSingles()) {
            fail(now, waiter, failure);
        }
    }
}
