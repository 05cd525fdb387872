package io.lockkeeper.shell;

import io.lockkeeper.KeeperListener;
import io.lockkeeper.engine.Holding;
import io.lockkeeper.engine.Step;
import io.lockkeeper.engine.Waiter;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who waits without a thread. Its turns run on the request workers, one at a time; in between the timer or the
 * engine wakes it. Whoever completes the future from outside leaves the queue, and what arrives later is given back.
 */
final class AsyncWait<H> {

    private final Station station;
    private final Order order;
    private final Function<Holding, H> wrap;
    private final Moment begun;
    private final boolean endless;
    private final long deadline;
    private final Waiter waiter;
    private final CompletableFuture<@Nullable H> future = new CompletableFuture<>();
    /** Counts wake-ups that were not seen to; whoever makes it 1 runs the turns. */
    private final AtomicInteger wakeUps = new AtomicInteger();

    private volatile boolean ended;
    private boolean toldWaiting;
    private Alarms.@Nullable Alarm alarm;

    AsyncWait(Station station, Order order, long limit, Function<Holding, H> wrap) {
        this.station = station;
        this.order = order;
        this.wrap = wrap;
        this.begun = station.now();
        this.endless = limit == Long.MAX_VALUE;
        this.deadline = limit == 0 ? Long.MAX_VALUE : SyncWait.deadline(begun, limit);
        this.waiter = new Waiter(order.wish(), limit == 0, order.giveUpAfter(), null, this::wake);
    }

    CompletableFuture<@Nullable H> start() {
        Post post = station.enter(order.resource());
        try {
            if (station.isClosed()) {
                return CompletableFuture.failedFuture(station.closedException());
            }
            // With a limit it ends by itself, and the thread that has it by lock() may unlock meanwhile.
            if (post.waitsForItself(begun, order.wish().mode()) && endless) {
                return CompletableFuture.failedFuture(post.waitsForItself());
            }
            post.engine.ask(begun, waiter);
        } finally {
            station.leave(post, waiter);
        }
        future.whenComplete((hold, failure) -> wakeIfFromOutside());
        try {
            wake();
        } catch (RuntimeException | Error notBegun) {
            leave();
            ended = true;
            future.completeExceptionally(notBegun);
        }
        return future;
    }

    private void wakeIfFromOutside() {
        if (!ended) {
            wake();
        }
    }

    private void wake() {
        if (wakeUps.getAndIncrement() != 0) {
            return;
        }
        boolean begun = false;
        try {
            station.workers().request(this::turns);
            begun = true;
        } finally {
            if (!begun) {
                // Else no later wake-up would begin the turns either.
                wakeUps.set(0);
            }
        }
    }

    private void turns() {
        int seen = wakeUps.get();
        do {
            try {
                turn();
            } catch (RuntimeException | Error unexpected) {
                leave();
                end(() -> future.completeExceptionally(unexpected));
            }
            seen = wakeUps.addAndGet(-seen);
        } while (seen != 0);
    }

    private void turn() {
        if (ended) {
            return;
        }
        station.alarms().cancel(alarm);
        Step step = next(null, null);
        while (step instanceof Step.Attempt attempt) {
            step = next(
                    attempt,
                    station.call(order.resource(), () -> station.store().attempt(attempt.claim())));
        }
        if (step instanceof Step.Park park) {
            tellWaiting();
            long until = Math.min(park.until(), deadline);
            if (until != Long.MAX_VALUE) {
                alarm = station.alarms().at(until, this::wake);
            }
        } else if (step instanceof Step.Served served) {
            end(() -> deliver(served.holding()));
        } else if (step instanceof Step.Failed failed) {
            end(() -> future.completeExceptionally(failed.failure()));
        } else {
            end(() -> {
                gaveUp();
                future.complete(null);
            });
        }
    }

    /** Tells the engine what was answered, if anything, and asks it for the next step. */
    private Step next(Step.@Nullable Attempt attempt, @Nullable Reply<Answer> reply) {
        Moment now = station.now();
        Holding unwanted = null;
        Step step;
        Post post = station.enter(order.resource());
        try {
            if (attempt != null && reply != null) {
                tell(post, now, attempt, reply);
            }
            step = post.engine.turn(now, waiter);
            boolean late = now.mono() >= deadline;
            boolean goesOn = !(step instanceof Step.Served) && !(step instanceof Step.Failed);
            if (future.isDone() || station.isClosed() || (late && goesOn)) {
                RuntimeException unavailable = post.engine.silent() ? post.engine.unavailable() : null;
                if (step instanceof Step.Attempt unsent) {
                    post.engine.unsent(unsent.ask());
                }
                unwanted = post.engine.leave(now, waiter);
                if (station.isClosed()) {
                    step = new Step.Failed(station.closedException());
                } else {
                    step = unavailable == null ? Step.NotNow.NOT_NOW : new Step.Failed(unavailable);
                }
            }
        } finally {
            station.leave(post, waiter);
        }
        if (unwanted != null) {
            station.returns().release(unwanted);
        }
        return step;
    }

    private static void tell(Post post, Moment now, Step.Attempt attempt, Reply<Answer> reply) {
        Answer answer = reply.answer();
        RuntimeException failure = reply.failure();
        if (answer != null) {
            post.engine.answered(now, attempt.ask(), attempt.claim(), reply.sentAt(), answer);
        } else if (failure != null) {
            post.engine.failed(now, attempt.ask(), failure);
        }
    }

    /** Nobody stays in the queue who does not wait any more. */
    private void leave() {
        Post post = station.enter(order.resource());
        Holding unwanted;
        try {
            unwanted = post.engine.leave(station.now(), waiter);
        } finally {
            station.leave(post, waiter);
        }
        if (unwanted != null) {
            station.returns().release(unwanted);
        }
    }

    private void deliver(Holding holding) {
        H hold = wrap.apply(holding);
        if (!future.complete(hold)) {
            station.workers().request(() -> station.returns().release(holding));
        }
    }

    private void end(Runnable completion) {
        ended = true;
        station.alarms().cancel(alarm);
        station.workers().callback(completion);
    }

    private void tellWaiting() {
        KeeperListener listener = station.settings().listener();
        if (listener != null && !toldWaiting) {
            toldWaiting = true;
            station.workers().callback(() -> listener.waiting(order.resource()));
        }
    }

    private void gaveUp() {
        KeeperListener listener = station.settings().listener();
        if (listener != null) {
            Duration waited = Duration.ofNanos(station.now().mono() - begun.mono());
            Listeners.tell(listener, told -> told.gaveUp(order.resource(), waited));
        }
    }
}
