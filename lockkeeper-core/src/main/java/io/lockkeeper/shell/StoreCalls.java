package io.lockkeeper.shell;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreState;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.engine.StoreReply;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Moment;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one place where a keeper's requests to the store are made: it takes the time of sending, notes whether the store
 * answers, and turns whatever is thrown into a {@link StoreReply}.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>The time of sending is read before the request is made. A lease begins when the store executes the request, which
 *       may be long before its reply comes; counted from the reply, a hold would outlive its grant.
 *   <li>An {@link Error} is a request without an answer. It must not leave the caller's state as if the request were still
 *       under way, so nothing is thrown from here: the caller first tells the engine that there was no answer. Then a thread
 *       that acquires, or asks for its own sake, throws the error itself; one that works in the background, and a release,
 *       which can say {@code UNKNOWN}, treat it as any other failure.
 * </ul>
 */
final class StoreCalls {

    private final Clocks clocks;
    private final StoreHealth health;
    private final BooleanSupplier reachable;
    private final Runnable back;
    private final BiConsumer<Resource, RuntimeException> listener;

    /**
     * @param reachable what {@link io.lockkeeper.spi.Store#isReachable} says
     * @param back what to do when the store answers again after an outage
     * @param listener is told of each request about one resource that failed
     */
    StoreCalls(
            Clocks clocks,
            StoreHealth health,
            BooleanSupplier reachable,
            Runnable back,
            BiConsumer<Resource, RuntimeException> listener) {
        this.clocks = clocks;
        this.health = health;
        this.reachable = reachable;
        this.back = back;
        this.listener = listener;
    }

    /** Makes one request about a resource; the application's listener is told of a failure. */
    <T extends @Nullable Object> StoreReply<T> call(Resource resource, Supplier<T> request) {
        return told(resource, send(request, null));
    }

    /** @param doubt why an answer is none, if the store answered that it does not know */
    <T extends @Nullable Object> StoreReply<T> call(
            Resource resource, Supplier<T> request, Function<T, @Nullable RuntimeException> doubt) {
        return told(resource, send(request, doubt));
    }

    private <T extends @Nullable Object> StoreReply<T> told(Resource resource, StoreReply<T> reply) {
        RuntimeException failure = reply.failure();
        if (failure != null) {
            tellFailed(resource, failure);
        }
        return reply;
    }

    /** Makes one request, about many resources or none; whether the application hears of a failure is up to the caller. */
    <T extends @Nullable Object> StoreReply<T> send(
            Supplier<T> request, @Nullable Function<T, @Nullable RuntimeException> doubt) {
        Moment sentAt = clocks.now();
        T answer;
        try {
            answer = request.get();
        } catch (RuntimeException thrown) {
            health.failed(thrown);
            return StoreReply.failed(sentAt, thrown);
        } catch (Error thrown) {
            RuntimeException failure = asFailure(thrown);
            health.failed(failure);
            return new StoreReply<>(sentAt, null, failure, thrown);
        }
        RuntimeException failure = doubt == null ? null : doubt.apply(answer);
        if (failure != null) {
            health.failed(failure);
            return new StoreReply<>(sentAt, answer, failure, null);
        }
        noteAnswer();
        return StoreReply.answered(sentAt, answer);
    }

    /** Makes one request for the caller's own sake: what it throws is the caller's, an error too. */
    <T extends @Nullable Object> T ask(Supplier<T> request) {
        T answer;
        try {
            answer = request.get();
        } catch (StoreUnavailableException silent) {
            health.failed(silent);
            throw silent;
        } catch (Error thrown) {
            health.failed(asFailure(thrown));
            throw thrown;
        }
        noteAnswer();
        return answer;
    }

    private void noteAnswer() {
        boolean outage = health.state() == StoreState.UNCERTAIN;
        if ((!outage || reachable.getAsBoolean()) && health.answered()) {
            back.run();
        }
    }

    /** Tells the application's listener that a request about a resource failed. */
    void tellFailed(Resource resource, RuntimeException failure) {
        listener.accept(resource, failure);
    }

    /** The answer of a reply, or what was thrown instead. */
    @SuppressWarnings("NullAway") // A reply without a failure has the answer, which is null only where T may be.
    static <T extends @Nullable Object> T answerOf(StoreReply<T> reply) {
        Error error = reply.error();
        RuntimeException failure = reply.failure();
        if (error != null) {
            throw error;
        }
        if (failure != null) {
            throw failure;
        }
        return reply.answer();
    }

    /** An error as the failure of a request, for those that cannot throw the error itself. */
    static RuntimeException asFailure(Throwable thrown) {
        return thrown instanceof RuntimeException runtime
                ? runtime
                : new LockkeeperException("The request to the store was cut short by " + thrown, thrown);
    }
}
