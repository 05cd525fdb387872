package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LockLostException;
import io.lockkeeper.LockTimeoutException;
import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** When a call is over that returns something which is not there yet. */
class ReturnTypesTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @Configuration
    @EnableLockkeeper
    @EnableAsync
    @EnableScheduling
    static class Config {}

    static class Service {
        @Autowired
        Lockkeeper keeper;

        @Locked(name = "a", waitFor = "0")
        public CompletableFuture<String> future(CompletableFuture<String> result) {
            return result;
        }

        @Locked("b")
        @Locked("a")
        public CompletableFuture<String> underBoth(CompletableFuture<String> result) {
            return result;
        }

        @Locked(name = "least", atLeast = "1h")
        public void atLeast() {}

        @Locked(name = "a", waitFor = "0")
        public void plain(Runnable body) {
            body.run();
        }

        @Locked(name = "a", waitFor = "0")
        public <T> CompletableFuture<T> stage(Supplier<CompletableFuture<T>> body) {
            return body.get();
        }

        @Locked(name = "a", whenBusy = WhenBusy.SKIP)
        public CompletionStage<String> skipped(CompletableFuture<String> result) {
            return result;
        }

        @Locked(name = "a", waitFor = "0")
        public Mono<String> mono(Supplier<Mono<String>> body) {
            return body.get();
        }

        @Locked(name = "a")
        public Mono<String> waiting(ExclusiveHold hold) {
            return Mono.just("token " + (hold == null ? "none" : "there"));
        }

        @Locked(name = "a", whenBusy = WhenBusy.SKIP)
        public Mono<String> skippedMono() {
            return Mono.just("ran");
        }

        @Locked(name = "a", whenBusy = WhenBusy.FALLBACK, fallback = "instead")
        public Mono<String> withFallback() {
            return Mono.just("ran");
        }

        Mono<String> instead() {
            return Mono.just("instead");
        }

        @Locked(name = "a", waitFor = "0")
        public Flux<String> flux(Flux<String> body) {
            return body;
        }

        @Locked(name = "a", onLost = OnLost.INTERRUPT)
        public Flux<String> interrupted(Flux<String> body) {
            return body;
        }

        @Async
        @Locked("async")
        public CompletableFuture<Boolean> async(Thread caller) {
            return CompletableFuture.completedFuture(
                    caller != Thread.currentThread() && keeper.lock("async").isLocked());
        }
    }

    static class Jobs {
        static final AtomicInteger RUNS = new AtomicInteger();
        static final AtomicInteger TICKS = new AtomicInteger();

        @Scheduled(fixedRate = 20)
        public void tick() {
            TICKS.incrementAndGet();
        }

        @Scheduled(fixedRate = 20)
        @Locked(name = "job", whenBusy = WhenBusy.SKIP, atLeast = "1h")
        public void job() {
            RUNS.incrementAndGet();
        }
    }

    private final App app = App.of(Config.class, Service.class);
    private final Service service = app.get(Service.class);

    @AfterEach
    void close() {
        app.close();
    }

    @Test
    void aStageKeepsTheLockUntilItIsComplete() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = service.future(work);
        assertThat(app.isFree("a")).isFalse();
        assertThatThrownBy(() -> service.future(work)).isInstanceOf(LockTimeoutException.class);
        work.complete("done");
        assertThat(result.join()).isEqualTo("done");
        assertThat(app.isFree("a")).isTrue();
    }

    @Test
    void aStageThatFailsFreesTheLock() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = service.future(work);
        work.completeExceptionally(new IllegalStateException("no"));
        assertThatThrownBy(result::join).isInstanceOf(CompletionException.class).hasRootCauseMessage("no");
        assertThat(app.isFree("a")).isTrue();
    }

    @Test
    void aCallerThatDoesNotWaitForAStageLeavesTheLockToIt() {
        CompletableFuture<String> work = new CompletableFuture<>();
        assertThat(service.future(work).complete("enough")).isTrue();
        assertThat(app.isFree("a")).as("the work goes on").isFalse();
        work.complete("done");
        assertThat(app.isFree("a")).isTrue();
        CompletableFuture<String> slow = new CompletableFuture<>();
        assertThatThrownBy(service.future(slow).orTimeout(1, TimeUnit.MILLISECONDS)::join)
                .hasCauseInstanceOf(TimeoutException.class);
        assertThat(app.isFree("a")).isFalse();
        slow.completeExceptionally(new IllegalStateException("no"));
        assertThat(app.isFree("a")).isTrue();
    }

    @Test
    void aStageThatIsCancelledCancelsTheWorkAndFreesItsLocks() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = service.underBoth(work);
        assertThat(app.isFree("a") || app.isFree("b")).isFalse();
        assertThat(result.cancel(true)).isTrue();
        assertThat(work).isCancelled();
        assertThat(result).isCancelled();
        assertThat(app.isFree("a") && app.isFree("b")).isTrue();
    }

    @Test
    void aNestedStageKeepsTheLockOfTheCallAroundIt() {
        CompletableFuture<String> work = new CompletableFuture<>();
        service.plain(() -> service.future(work));
        assertThat(app.isFree("a")).isFalse();
        assertThatThrownBy(() -> service.plain(() -> {}))
                .as("another call of the same thread")
                .isInstanceOf(LockTimeoutException.class);
        App.async(() -> work.complete("done")).join();
        assertThat(app.isFree("a")).isTrue();
        service.plain(() -> assertThat(app.isFree("a")).isFalse());
        assertThat(app.isFree("a")).isTrue();
        CompletableFuture<String> inner = new CompletableFuture<>();
        service.stage(() -> {
            service.future(inner);
            return CompletableFuture.completedFuture("outer");
        });
        assertThat(app.isFree("a")).isFalse();
        inner.complete("done");
        assertThat(app.isFree("a")).isTrue();
    }

    @Test
    void aNestedSubscriptionKeepsTheLockOfTheOneAroundIt() {
        Sinks.One<String> work = Sinks.one();
        CompletableFuture<String> inner = new CompletableFuture<>();
        String outer = service.mono(() -> Mono.deferContextual(context -> {
                    service.mono(work::asMono).contextWrite(context).subscribe(inner::complete);
                    return Mono.just("outer");
                }))
                .block(LONG);
        assertThat(outer).isEqualTo("outer");
        assertThat(app.isFree("a")).isFalse();
        work.tryEmitValue("inner");
        assertThat(inner.join()).isEqualTo("inner");
        await(() -> app.isFree("a"));
    }

    @Test
    void aNestedSubscriptionThatIsCancelledLeavesTheLockToTheOneAroundIt() {
        Sinks.One<String> work = Sinks.one();
        CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
        CompletableFuture<String> outer = service.mono(() -> Mono.deferContextual(context -> {
                    service.mono(Mono::never).contextWrite(context).subscribe().dispose();
                    cancelled.complete(true);
                    return work.asMono();
                }))
                .toFuture();
        cancelled.join();
        assertThat(app.isFree("a")).isFalse();
        work.tryEmitValue("outer");
        assertThat(outer.join()).isEqualTo("outer");
        await(() -> app.isFree("a"));
    }

    @Test
    void aStageWhoseLockWasLostFails() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = service.future(work);
        app.other.forceRelease("a");
        work.complete("done");
        assertThatThrownBy(result::join).hasCauseInstanceOf(LockLostException.class);
    }

    @Test
    void aStageThatIsSkippedIsCompleteWithNull() {
        try (ExclusiveHold hold = app.heldElsewhere("a")) {
            assertThat(service.skipped(new CompletableFuture<>()).toCompletableFuture())
                    .isCompletedWithValue(null);
        }
    }

    @Test
    void aMonoTakesTheLockWhenItIsSubscribedToAndFreesItAtItsEnd() {
        Sinks.One<String> work = Sinks.one();
        Mono<String> mono = service.mono(work::asMono);
        assertThat(app.isFree("a")).isTrue();
        CompletableFuture<String> result = mono.toFuture();
        await(() -> !app.isFree("a"));
        work.tryEmitValue("done");
        assertThat(result.join()).isEqualTo("done");
        assertThat(app.isFree("a")).isTrue();
        assertThat(mono.block(LONG)).as("each subscription takes it anew").isEqualTo("done");
        assertThat(app.isFree("a")).isTrue();
    }

    @Test
    void aMonoThatFailsOrIsCancelledFreesTheLock() {
        assertThatThrownBy(() -> service.mono(() -> Mono.error(new IllegalStateException("no")))
                        .block(LONG))
                .hasMessage("no");
        assertThat(app.isFree("a")).isTrue();
        assertThatThrownBy(() -> service.mono(() -> {
                            throw new IllegalStateException("at once");
                        })
                        .block(LONG))
                .hasMessage("at once");
        assertThat(app.isFree("a")).isTrue();
        Disposable subscription = service.mono(Mono::never).subscribe();
        await(() -> !app.isFree("a"));
        subscription.dispose();
        await(() -> app.isFree("a"));
    }

    @Test
    void theSubscriptionOwnsTheLockAndNotTheThread() {
        Disposable first = service.mono(Mono::never).subscribe();
        await(() -> !app.isFree("a"));
        assertThatThrownBy(() -> service.mono(() -> Mono.just("both")).block(LONG))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("Service.mono");
        first.dispose();
        await(() -> app.isFree("a"));
    }

    @Test
    void aSubscriptionNestsAndKnowsItsHold() {
        Mono<String> nested =
                service.mono(() -> service.mono(() -> ReactorHolds.current().map(hold -> "held " + hold.isHeld())));
        assertThat(nested.block(LONG)).isEqualTo("held true");
        assertThat(service.waiting(null).block(LONG)).isEqualTo("token there");
        assertThat(app.isFree("a")).isTrue();
    }

    @Test
    void aWaitThatIsCancelledLeavesTheQueueAndGetsNothing() throws Exception {
        try (ExclusiveHold hold = app.heldElsewhere("a")) {
            Disposable waiting = service.waiting(null).subscribe();
            await(() -> app.other.inspect("a").orElseThrow().waiting() > 0);
            waiting.dispose();
            await(() -> app.other.inspect("a").orElseThrow().waiting() == 0);
        }
        assertThat(app.isFree("a")).isTrue();
    }

    /** The grant and the cancellation arrive at the same time, in whatever order. */
    @Test
    void aGrantThatMeetsACancellationIsGivenBack() throws Exception {
        for (int i = 0; i < 200; i++) {
            // What was not given back would be renewed, and this wait would fail.
            ExclusiveHold hold = app.other.lock("a").acquire(LONG);
            Disposable waiting = service.waiting(null).subscribe();
            CompletableFuture<Void> release = App.async(hold::release);
            waiting.dispose();
            release.join();
        }
    }

    @Test
    void aBusyMonoIsEmptyOrAnotherIfTheAnnotationSaysSo() {
        try (ExclusiveHold hold = app.heldElsewhere("a")) {
            assertThat(service.skippedMono().block(LONG)).isNull();
            assertThat(service.withFallback().block(LONG)).isEqualTo("instead");
        }
        assertThat(service.skippedMono().block(LONG)).isEqualTo("ran");
        assertThat(service.withFallback().block(LONG)).isEqualTo("ran");
    }

    @Test
    void aFluxKeepsTheLockUntilItsLastElement() {
        assertThat(service.flux(Flux.just("1", "2").map(n -> n + app.isFree("a")))
                        .collectList()
                        .block(LONG))
                .containsExactly("1false", "2false");
        assertThat(app.isFree("a")).isTrue();
        assertThat(service.flux(Flux.interval(Duration.ofMillis(1)).map(String::valueOf))
                        .blockFirst(LONG))
                .isEqualTo("0");
        await(() -> app.isFree("a"));
    }

    @Test
    void aLossFailsAFluxAtItsEndOrEndsIt() {
        assertThatThrownBy(() -> service.flux(Flux.just("1").doOnNext(n -> app.other.forceRelease("a")))
                        .blockLast(LONG))
                .isInstanceOf(LockLostException.class);
        assertThatThrownBy(
                        () -> service.interrupted(Flux.<String>never().doOnSubscribe(s -> app.other.forceRelease("a")))
                                .blockLast(LONG))
                .isInstanceOf(LockLostException.class);
    }

    @Test
    void anAsynchronousMethodTakesTheLockInItsOwnThread() {
        assertThat(service.async(Thread.currentThread()).join()).isTrue();
        await(() -> app.isFree("async"));
    }

    @Test
    void aScheduledMethodRunsOnceInAllProcessesInItsTime() {
        Jobs.RUNS.set(0);
        try (App jobs = App.of(Config.class, Jobs.class)) {
            await(() -> Jobs.RUNS.get() == 1);
            // The same thread has called the job again and again in the meantime.
            int ticks = Jobs.TICKS.get();
            await(() -> Jobs.TICKS.get() > ticks + 5);
            assertThat(jobs.other.lock("job").tryAcquire()).isNull();
            assertThat(Jobs.RUNS).hasValue(1);
        }
    }

    @Test
    void aLockThatIsKeptForItsTimeDoesNotDelayTheShutdown() {
        service.atLeast();
        assertThat(app.isFree("least")).isFalse();
        app.context.publishEvent(new ContextClosedEvent(app.context));
        await(() -> app.isFree("least"));
        service.atLeast();
        assertThat(app.isFree("least")).isTrue();
    }

    static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
    }
}
