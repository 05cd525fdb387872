package io.lockkeeper.engine;

import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Moment;
import org.jspecify.annotations.Nullable;

/**
 * The driver of one waiter: the loop around the engine, from the waiter's arrival to its end, without a thread, a clock or a
 * request of its own. A blocking thread, a future and the simulator are adapters of it: each does what a {@link Step} says
 * and reports what came of it.
 *
 * <table>
 *   <caption>What an adapter does with a step</caption>
 *   <tr><th>step</th><th>the adapter</th><th>then calls</th></tr>
 *   <tr><td>{@link Step.Attempt}</td><td>sends the request</td><td>{@link #replied}, then {@link #next} or {@link #stop}</td></tr>
 *   <tr><td>{@link Step.Park}</td><td>waits until woken or until that time</td><td>{@link #next} or {@link #stop}</td></tr>
 *   <tr><td>{@link Step.Served}</td><td>delivers the hold, or gives it back</td><td>nothing more</td></tr>
 *   <tr><td>{@link Step.NotNow}, {@link Step.Failed}</td><td>tells the caller</td><td>nothing more</td></tr>
 * </table>
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>Each {@link Step.Attempt} is followed by one {@link #replied}, whatever became of the request and of the caller. If
 *       an interrupted caller, or an {@link Error} of the store, left it out, the claim would count as being under way
 *       forever: no waiter of this process would send another request for the resource.
 *   <li>The lease of what is granted counts from {@link StoreReply#sentAt}. Counted from the reply, a hold would be believed
 *       for longer than the store keeps it, by as much as the reply was late.
 *   <li>No request is sent at or after the deadline: {@link #next} gives up instead. A store that answers "retry at
 *       once" would otherwise keep a caller beyond its timeout.
 *   <li>A caller that stops is told what it was given meanwhile, and gives that back. A grant may come between the moment
 *       the caller was cancelled and the moment that is noticed; if it were dropped, it would be renewed for nobody.
 * </ol>
 *
 * <p>Calls are made while the engine's lock is held. The adapter passes the engine each time, because the keeper forgets an
 * engine once nobody waits there and nothing is held, and makes another when the resource is requested again.
 */
public final class Acquisition {

    private final Waiter waiter;
    private final long deadline;

    /** @param deadline when the caller's time is over, on the monotonic clock; {@link Long#MAX_VALUE} for never */
    public Acquisition(Waiter waiter, long deadline) {
        this.waiter = waiter;
        this.deadline = deadline;
    }

    public Waiter waiter() {
        return waiter;
    }

    /** The caller arrives; the first step comes from {@link #next}. */
    public void begin(ResourceEngine engine, Moment now) {
        engine.arrive(now, waiter);
    }

    /** The request of a step has ended, with an answer or without one. */
    public void replied(ResourceEngine engine, Moment now, Step.Attempt attempt, StoreReply<Answer> reply) {
        Answer answer = reply.answer();
        if (answer != null) {
            engine.answered(now, attempt.pending(), attempt.claim(), reply.sentAt(), answer);
        } else {
            engine.failed(now, attempt.pending(), reply.requiredFailure());
        }
    }

    /** What to do next: after the arrival, a reply, a wake-up, or when the time of a {@link Step.Park} has come. */
    public Step next(ResourceEngine engine, Moment now) {
        if (now.mono() >= deadline) {
            return engine.giveUp(now, waiter);
        }
        Step step = engine.turn(now, waiter);
        return step instanceof Step.Park park && park.until() > deadline ? new Step.Park(deadline) : step;
    }

    /**
     * The caller does not want it any more: it was interrupted or cancelled, or the keeper was closed. Nothing of it stays
     * in the queue; to stop twice is harmless.
     *
     * @return what the caller was given meanwhile, to be given back
     */
    public @Nullable EngineHold stop(ResourceEngine engine, Moment now) {
        return engine.leave(now, waiter);
    }
}
