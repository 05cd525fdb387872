package io.lockkeeper.shell;

import static io.lockkeeper.shell.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.ExtendOutcome;
import io.lockkeeper.HandOff;
import io.lockkeeper.HoldState;
import io.lockkeeper.Leaks;
import io.lockkeeper.Loss;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Exchanged;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A lease counts from the moment just before the request was sent, in each of the ways in which a grant, a renewal
 * or an extension comes: here the store executes a request at once, and its reply is half a lease late. And what happens between a grant and
 * its delivery.
 */
class SendTimesTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration HALF = LEASE.dividedBy(2);

    private final HandClocks clocks = new HandClocks();
    private final ScriptedBackend backend = new ScriptedBackend(MemoryBackend.create(clocks));
    private final AtomicBoolean late = new AtomicBoolean();
    private final AtomicBoolean wasLate = new AtomicBoolean();
    private final Queue<Runnable> callbacks = new ConcurrentLinkedQueue<>();
    private KeeperCore core = core(Settings.DEFAULT);
    private LiveKeeper keeper = new LiveKeeper(core, false);

    private KeeperCore core(Settings settings) {
        return new KeeperCore(
                backend, settings.withClocks(clocks).withLease(LEASE).withHandOff(new HandOff(0, Duration.ZERO)));
    }

    @AfterEach
    void close() {
        late.set(false);
        keeper.close();
    }

    private <Q, A> ScriptedBackend.Hook<Q, A> lateOnce() {
        return (request, store) -> {
            A answer = store.apply(request);
            if (late.compareAndSet(true, false)) {
                clocks.advance(HALF);
                wasLate.set(true);
            }
            return answer;
        };
    }

    /** A grant that is half a lease old is due at once; that renewal is not to be seen here. */
    private void withoutRenewals() {
        backend.renew = (claims, store) -> {
            throw new StoreUnavailableException("planted");
        };
    }

    private static void countsFromSending(ExclusiveHold hold) {
        assertThat(hold.state()).isNotEqualTo(HoldState.LOST);
        assertThat(hold.remaining()).isPositive().isLessThan(HALF);
    }

    @Test
    void aGrantToAThreadCountsFromItsSending() throws InterruptedException {
        withoutRenewals();
        backend.attempt = lateOnce();
        late.set(true);

        countsFromSending(keeper.lock("a").acquire());
    }

    @Test
    void aGrantToAFutureCountsFromItsSending() {
        withoutRenewals();
        backend.attempt = lateOnce();
        late.set(true);

        countsFromSending(
                keeper.lock("a").acquireAsync().orTimeout(30, TimeUnit.SECONDS).join());
    }

    @Test
    void aRenewalCountsFromItsSending() throws InterruptedException {
        backend.renew = lateOnce();
        ExclusiveHold hold = keeper.lock("a").acquire();
        late.set(true);
        clocks.advance(Duration.ofSeconds(11));

        // Without the renewal 4 s would be left now.
        eventually("the reply counts", () -> wasLate.get() && hold.remaining().compareTo(Duration.ofSeconds(5)) > 0);
        countsFromSending(hold);
    }

    @Test
    void aGrantThatComesAlongWithAReleaseCountsFromItsSending() throws InterruptedException {
        withoutRenewals();
        backend.attempt = lateOnce();
        AtomicInteger exchanges = new AtomicInteger();
        backend.exchanging = exchanges::incrementAndGet;
        ExclusiveHold first = keeper.lock("a").acquire();
        CompletableFuture<ExclusiveHold> second = keeper.lock("a").acquireAsync();
        eventually("it waits", () -> keeper.inspect("a").isPresent() && waiting() == 1);
        late.set(true);

        first.release();

        countsFromSending(second.orTimeout(30, TimeUnit.SECONDS).join());
        assertThat(exchanges).hasValue(1);
    }

    @Test
    void soDoesOneWhoseReleaseWasNotAnswered() throws InterruptedException {
        backend.exchanged = got ->
                new Exchanged(null, new StoreUnavailableException("planted"), got.answer(), got.attemptFailure());
        aGrantThatComesAlongWithAReleaseCountsFromItsSending();
    }

    @Test
    void anExtendedLeaseCountsFromItsSending() throws InterruptedException {
        backend.extend = lateOnce();
        ExclusiveHold hold = keeper.lock("a").withFixedLease(LEASE).acquire();
        late.set(true);

        assertThat(hold.extend(LEASE)).isEqualTo(ExtendOutcome.EXTENDED);

        countsFromSending(hold);
    }

    @Test
    void aRequestLockWhoseReplyIsLaterThanItsLeaseIsNotHeld() {
        backend.attempt = (claim, store) -> {
            Answer answer = store.apply(claim);
            clocks.advance(LEASE);
            return answer;
        };

        assertThatThrownBy(() -> keeper.requests().tryLock("a", "request-1", LEASE))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("after its lease");
    }

    @Test
    void anErrorDuringARequestLocksAttemptIsTheCallers() {
        AtomicInteger asked = new AtomicInteger();
        backend.attempt = (claim, store) -> {
            if (asked.incrementAndGet() == 1) {
                throw new StackOverflowError("planted");
            }
            return store.apply(claim);
        };

        assertThatThrownBy(() -> keeper.requests().tryLock("a", "request-1", LEASE))
                .isInstanceOf(StackOverflowError.class);

        assertThat(keeper.requests().tryLock("a", "request-1", LEASE)).isTrue();
    }

    private int waiting() {
        int[] waiting = {0};
        core.slots().forEach(slot -> {
            slot.lock.lock();
            try {
                waiting[0] += slot.engine.waiting();
            } finally {
                slot.lock.unlock();
            }
        });
        return waiting[0];
    }

    @Test
    void anErrorInARenewalMakesItUncertainAtOnce() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        backend.renew = (claims, store) -> {
            if (asked.incrementAndGet() == 1) {
                throw new InternalError("planted");
            }
            return store.apply(claims);
        };
        ExclusiveHold hold = keeper.lock("a").acquire();
        clocks.advance(Duration.ofSeconds(10).plusMillis(500));
        eventually("asked", () -> asked.get() == 1);

        eventually("uncertain", () -> hold.state() == HoldState.UNCERTAIN);
        eventually("renewed", () -> {
            clocks.advance(Duration.ofMillis(20));
            return hold.state() == HoldState.HELD;
        });
    }

    private void openWithCallbacksByHand() {
        keeper.close();
        core = core(Settings.DEFAULT.withCallbacks(callbacks::add).withLeaks(Leaks.REPORT));
        keeper = new LiveKeeper(core, false);
    }

    private void runCallbacks() {
        for (Runnable task = callbacks.poll(); task != null; task = callbacks.poll()) {
            task.run();
        }
    }

    @Test
    void whatIsGrantedBetweenTheGrantAndACancelledDeliveryIsGivenBack() {
        openWithCallbacksByHand();
        CompletableFuture<ExclusiveHold> future = keeper.lock("a").acquireAsync();
        eventually("it is to be delivered", () -> !callbacks.isEmpty());
        future.cancel(false);
        assertThat(keeper.inspect("a")).isPresent();

        eventually("given back", () -> {
            runCallbacks();
            return keeper.inspect("a").isEmpty();
        });
    }

    @Test
    void aLossBetweenTheGrantAndItsDeliveryIsTold() {
        openWithCallbacksByHand();
        CompletableFuture<ExclusiveHold> future =
                keeper.lock("a").withFixedLease(Duration.ofSeconds(5)).acquireAsync();
        eventually("it is to be delivered", () -> !callbacks.isEmpty());
        clocks.advance(Duration.ofSeconds(6));
        eventually("the engine has ended it", () -> core.slots().isEmpty());

        eventually("delivered", () -> {
            runCallbacks();
            return future.isDone();
        });
        ExclusiveHold hold = future.join();
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        CompletableFuture<Loss> lost = hold.lost();
        eventually("told", () -> {
            runCallbacks();
            return lost.isDone();
        });
    }
}
