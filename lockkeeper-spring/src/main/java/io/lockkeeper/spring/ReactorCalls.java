package io.lockkeeper.spring;

import io.lockkeeper.Hold;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * Runs methods that return a {@code Mono} or {@code Flux} under their locks. The owner is the subscription: it takes the locks without
 * blocking a thread, runs the method, and gives them back when the publisher has completed, failed or was cancelled. Each subscription
 * takes them anew; the names are computed once, when the method is called. What a subscription holds is in its context, where nested
 * calls find it.
 *
 * <p><b>Invariant.</b> A hold that was granted is given back by exactly the subscription that asked for it. The interleaving to fear is a
 * cancellation between the grant and its arrival: then nobody would release it. So {@link Request} keeps the hold, and whichever of
 * grant and cancellation comes second gives it back.
 */
final class ReactorCalls {

    /** In the context of a subscription: what it holds. */
    static final String HELD = "io.lockkeeper.spring.held";

    private final LockTaker locks;
    private final LockOrders orders;

    ReactorCalls(LockTaker locks, LockOrders orders) {
        this.locks = locks;
        this.orders = orders;
    }

    /** What a subscription gets if its method does not run. */
    static final Object NOTHING = Mono.empty();

    /** Decides at each subscription. */
    static Mono<?> deferredMono(Callable<@Nullable Object> publisher) {
        return Mono.defer(() -> Mono.from(made(publisher)));
    }

    /** The same for many elements. */
    static Flux<?> deferredFlux(Callable<@Nullable Object> publisher) {
        return Flux.defer(() -> made(publisher));
    }

    private static Publisher<?> made(Callable<@Nullable Object> publisher) {
        try {
            return (Publisher<?>) Objects.requireNonNull(publisher.call(), "publisher");
        } catch (Throwable thrown) {
            return Mono.error(thrown);
        }
    }

    /** What one rule asks for, computed when the method is called. */
    private record Wanted(LockRule rule, List<String> names) {}

    /**
     * What a subscription got.
     *
     * @param held null if the lock was busy
     */
    private record Got(@Nullable HeldLock held) {}

    Mono<?> mono(LockedCall call) {
        List<Wanted> wanted = wanted(call);
        return Mono.defer(() -> mono(call, wanted, 0, List.of()));
    }

    Flux<?> flux(LockedCall call) {
        List<Wanted> wanted = wanted(call);
        return Flux.defer(() -> flux(call, wanted, 0, List.of()));
    }

    private static List<Wanted> wanted(LockedCall call) {
        List<Wanted> wanted = new ArrayList<>();
        for (LockRule rule : call.locked().rules()) {
            if (call.isSubjectTo(rule)) {
                wanted.add(new Wanted(rule, rule.names().of(call)));
            }
        }
        return wanted;
    }

    private Mono<Object> mono(LockedCall call, List<Wanted> wanted, int index, List<HeldLock> taken) {
        if (index == wanted.size()) {
            return Mono.from(proceed(call, taken));
        }
        Wanted next = wanted.get(index);
        Function<Got, Mono<Object>> body = got -> got.held == null
                ? Mono.from(busy(call, next))
                : Mono.from(untilLost(got.held, mono(call, wanted, index + 1, and(taken, got.held))))
                        .contextWrite(context -> context.put(HELD, and(heldIn(context), got.held)));
        return Mono.usingWhen(
                        take(next, call),
                        body,
                        ReactorCalls::finish,
                        (got, failure) -> giveBack(got),
                        ReactorCalls::giveBack)
                .onErrorMap(ReactorCalls::unwrapped);
    }

    private Flux<Object> flux(LockedCall call, List<Wanted> wanted, int index, List<HeldLock> taken) {
        if (index == wanted.size()) {
            return Flux.from(proceed(call, taken));
        }
        Wanted next = wanted.get(index);
        Function<Got, Flux<Object>> body = got -> got.held == null
                ? Flux.from(busy(call, next))
                : untilLost(got.held, flux(call, wanted, index + 1, and(taken, got.held)))
                        .contextWrite(context -> context.put(HELD, and(heldIn(context), got.held)));
        return Flux.usingWhen(
                        take(next, call),
                        body,
                        ReactorCalls::finish,
                        (got, failure) -> giveBack(got),
                        ReactorCalls::giveBack)
                .onErrorMap(ReactorCalls::unwrapped);
    }

    @SuppressWarnings("unchecked") // The method says Mono or Flux.
    private static Publisher<Object> proceed(LockedCall call, List<HeldLock> taken) {
        try {
            return (Publisher<Object>) Objects.requireNonNull(
                    call.proceedAnew(taken.stream().map(HeldLock::hold).toList()),
                    () -> call.place() + " returned null in place of a publisher");
        } catch (Throwable thrown) {
            return Flux.error(thrown);
        }
    }

    private Mono<Got> take(Wanted wanted, LockedCall call) {
        return Mono.deferContextual(context -> {
            Lockkeeper keeper = locks.keeper(wanted.rule);
            List<HeldLock> here = heldIn(context);
            HeldLock outer = Holds.covering(here, keeper, wanted.rule, wanted.names);
            HeldLock nested = outer == null ? null : outer.nested(wanted.rule, call.place());
            if (nested != null) {
                return Mono.<Got>create(sink -> {
                    // A cancellation before it arrives; after that, the subscription gives it back.
                    sink.onCancel(nested::leave);
                    sink.success(new Got(nested));
                });
            }
            orders.check(here, wanted.rule, wanted.names, call.place());
            return Mono.<Got>create(sink -> new Request(sink, wanted, call, keeper).send());
        });
    }

    /** One request for a lock by a subscription. */
    private final class Request {

        private final MonoSink<Got> sink;
        private final Wanted wanted;
        private final LockedCall call;
        private final Lockkeeper keeper;
        private final AtomicReference<@Nullable Hold> granted = new AtomicReference<>();
        private volatile boolean cancelled;

        Request(MonoSink<Got> sink, Wanted wanted, LockedCall call, Lockkeeper keeper) {
            this.sink = sink;
            this.wanted = wanted;
            this.call = call;
            this.keeper = keeper;
        }

        void send() {
            CompletableFuture<? extends @Nullable Hold> future = locks.acquireAsync(wanted.rule, wanted.names);
            sink.onCancel(() -> {
                cancelled = true;
                future.cancel(false);
                giveBackIfCancelled();
            });
            future.whenComplete(this::arrived);
        }

        private void arrived(@Nullable Hold hold, @Nullable Throwable failure) {
            if (failure != null) {
                sink.error(failure);
            } else if (hold == null) {
                sink.success(new Got(null));
            } else {
                granted.set(hold);
                giveBackIfCancelled();
                sink.success(new Got(locks.byHandle(keeper, wanted.rule, wanted.names, call, hold)));
            }
        }

        private void giveBackIfCancelled() {
            Hold hold = cancelled ? granted.getAndSet(null) : null;
            if (hold != null) {
                hold.releaseAsync();
            }
        }
    }

    /** The release asks the store, so it is not done on a thread of an event loop. */
    private static Mono<Void> giveBack(Got got) {
        HeldLock held = got.held;
        return held == null
                ? Mono.empty()
                : Mono.<Void>fromRunnable(held::leave).subscribeOn(Schedulers.boundedElastic());
    }

    /** After success: a loss makes it a failure. */
    private static Mono<Void> finish(Got got) {
        HeldLock held = got.held;
        if (held == null) {
            return Mono.empty();
        }
        held.lossSoFar();
        return giveBack(got).then(Mono.defer(() -> {
            LockLostException lost = held.lossToThrow();
            return lost == null ? Mono.empty() : Mono.error(lost);
        }));
    }

    /** Reactor wraps what {@link #finish} throws. */
    private static Throwable unwrapped(Throwable failure) {
        return failure.getClass() == RuntimeException.class && failure.getCause() instanceof LockLostException lost
                ? lost
                : failure;
    }

    /** {@link OnLost#INTERRUPT}: the loss ends the publisher. */
    private static <T> Flux<T> untilLost(HeldLock held, Publisher<T> body) {
        Flux<T> flux = Flux.from(body);
        if (held.rule().onLost() != OnLost.INTERRUPT) {
            return flux;
        }
        Mono<Void> lost = Mono.fromFuture(() -> held.hold().lost()).flatMap(loss -> {
            LockLostException known = held.lossSoFar();
            return Mono.error(known == null ? new LockLostException(loss.toString(), loss) : known);
        });
        return flux.takeUntilOther(lost);
    }

    @SuppressWarnings("unchecked") // A fallback returns what its method does.
    private Publisher<Object> busy(LockedCall call, Wanted wanted) {
        LockRule rule = wanted.rule;
        return switch (rule.whenBusy()) {
            case THROW ->
                Mono.fromCallable(() -> BusyReport.exception(locks.keeper(rule), rule, wanted.names, call.place()))
                        .subscribeOn(Schedulers.boundedElastic())
                        .flatMap(Mono::error);
            case SKIP -> Mono.empty();
            case FALLBACK -> {
                try {
                    Object instead = Fallbacks.call(
                            Objects.requireNonNull(rule.fallback()),
                            call,
                            () -> BusyReport.exception(locks.keeper(rule), rule, wanted.names, call.place()));
                    yield instead == null ? Mono.empty() : (Publisher<Object>) instead;
                } catch (Throwable thrown) {
                    yield Mono.error(thrown);
                }
            }
        };
    }

    private static List<HeldLock> and(List<HeldLock> held, HeldLock one) {
        List<HeldLock> all = new ArrayList<>(held);
        all.add(one);
        return all;
    }

    private static List<HeldLock> heldIn(ContextView context) {
        return context.<List<HeldLock>>getOrEmpty(HELD).orElse(List.of());
    }
}
