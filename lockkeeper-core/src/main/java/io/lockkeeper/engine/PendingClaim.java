package io.lockkeeper.engine;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import org.jspecify.annotations.Nullable;

/**
 * A claim on its way to a grant. At most one request of it is under way at any time.
 *
 * <p><b>States.</b> {@link #become} is the only place where the state changes; any change that is not in this table throws.
 *
 * <table>
 *   <caption>Transitions</caption>
 *   <tr><th>from</th><th>to</th><th>when</th></tr>
 *   <tr><td>UNSENT, UNCERTAIN</td><td>REQUESTED</td><td>a request is handed out</td></tr>
 *   <tr><td>PLACED</td><td>POLLED</td><td>a request is handed out; the claim keeps its place</td></tr>
 *   <tr><td>REQUESTED, POLLED</td><td>PLACED</td><td>the store answers: wait</td></tr>
 *   <tr><td>POLLED</td><td>PLACED</td><td>the request failed, or was not sent after all</td></tr>
 *   <tr><td>REQUESTED</td><td>UNCERTAIN</td><td>the request failed</td></tr>
 *   <tr><td>REQUESTED, POLLED</td><td>UNSENT</td><td>refused, a try that has to wait, or not sent after all, so that the
 *       store has nothing of this claim; or the claim starts over under a new id</td></tr>
 *   <tr><td>REQUESTED, POLLED</td><td>UNCERTAIN</td><td>the same, but an earlier request was not answered</td></tr>
 *   <tr><td>REQUESTED, POLLED</td><td>ABANDONED</td><td>nobody wants the claim any more; the reply is awaited</td></tr>
 *   <tr><td>REQUESTED, POLLED</td><td>ENDED</td><td>granted</td></tr>
 *   <tr><td>UNSENT, PLACED, UNCERTAIN</td><td>ENDED</td><td>nobody wants the claim any more</td></tr>
 *   <tr><td>ABANDONED</td><td>ENDED</td><td>the reply came, or none will</td></tr>
 * </table>
 *
 * <p>Whether a request of the current id was ever left {@linkplain #unanswered unanswered} is kept beside the state and is
 * never taken back: such a request may still arrive at the store, however often later ones were answered, until the claim's
 * release has left a tombstone there. If an answer cleared it, the claim could be released without a tombstone, and the
 * late request would be granted to nobody.
 */
public final class PendingClaim {

    /** Where a claim is on its way; see the table in {@link PendingClaim}. */
    enum State {
        /** The store has nothing of it. */
        UNSENT,
        /** A request is under way, and the claim has no known place in the store's queue. */
        REQUESTED,
        /** It has a place in the store's queue. */
        PLACED,
        /** It has a place in the store's queue, and a request is under way. */
        POLLED,
        /** A request was not answered, so it may have a place or even a grant. */
        UNCERTAIN,
        /** Nobody wants it any more, and a request is under way. */
        ABANDONED,
        /** Granted, or given up. */
        ENDED;

        boolean mayBecome(State next) {
            return switch (this) {
                case UNSENT, UNCERTAIN -> next == REQUESTED || next == ENDED;
                case PLACED -> next == POLLED || next == ENDED;
                case REQUESTED, POLLED ->
                    next == PLACED || next == UNSENT || next == UNCERTAIN || next == ABANDONED || next == ENDED;
                case ABANDONED -> next == ENDED;
                case ENDED -> false;
            };
        }
    }

    /** The value of {@link #nextRequestAt} for a request that is due now. */
    static final long AT_ONCE = Long.MIN_VALUE;

    final AcquireRequest request;
    final Claim.Queueing queueing;
    /** The waiter that the claim belongs to; null if it belongs to the queue of all plain waiters. */
    final @Nullable Waiter waiter;

    private State state = State.UNSENT;
    private String id;
    private boolean unanswered;
    /** Whether a signal came while a request was under way: its answer may be older than the signal. */
    private boolean signalled;
    /** How many requests in a row were not answered. */
    private int failures;

    /** How often the store answered that it recalled a sticky grant of another keeper. */
    int recalls;
    /** When the store last said that the claim has a place, on the monotonic clock. */
    long placedAt;
    /** When the next request is due, on the monotonic clock. */
    long nextRequestAt = AT_ONCE;

    PendingClaim(String id, AcquireRequest request, Claim.Queueing queueing, @Nullable Waiter waiter) {
        this.id = id;
        this.request = request;
        this.queueing = queueing;
        this.waiter = waiter;
    }

    String id() {
        return id;
    }

    /** How many requests in a row were not answered. */
    int failures() {
        return failures;
    }

    /** Whether a request of this id was not answered, so that it may still arrive at the store. */
    boolean unanswered() {
        return unanswered;
    }

    /** Whether it never queues in the store, because its waiter tries once. */
    boolean neverQueues() {
        return queueing == Claim.Queueing.NEVER;
    }

    /**
     * The claim as it is sent to the store.
     *
     * @param speaker the waiter that sends its requests now, if there is one
     */
    Claim claim(Resource resource, Terms terms, int tokens, @Nullable Waiter speaker) {
        return Claim.of(
                        id,
                        resource,
                        request.mode(),
                        request.lease(),
                        holder(terms, speaker),
                        terms.timeoutFor(request.lease()))
                .withFixed(request.fixed())
                .withSticky(request.isSticky())
                .withTokens(tokens)
                .withQueueing(queueing)
                .withRepeat(unanswered)
                .withPlaced(hasPlace());
    }

    private HolderInfo holder(Terms terms, @Nullable Waiter speaker) {
        if (!request.shownAs().isEmpty()) {
            return terms.holder().withThread(request.shownAs());
        }
        return speaker == null ? terms.holder() : terms.holder().withThread(speaker.thread);
    }

    // ------------------------------------------------------------------------------------------------------- state

    State state() {
        return state;
    }

    /** Changes the state; throws if the table in the class comment has no such change. */
    void become(State next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("Claim " + id + " cannot change from " + state + " to " + next);
        }
        state = next;
    }

    boolean isUnderWay() {
        return state == State.REQUESTED || state == State.POLLED || state == State.ABANDONED;
    }

    boolean isAbandoned() {
        return state == State.ABANDONED;
    }

    /** Whether it is known to have a place in the store's queue. */
    boolean hasPlace() {
        return state == State.PLACED || state == State.POLLED;
    }

    /** A request is handed out, to be sent. */
    void requested() {
        become(state == State.PLACED ? State.POLLED : State.REQUESTED);
        signalled = false;
    }

    /** The request that was handed out is not sent after all. */
    void notSent() {
        if (state == State.ABANDONED) {
            become(State.ENDED);
        } else if (state == State.POLLED) {
            become(State.PLACED);
        } else {
            notStored();
        }
    }

    /** The store answered something. */
    void answered() {
        failures = 0;
    }

    /** The store answered that the claim has to wait and has its place. */
    void placed(long at) {
        become(State.PLACED);
        placedAt = at;
    }

    /** The store answered that it has nothing of this claim; an earlier request that was not answered may still arrive. */
    void notStored() {
        become(unanswered ? State.UNCERTAIN : State.UNSENT);
    }

    /** The request was not answered. */
    void failed() {
        unanswered = true;
        failures++;
        if (state == State.POLLED) {
            become(State.PLACED);
        } else if (state != State.ABANDONED) {
            become(State.UNCERTAIN);
        }
    }

    /** The same claim under a new id, of which the store has nothing. */
    void startOver(String newId) {
        become(State.UNSENT);
        id = newId;
        unanswered = false;
        nextRequestAt = AT_ONCE;
    }

    /**
     * Nobody wants the claim any more.
     *
     * @return whether the store is to be told now; if a request is under way, its reply decides
     */
    boolean abandon() {
        boolean mayBeStored = state == State.PLACED || state == State.UNCERTAIN;
        become(isUnderWay() ? State.ABANDONED : State.ENDED);
        return mayBeStored;
    }

    // ----------------------------------------------------------------------------------------------------- signals

    /**
     * A signal came: the next request is due at once.
     *
     * @return false if a request is under way; the signal then counts when its answer comes
     */
    boolean signal() {
        if (isUnderWay()) {
            signalled = true;
            return false;
        }
        nextRequestAt = AT_ONCE;
        return true;
    }

    /** Sets when the next request is due, or at once if a signal came while the last one was under way. */
    void pauseUntil(long at) {
        nextRequestAt = signalled ? AT_ONCE : at;
    }
}
