package io.lockkeeper.engine;

import io.lockkeeper.spi.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Somebody who asked for a resource and has not got an answer yet. */
public final class Waiter {

    enum State {
        WAITING,
        SERVED,
        FAILED,
        LEFT
    }

    final AcquireRequest wish;
    final boolean once;
    final @Nullable Duration giveUpAfter;
    final @Nullable Object owner;
    final String thread;
    private final Runnable waker;

    State state = State.WAITING;

    @Nullable
    PendingClaim ask;

    @Nullable
    Moment since;

    @Nullable
    EngineHold holding;

    @Nullable
    RuntimeException failure;

    @Nullable
    Waiter previous;

    @Nullable
    Waiter next;

    boolean queued;
    /** When he takes his next turn without being woken, on the monotonic clock. */
    long looksAt = Long.MAX_VALUE;
    /** Whether he was woken for an open grant and has not looked yet. */
    boolean called;
    /** When that was first, on the monotonic clock. */
    long calledAt;
    /** How many newcomers went before him since. */
    int passed;

    /**
     * @param once whether to ask a single time and never queue
     * @param giveUpAfter how long the store may be silent; null for ever
     * @param owner who nests, if anybody
     * @param waker called, outside of the engine, when {@link ResourceEngine#turn} has something new for this waiter
     */
    public Waiter(
            AcquireRequest wish, boolean once, @Nullable Duration giveUpAfter, @Nullable Object owner, Runnable waker) {
        this(wish, once, giveUpAfter, owner, "", waker);
    }

    /** @param thread the name of the thread that waits, for people; empty if none does */
    public Waiter(
            AcquireRequest wish,
            boolean once,
            @Nullable Duration giveUpAfter,
            @Nullable Object owner,
            String thread,
            Runnable waker) {
        this.thread = thread;
        this.wish = wish;
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
        return wish;
    }

    /** Who nests, if anybody. */
    public @Nullable Object owner() {
        return owner;
    }
}
