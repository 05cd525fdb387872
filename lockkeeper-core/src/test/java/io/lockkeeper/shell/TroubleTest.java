package io.lockkeeper.shell;

import static io.lockkeeper.shell.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.MultiHold;
import io.lockkeeper.MultiLock;
import io.lockkeeper.Overdue;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.SingleHold;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What goes wrong beside or inside a request must not leave a lock that nobody can have any more. */
class TroubleTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final ScriptedBackend backend = new ScriptedBackend();
    private final Lockkeeper keeper = Lockkeeper.of(backend);

    @AfterEach
    void close() {
        keeper.close();
    }

    private void isFree(String name) throws InterruptedException {
        try (ExclusiveHold hold = keeper.lock(name).tryAcquire(LONG)) {
            assertThat(hold).isNotNull();
        }
    }

    private static <Q, A> ScriptedBackend.Hook<Q, A> brokenOnce() {
        AtomicBoolean broken = new AtomicBoolean();
        return (request, store) -> {
            A answer = store.apply(request);
            if (broken.compareAndSet(false, true)) {
                throw new StackOverflowError("planted");
            }
            return answer;
        };
    }

    @Test
    void anErrorDuringAnAttemptReachesTheCallerAndLeavesNothing() throws InterruptedException {
        backend.attempt = brokenOnce();

        assertThatThrownBy(() -> keeper.lock("a").acquire()).isInstanceOf(StackOverflowError.class);

        isFree("a");
    }

    @Test
    void anErrorDuringAnAsynchronousAttemptIsAReplyThatNeverCame() {
        backend.attempt = brokenOnce();

        ExclusiveHold hold =
                keeper.lock("a").acquireAsync().orTimeout(30, TimeUnit.SECONDS).join();

        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void anErrorDuringAReleaseIsSettledInTheBackground() throws InterruptedException {
        ExclusiveHold hold = keeper.lock("a").acquire();
        backend.release = brokenOnce();

        assertThat(hold.release()).isEqualTo(ReleaseOutcome.UNKNOWN);

        isFree("a");
        eventually(
                "nothing is left in the store but the tombstone",
                () -> keeper.list("").isEmpty());
    }

    @Test
    void anErrorDuringARenewalDoesNotEndTheRenewals() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        ScriptedBackend.Hook<List<Claim>, List<Renewal>> broken = brokenOnce();
        backend.renew = (claims, store) -> {
            asked.incrementAndGet();
            return broken.on(claims, store);
        };
        try (ExclusiveHold hold =
                keeper.lock("a").withLease(Duration.ofSeconds(6)).acquire()) {
            eventually("renewed again", () -> asked.get() >= 3);
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void aStoreThatAnswersTooFewRenewalsIsUncertainForTheRest() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        backend.renew = (claims, store) -> {
            asked.incrementAndGet();
            return store.apply(claims).subList(0, claims.size() - 1);
        };
        try (ExclusiveHold hold =
                keeper.lock("a").withLease(Duration.ofSeconds(9)).acquire()) {
            eventually("uncertain", () -> hold.state() == HoldState.UNCERTAIN);
            backend.renew = ScriptedBackend.Hook.none();
            eventually("certain again", () -> hold.state() == HoldState.HELD);
        }
        assertThat(asked.get()).isPositive();
    }

    @Test
    void theTimeLimitHoldsThoughTheStoreSaysToAskAtOnce() throws InterruptedException {
        backend.attempt = (claim, store) -> new Answer.Wait(Duration.ZERO);

        assertThat(keeper.lock("a").tryAcquire(Duration.ofMillis(100))).isNull();
        assertThat(keeper.lock("a")
                        .tryAcquireAsync(Duration.ofMillis(100))
                        .orTimeout(30, TimeUnit.SECONDS)
                        .join())
                .isNull();
    }

    @Test
    void aWaitThatIsOverWhileTheStoreIsSilentSaysSo() {
        backend.attempt = (claim, store) -> {
            throw new StoreUnavailableException("planted");
        };

        assertThatThrownBy(() -> keeper.lock("a").tryAcquire(Duration.ofMillis(100)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("planted");
    }

    @Test
    void whatAnInterruptedRequestGotIsGivenBack() throws Exception {
        CountDownLatch asking = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        backend.attempt = (claim, store) -> {
            Answer granted = store.apply(claim);
            asking.countDown();
            await(answer);
            return granted;
        };
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                keeper.lock("a").acquire();
                ended.complete(new AssertionError("not interrupted"));
            } catch (InterruptedException expected) {
                ended.complete(expected);
            }
        });
        thread.start();
        asking.await();
        thread.interrupt();
        backend.attempt = ScriptedBackend.Hook.none();
        answer.countDown();

        assertThat(ended.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        isFree("a");
    }

    /** Deaf to interrupts, as a request is. */
    static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whatArrivesAfterTheFutureWasCancelledIsGivenBack() throws Exception {
        CountDownLatch asking = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        backend.attempt = (claim, store) -> {
            Answer granted = store.apply(claim);
            asking.countDown();
            await(answer);
            return granted;
        };
        CompletableFuture<ExclusiveHold> future = keeper.lock("a").acquireAsync();
        asking.await();
        future.cancel(true);
        backend.attempt = ScriptedBackend.Hook.none();
        answer.countDown();

        isFree("a");
    }

    @Test
    void aGrantThatComesAfterTheKeeperWasClosedIsGivenBack() throws Exception {
        CountDownLatch asking = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        backend.attempt = (claim, store) -> {
            asking.countDown();
            await(answer);
            return store.apply(claim);
        };
        CompletableFuture<ExclusiveHold> future = keeper.lock("a").acquireAsync();
        asking.await();
        Thread closing = new Thread(keeper::close);
        closing.start();
        // It is closed for everybody, and waits for the request that is under way.
        eventually("closing", () -> closing.getState() == Thread.State.TIMED_WAITING);
        answer.countDown();
        closing.join();

        assertThatThrownBy(() -> future.orTimeout(30, TimeUnit.SECONDS).join())
                .hasCauseInstanceOf(LockkeeperException.class);
        try (Lockkeeper other = Lockkeeper.of(backend.memory());
                ExclusiveHold hold = other.lock("a").tryAcquire(Duration.ofSeconds(20))) {
            assertThat(hold).as("within less than its lease").isNotNull();
        }
    }

    @Test
    void aCallbackExecutorThatRefusesLosesNoHold() throws InterruptedException {
        try (Lockkeeper refusing = Lockkeeper.builder()
                .callbacks(task -> {
                    throw new RejectedExecutionException("planted");
                })
                .open(backend)) {
            ExclusiveHold hold = refusing.lock("a")
                    .acquireAsync()
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
            assertThat(hold.releaseAsync().orTimeout(30, TimeUnit.SECONDS).join())
                    .isEqualTo(ReleaseOutcome.RELEASED);
        }
        isFree("a");
    }

    @Test
    void aBodyThatReturnsNoStageFailsAndReleases() throws InterruptedException {
        CompletableFuture<String> result = keeper.lock("a").callAsync(hold -> null);

        assertThatThrownBy(() -> result.orTimeout(30, TimeUnit.SECONDS).join())
                .hasCauseInstanceOf(NullPointerException.class);
        isFree("a");
    }

    @Test
    void aHoldThatWasReleasedIsNotTurnedIntoAReadHold() throws InterruptedException {
        ExclusiveHold writing = keeper.readWriteLock("a").writeLock().acquire();
        writing.release();

        assertThatThrownBy(() -> keeper.readWriteLock("a").downgrade(writing))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("released");
    }

    @Test
    void aHoldMayBeReleasedAfterItsKeeperWasClosed() throws InterruptedException {
        ExclusiveHold first = keeper.lock("a").acquire();
        ExclusiveHold second = keeper.lock("b").acquire();
        keeper.close();

        assertThat(first.releaseAsync().orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo(ReleaseOutcome.NOT_HELD);
        assertThat(first.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
        assertThat(second.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
    }

    /** Order by address would let two processes that know two stores under swapped names wait for each other. */
    @Test
    void multiLocksAreTakenByNameFamilyAndTheStoresOwnId() throws InterruptedException {
        List<String> order = new CopyOnWriteArrayList<>();
        ScriptedBackend one = recording(order, "1");
        ScriptedBackend two = recording(order, "2");
        try (Lockkeeper first = Lockkeeper.of(one);
                Lockkeeper second = Lockkeeper.of(two)) {
            one.storeId = id -> "z";
            two.storeId = id -> "y";
            DistributedLock b1 = first.lock("b");
            DistributedLock b2 = second.lock("b");
            DistributedLock a1 = first.lock("a");
            for (MultiLock lock :
                    List.of(MultiLock.of(b1, b2, a1), MultiLock.of(a1, b2, b1), MultiLock.of(b2, a1, b1))) {
                order.clear();
                try (MultiHold hold = lock.acquire()) {
                    assertThat(hold.state()).isEqualTo(HoldState.HELD);
                }
                assertThat(order).containsExactly("1 lock 'a'", "2 lock 'b'", "1 lock 'b'");
            }
        }
    }

    private static ScriptedBackend recording(List<String> order, String which) {
        ScriptedBackend recording = new ScriptedBackend();
        recording.attempt = (claim, store) -> {
            order.add(which + " " + claim.resource());
            return store.apply(claim);
        };
        return recording;
    }

    @Test
    void aSlowReaderThatIsTakenAwayCostsOtherReadersNothing() throws InterruptedException {
        var lock = keeper.readWriteLock("a").readLock();
        SingleHold slow = lock.withMaxHold(Duration.ofMillis(50), Overdue.LOSE).acquire();
        SingleHold other = lock.acquire();

        eventually("taken away", () -> slow.state() == HoldState.LOST);

        assertThat(other.state()).isEqualTo(HoldState.HELD);
        assertThat(other.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    /** Waiting on without looking at the order could be waiting in a circle. */
    @Test
    void aMultiLockThatCannotLookAtTheOrderAnyMoreEndsItsWait() throws InterruptedException {
        HandClocks clocks = new HandClocks();
        ScriptedBackend one = new ScriptedBackend(MemoryBackend.create(clocks));
        ScriptedBackend two = new ScriptedBackend(MemoryBackend.create(clocks));
        AtomicBoolean broken = new AtomicBoolean();
        one.storeId = id -> "a";
        two.storeId = id -> {
            if (broken.get()) {
                throw new InternalError("planted");
            }
            return "b";
        };
        Settings settings = Settings.DEFAULT.withClocks(clocks);
        try (Lockkeeper first = LiveKeeper.open(one, settings);
                Lockkeeper second = LiveKeeper.open(two, settings);
                Lockkeeper other = LiveKeeper.open(two, settings);
                ExclusiveHold inTheWay = other.lock("n").acquire()) {
            CompletableFuture<MultiHold> waits =
                    MultiLock.of(first.lock("n"), second.lock("n")).acquireAsync();
            eventually("it has the first", () -> first.inspect("n").isPresent());
            broken.set(true);
            eventually("it ends", () -> {
                clocks.advance(Duration.ofMillis(100));
                return waits.isDone();
            });
            assertThatThrownBy(waits::join).hasRootCauseMessage("planted");
            eventually("the first is given back", () -> first.inspect("n").isEmpty());
            assertThat(inTheWay.state()).isNotEqualTo(HoldState.LOST);
        }
    }
}
