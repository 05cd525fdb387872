package io.lockkeeper.engine;

import io.lockkeeper.spi.LatchStore;
import org.jspecify.annotations.Nullable;

/**
 * A thread or future that waits for a latch, until the wait is over; {@link LatchWaiters} alone changes it.
 *
 * <table>
 *   <caption>Transitions</caption>
 *   <tr><th>from</th><th>to</th><th>when</th></tr>
 *   <tr><td>NEW</td><td>ASKED</td><td>a request is sent that may count for it</td></tr>
 *   <tr><td>ASKED</td><td>SEEN</td><td>the store's answer says that the latch is closed</td></tr>
 *   <tr><td>ASKED, SEEN</td><td>OPENED</td><td>the store's answer lets it go on</td></tr>
 *   <tr><td>SEEN</td><td>CLOSED</td><td>its time is over</td></tr>
 *   <tr><td>ASKED</td><td>FAILED</td><td>its time is over, and the last request had no answer</td></tr>
 * </table>
 */
public final class LatchWaiter {

    /** Where a waiter is on its way; see the table in {@link LatchWaiter}. */
    public enum State {
        /** No request was sent since it came. */
        NEW,
        /** The store was asked, and has not answered. */
        ASKED,
        /** The generation that it waits for is known. */
        SEEN,
        /** It goes on: the latch is at zero, or another generation has begun. */
        OPENED,
        /** Its time is over, and the latch is closed. */
        CLOSED,
        /** Its time is over, and the store has not answered. */
        FAILED;

        boolean mayBecome(State next) {
            return switch (this) {
                case NEW -> next == ASKED;
                case ASKED -> next == SEEN || next == OPENED || next == FAILED;
                case SEEN -> next == OPENED || next == CLOSED;
                case OPENED, CLOSED, FAILED -> false;
            };
        }
    }

    private final long deadline;
    private State state = State.NEW;
    private long generation;
    private @Nullable RuntimeException failure;

    /** @param deadline when its time is over, on the monotonic clock; {@link Long#MAX_VALUE} for never */
    public LatchWaiter(long deadline) {
        this.deadline = deadline;
    }

    public State state() {
        return state;
    }

    /** Why the store has not answered, if that is how it ended. */
    public @Nullable RuntimeException failure() {
        return failure;
    }

    long deadline() {
        return deadline;
    }

    void asked() {
        if (state == State.NEW) {
            become(State.ASKED);
        }
    }

    void answered(LatchStore.State seen) {
        if (state == State.NEW) {
            // The request was sent before this waiter came.
            return;
        }
        if (state == State.ASKED) {
            generation = seen.generation();
        }
        if (seen.count() == 0 || seen.generation() != generation) {
            become(State.OPENED);
        } else if (state == State.ASKED) {
            become(State.SEEN);
        }
    }

    /** @param lastFailure why the last request had no answer; null if it had one */
    void timeIsOver(@Nullable RuntimeException lastFailure) {
        if (state == State.SEEN) {
            become(State.CLOSED);
        } else if (state == State.ASKED && lastFailure != null) {
            failure = lastFailure;
            become(State.FAILED);
        }
    }

    void become(State next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("A waiter for a latch cannot change from " + state + " to " + next);
        }
        state = next;
    }

    boolean isOver() {
        return state == State.OPENED || state == State.CLOSED || state == State.FAILED;
    }
}
