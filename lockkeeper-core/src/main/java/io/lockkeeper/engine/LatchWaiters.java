package io.lockkeeper.engine;

import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.WaiterTimes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The driver of all who wait for one latch in this process, without a thread, a clock or a request of its own: what
 * {@link Acquisition} is for a claim. One request is made for all of them: at once after a signal, and every second in case a
 * signal was lost.
 *
 * <table>
 *   <caption>What an adapter does with a step</caption>
 *   <tr><th>step</th><th>the adapter</th><th>then calls</th></tr>
 *   <tr><td>{@link LatchStep.Poll}</td><td>sends the request</td><td>{@link #replied}, then {@link #next}</td></tr>
 *   <tr><td>{@link LatchStep.Park}</td><td>waits until woken or until that time</td><td>{@link #next}</td></tr>
 * </table>
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>Each {@link LatchStep.Poll} is followed by one {@link #replied}, whatever became of the request.
 *   <li>A waiter goes on when the generation that it first saw is not the current one any more, or is at zero. Looking at the
 *       count alone would miss a latch that was counted down and set again between two looks.
 *   <li>An answer counts for the waiters that came before its request was sent, and for no others. A thread that sets the latch
 *       and then waits for it would otherwise go on by an answer that was given before the latch was set.
 *   <li>A signal that comes while a request is under way is followed by another request: the answer may be older than it.
 *   <li>No waiter is told that the latch is closed before the store has answered it once. If its time is over by then, it ends
 *       with the next reply, which may be a failure.
 * </ol>
 *
 * <p>Calls are made while the adapter's lock is held.
 */
public final class LatchWaiters {

    private static final long AT_ONCE = Long.MIN_VALUE;

    private final Set<LatchWaiter> waiters = new LinkedHashSet<>();
    /** When to ask the store next, on the monotonic clock; {@link Long#MAX_VALUE} while a request is under way. */
    private long pollAt = Long.MAX_VALUE;

    private @Nullable RuntimeException lastFailure;

    public boolean isEmpty() {
        return waiters.isEmpty();
    }

    /** All that wait now. */
    public List<LatchWaiter> waiters() {
        return List.copyOf(waiters);
    }

    public void arrive(LatchWaiter waiter) {
        waiters.add(waiter);
        signal();
    }

    /** A waiter does not want to wait any more; to leave twice is harmless. */
    public void leave(LatchWaiter waiter) {
        waiters.remove(waiter);
    }

    /** The latch may have changed. */
    public void signal() {
        pollAt = AT_ONCE;
    }

    /** What to do next: after an arrival, a reply, a signal, or when the time of a {@link LatchStep.Park} has come. */
    public LatchStep next(Moment now) {
        if (waiters.isEmpty()) {
            return new LatchStep.Park(Long.MAX_VALUE);
        }
        if (now.mono() >= pollAt) {
            pollAt = Long.MAX_VALUE;
            waiters.forEach(LatchWaiter::asked);
            return LatchStep.Poll.POLL;
        }
        long until = pollAt;
        for (LatchWaiter waiter : waiters) {
            until = Math.min(until, waiter.deadline());
        }
        return new LatchStep.Park(until);
    }

    /** The request of a step has ended, with an answer or without one. */
    public void replied(Moment now, StoreReply<LatchStore.State> reply) {
        LatchStore.State seen = reply.answer();
        if (seen == null) {
            lastFailure = reply.requiredFailure();
        } else {
            lastFailure = null;
            waiters.forEach(waiter -> waiter.answered(seen));
        }
        pollAt = Math.min(pollAt, now.mono() + WaiterTimes.LONGEST_POLL.toNanos());
    }

    /** Takes out the waiters whose wait is over at this time. */
    public List<LatchWaiter> takeEnded(Moment now) {
        List<LatchWaiter> ended = new ArrayList<>();
        for (Iterator<LatchWaiter> all = waiters.iterator(); all.hasNext(); ) {
            LatchWaiter waiter = all.next();
            if (!waiter.isOver() && now.mono() >= waiter.deadline()) {
                waiter.timeIsOver(lastFailure);
            }
            if (waiter.isOver()) {
                all.remove();
                ended.add(waiter);
            }
        }
        return ended;
    }
}
