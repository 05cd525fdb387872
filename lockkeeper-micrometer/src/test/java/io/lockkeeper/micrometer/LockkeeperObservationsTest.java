package io.lockkeeper.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.memory.MemoryBackend;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What traces show of locks. */
class LockkeeperObservationsTest {

    /** What was observed, as text: name, parent, outcome, events. */
    private static final class Recorder implements ObservationHandler<Observation.Context> {

        final List<String> started = new CopyOnWriteArrayList<>();
        final List<String> stopped = new CopyOnWriteArrayList<>();
        final List<String> events = new CopyOnWriteArrayList<>();

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }

        @Override
        public void onStart(Observation.Context context) {
            started.add(context.getName());
        }

        @Override
        public void onEvent(Observation.Event event, Observation.Context context) {
            events.add(event.getName());
        }

        @Override
        public void onStop(Observation.Context context) {
            var parent = context.getParentObservation();
            stopped.add(context.getName() + " in "
                    + (parent == null ? "nothing" : parent.getContextView().getName()) + ": "
                    + value(context, "outcome") + " " + value(context, "lockkeeper.name")
                    + (context.getError() == null ? "" : " failed"));
        }

        private static String value(Observation.Context context, String key) {
            var found = context.getAllKeyValues().stream()
                    .filter(each -> each.getKey().equals(key))
                    .findFirst();
            return found.map(each -> each.getValue()).orElse("-");
        }
    }

    private final Recorder recorder = new Recorder();
    private final ObservationRegistry registry = ObservationRegistry.create();
    private final MemoryBackend store = MemoryBackend.create();
    private final Lockkeeper other = Lockkeeper.of(store);
    private final Lockkeeper keeper;

    LockkeeperObservationsTest() {
        registry.observationConfig().observationHandler(recorder);
        keeper = Lockkeeper.builder()
                .listener(new LockkeeperObservations(registry))
                .open(store);
    }

    @AfterEach
    void close() {
        keeper.close();
        other.close();
        store.close();
        assertThat(recorder.stopped).hasSameSizeAs(recorder.started);
    }

    @Test
    void waitingAndHoldingAreChildrenOfTheRequest() {
        Observation.createNotStarted("request", registry)
                .observe(() -> keeper.lock("orders/42").lock());
        keeper.lock("orders/42").unlock();
        assertThat(recorder.stopped)
                .containsExactly(
                        "lockkeeper.lock.acquire in request: acquired orders/42",
                        "request in nothing: - -",
                        "lockkeeper.lock.hold in request: released orders/42");
    }

    @Test
    void aFutureIsAChildOfTheRequestThatMadeIt() throws Exception {
        CompletableFuture<ExclusiveHold> future = Observation.createNotStarted("request", registry)
                .observe(() -> keeper.lock("a").acquireAsync());
        assertThat(future).isNotNull();
        future.get(30, TimeUnit.SECONDS).close();
        assertThat(recorder.stopped)
                .contains(
                        "lockkeeper.lock.acquire in request: acquired a",
                        "lockkeeper.lock.hold in request: released a");
    }

    @Test
    void aWaitThatTimesOutSaysSo() throws Exception {
        try (ExclusiveHold theirs = other.lock("a").acquire()) {
            assertThat(keeper.lock("a").tryAcquire(Duration.ofMillis(20))).isNull();
        }
        assertThat(recorder.stopped).containsExactly("lockkeeper.lock.acquire in nothing: timeout a");
        assertThat(recorder.events).containsExactly("lockkeeper.waiting");
    }

    @Test
    void aLossEndsTheHoldOnce() throws Exception {
        ExclusiveHold hold = keeper.lock("a").acquire();
        other.forceRelease("a");
        hold.lost().get(30, TimeUnit.SECONDS);
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (recorder.stopped.size() < 2 && System.nanoTime() < deadline) {
            LockSupport.parkNanos(1_000_000);
        }
        hold.close();
        assertThat(recorder.stopped)
                .containsExactly(
                        "lockkeeper.lock.acquire in nothing: acquired a", "lockkeeper.lock.hold in nothing: lost a");
        assertThat(recorder.events).containsExactly("lockkeeper.lost");
    }

    @Test
    void aReleaseThatComesBeforeTheNotificationOfTheLossIsNoRelease() throws Exception {
        ExclusiveHold hold =
                keeper.lock("a").withFixedLease(Duration.ofMillis(100)).acquire();
        while (hold.isHeld()) {
            LockSupport.parkNanos(1_000_000);
        }
        hold.close();
        assertThat(recorder.stopped).doesNotContain("lockkeeper.lock.hold in nothing: released a");
    }

    @Test
    void nestingHoldsNothingNew() {
        keeper.lock("a").lock();
        keeper.lock("a").lock();
        keeper.lock("a").unlock();
        keeper.lock("a").unlock();
        assertThat(recorder.stopped)
                .containsExactly(
                        "lockkeeper.lock.acquire in nothing: acquired a",
                        "lockkeeper.lock.acquire in nothing: nested a",
                        "lockkeeper.lock.hold in nothing: released a");
    }

    @Test
    void withoutHandlersNothingIsKept() throws Exception {
        try (Lockkeeper quiet = Lockkeeper.builder()
                .listener(new LockkeeperObservations(ObservationRegistry.NOOP))
                .open(store)) {
            quiet.lock("a").acquire().close();
        }
    }
}
