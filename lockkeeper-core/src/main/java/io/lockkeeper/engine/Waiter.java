package io.lockkeeper.engine;

import io.lockkeeper.spi.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request of the application for a resource, from its arrival until it is served, fails or leaves.
 *
 * <p><b>States.</b> {@link #become} is the only place where the state changes; any change that is not in this table throws.
 *
 * <table>
 *   <caption>Transitions</caption>
 *   <tr><th>from</th><th>to</th><th>when</th></tr>
 *   <tr><td>NEW</td><td>QUEUED</td><td>it arrives and queues</td></tr>
 *   <tr><td>NEW</td><td>TRYING</td><td>it arrives, tries once, and a request to the store is useful</td></tr>
 *   <tr><td>NEW</td><td>SERVED</td><td>a grant of this keeper serves it on arrival: shared, open or idle</td></tr>
 *   <tr><td>NEW</td><td>LEFT</td><td>it tries once, and a request to the store is useless</td></tr>
 *   <tr><td>QUEUED</td><td>CALLED</td><td>it is the head of the queue and is woken for an open grant</td></tr>
 *   <tr><td>CALLED</td><td>QUEUED</td><td>it takes its turn and the open grant is not there any more</td></tr>
 *   <tr><td>QUEUED, CALLED, TRYING</td><td>SERVED</td><td>it is given a grant</td></tr>
 *   <tr><td>QUEUED, CALLED, TRYING</td><td>FAILED</td><td>refused, store silent for too long, keeper closed</td></tr>
 *   <tr><td>QUEUED, CALLED, TRYING</td><td>LEFT</td><td>timeout, interrupt, cancellation; a try that gets nothing</td></tr>
 *   <tr><td>SERVED</td><td>QUEUED</td><td>it takes its turn after the deadline of its grant, and waits again</td></tr>
 *   <tr><td>SERVED</td><td>LEFT</td><td>the same, for a waiter that tries once</td></tr>
 * </table>
 *
 * <p>A waiter is in the {@link WaiterQueue} in the states QUEUED and CALLED only.
 */
public final class Waiter {

    /** Where a waiter is on its way; see the table in {@link Waiter}. */
    enum State {
        /** Not arrived yet. */
        NEW,
        /** In the queue. */
        QUEUED,
        /** In the queue, and woken for an open grant that it has not looked at yet. */
        CALLED,
        /** Tries once, with a claim of its own, and never queues. */
        TRYING,
        /** Has a hold. */
        SERVED,
        /** Cannot have one. */
        FAILED,
        /** Does not want one any more, or got none in its single try. */
        LEFT;

        boolean mayBecome(State next) {
            return switch (this) {
                case NEW -> next == QUEUED || next == TRYING || next == SERVED || next == LEFT;
                case QUEUED -> next == CALLED || next == SERVED || next == FAILED || next == LEFT;
                case CALLED -> next == QUEUED || next == SERVED || next == FAILED || next == LEFT;
                case TRYING -> next == SERVED || next == FAILED || next == LEFT;
                case SERVED -> next == QUEUED || next == LEFT;
                case FAILED, LEFT -> false;
            };
        }
    }

    final AcquireRequest request;
    final boolean once;
    final @Nullable Duration giveUpAfter;
    final @Nullable Object owner;
    final String thread;
    private final Runnable waker;

    private State state = State.NEW;

    /** Its own claim, of a fair waiter or of one that tries once; null for a plain waiter. */
    @Nullable
    PendingClaim claim;

    /** When it arrived. */
    @Nullable
    Moment since;

    private @Nullable EngineHold holding;
    private @Nullable RuntimeException failure;

    // The links of WaiterQueue, which alone writes them.
    @Nullable
    Waiter previous;

    @Nullable
    Waiter next;

    /** When it takes its next turn without being woken, on the monotonic clock. */
    long looksAt = Long.MAX_VALUE;

    /** When it was first called for an open grant, on the monotonic clock. */
    private long calledAt;
    /** How many newcomers took an open grant before it since. */
    private int overtaken;

    /**
     * Creates a waiter that has not arrived yet.
     *
     * @param once whether to try a single time and never queue
     * @param giveUpAfter how long the store may be silent; null for no bound
     * @param owner the owner that nests, if any
     * @param waker called, outside of the engine, when {@link ResourceEngine#turn} has something new for this waiter
     */
    public Waiter(
            AcquireRequest request,
            boolean once,
            @Nullable Duration giveUpAfter,
            @Nullable Object owner,
            Runnable waker) {
        this(request, once, giveUpAfter, owner, "", waker);
    }

    /**
     * Creates a waiter that has not arrived yet, on behalf of a thread.
     *
     * @param thread the name of the thread that waits, for people; empty if none does
     */
    public Waiter(
            AcquireRequest request,
            boolean once,
            @Nullable Duration giveUpAfter,
            @Nullable Object owner,
            String thread,
            Runnable waker) {
        this.thread = thread;
        this.request = request;
        this.once = once;
        this.giveUpAfter = giveUpAfter;
        this.owner = owner;
        this.waker = waker;
    }

    public void wake() {
        waker.run();
    }

    /** Whether it tries a single time and never queues. */
    public boolean triesOnce() {
        return once;
    }

    public AcquireRequest request() {
        return request;
    }

    /** The owner that nests, if any. */
    public @Nullable Object owner() {
        return owner;
    }

    // ------------------------------------------------------------------------------------------------------- state

    State state() {
        return state;
    }

    /** Changes the state; throws if the table in the class comment has no such change. */
    void become(State next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("A waiter cannot change from " + state + " to " + next);
        }
        state = next;
    }

    /** Whether it neither has an outcome nor left. */
    boolean isWaiting() {
        return state == State.QUEUED || state == State.CALLED || state == State.TRYING;
    }

    void serve(EngineHold hold) {
        become(State.SERVED);
        holding = hold;
    }

    /** The hold ended before the waiter took it; it queues again or leaves. */
    void unserve() {
        become(once ? State.LEFT : State.QUEUED);
        holding = null;
    }

    void fail(RuntimeException reason) {
        become(State.FAILED);
        failure = reason;
    }

    /** The hold, in the state SERVED. */
    EngineHold holding() {
        return Checks.present(holding, "a waiter that is served has a hold");
    }

    /** The failure, in the state FAILED. */
    RuntimeException failure() {
        return Checks.present(failure, "a waiter that failed has a failure");
    }

    // ------------------------------------------------------------------------------------------- called, overtaken

    /**
     * Marks the waiter as called for an open grant.
     *
     * @return false if it has been already and has not looked yet, so that it need not be woken
     */
    boolean call(Moment now) {
        if (state == State.CALLED) {
            return false;
        }
        become(State.CALLED);
        if (overtaken == 0) {
            calledAt = now.mono();
        }
        return true;
    }

    /** It takes its turn. */
    void looked() {
        if (state == State.CALLED) {
            become(State.QUEUED);
        }
    }

    /** A newcomer takes the open grant that this waiter was called for. */
    void overtake() {
        overtaken++;
    }

    /** How many newcomers went before it since it was first called. */
    int overtaken() {
        return overtaken;
    }

    /** When it was first called for an open grant, on the monotonic clock. */
    long calledAt() {
        return calledAt;
    }
}
