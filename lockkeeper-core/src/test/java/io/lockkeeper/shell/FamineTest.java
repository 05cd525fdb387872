package io.lockkeeper.shell;

import static io.lockkeeper.shell.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Family;
import io.lockkeeper.HoldState;
import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.engine.AcquireRequest;
import io.lockkeeper.engine.Effects;
import io.lockkeeper.engine.Waiter;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.spi.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** While no thread can be started, work waits; when threads can be started again, all of it is done. */
class FamineTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration RETRY = Duration.ofMillis(150);

    private final HandClocks clocks = new HandClocks();
    private final ScriptedBackend backend = new ScriptedBackend(MemoryBackend.create(clocks));
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean famine;
    private final KeeperCore core =
            new KeeperCore(backend, Settings.DEFAULT.withClocks(clocks).withLease(LEASE), this::start);
    private final Lockkeeper keeper = new LiveKeeper(core, false);

    private void start(Thread thread) {
        if (famine) {
            refused.incrementAndGet();
            throw new InternalError("unable to create native thread (planted)");
        }
        thread.start();
    }

    @AfterEach
    void close() {
        famine = false;
        keeper.close();
    }

    private void isRenewed(ExclusiveHold hold) {
        eventually(hold + " is renewed", () -> hold.remaining().compareTo(Duration.ofSeconds(29)) > 0);
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void aRenewalThatCouldNotBeStartedIsStartedLaterForThatNodeAndAllOthers() throws InterruptedException {
        ExclusiveHold first = keeper.lock("first").acquire();
        famine = true;
        clocks.advance(Duration.ofSeconds(11));
        eventually("a thread is refused", () -> refused.get() > 0);

        famine = false;
        clocks.advance(RETRY);
        isRenewed(first);

        ExclusiveHold second = keeper.lock("second").acquire();
        clocks.advance(Duration.ofSeconds(11));
        isRenewed(first);
        isRenewed(second);
    }

    @Test
    void whatMeetsAnErrorOnItsWayToAThreadIsDueAgain() throws InterruptedException {
        // The keeper's own renewals must not succeed: what they have renewed would not be due here.
        backend.renew = (claims, store) -> {
            throw new StoreUnavailableException("planted");
        };
        AtomicInteger asked = new AtomicInteger();
        List<Runnable> begun = new ArrayList<>();
        RenewalService desk = new RenewalService(core, task -> {
            if (asked.incrementAndGet() == 1) {
                throw new InternalError("planted");
            }
            begun.add(task);
        });
        ExclusiveHold hold = keeper.lock("a").acquire();
        Effects effects = new Effects();
        core.at(new Resource(Family.LOCK, "a"), slot -> effects.begun.addAll(slot.engine.grants()));
        desk.update(effects);
        clocks.advance(Duration.ofSeconds(11));

        desk.look();
        assertThat(begun).isEmpty();
        clocks.advance(Duration.ofSeconds(2));
        desk.look();

        assertThat(begun).hasSize(1);
        assertThat(hold.state()).isNotEqualTo(HoldState.LOST);
    }

    @Test
    void oneWaiterThatCouldNotBeWokenDoesNotKeepTheWordFromOthers() {
        Set<Integer> woken = ConcurrentHashMap.newKeySet();
        AcquireRequest request = new AcquireRequest(Mode.EXCLUSIVE, LEASE, false, false, false);
        ResourceSlot slot = core.enter(new Resource(Family.LOCK, "a"));
        slot.engine.arrive(core.now(), new Waiter(request, false, null, null, () -> {
            throw new InternalError("planted");
        }));
        for (int i = 0; i < 3; i++) {
            int which = i;
            slot.engine.arrive(core.now(), new Waiter(request, false, null, null, () -> woken.add(which)));
        }
        slot.engine.failAll(core.now(), new KeeperClosedException("planted"));
        core.leave(slot, null);

        assertThat(woken).containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void asynchronousWorkWaitsForAThreadAndIsDone() {
        famine = true;
        CompletableFuture<ExclusiveHold> first = keeper.lock("a").acquireAsync();
        CompletableFuture<ExclusiveHold> second = keeper.lock("b").acquireAsync();
        CompletableFuture<Boolean> opened = keeper.latch("l").awaitAsync(Duration.ofMinutes(1));
        assertThat(first).isNotDone();

        famine = false;
        clocks.advance(RETRY);

        ExclusiveHold hold = first.orTimeout(30, TimeUnit.SECONDS).join();
        second.orTimeout(30, TimeUnit.SECONDS).join();
        assertThat(opened.orTimeout(30, TimeUnit.SECONDS).join()).isTrue();
        famine = true;
        CompletableFuture<ReleaseOutcome> released = hold.releaseAsync();
        famine = false;
        clocks.advance(RETRY);
        assertThat(released.orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void whoIsToldOfALossIsToldWhenAThreadCanBeStarted() throws InterruptedException {
        ExclusiveHold hold =
                keeper.lock("a").withFixedLease(Duration.ofSeconds(5)).acquire();
        CompletableFuture<Thread> told = new CompletableFuture<>();
        hold.onLost(loss -> told.complete(Thread.currentThread()));
        famine = true;
        clocks.advance(Duration.ofSeconds(6));
        eventually("a thread is refused", () -> refused.get() > 0);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(told).isNotDone();

        famine = false;
        clocks.advance(RETRY);

        assertThat(told.orTimeout(30, TimeUnit.SECONDS).join().getName()).startsWith("lockkeeper-callback");
    }

    @Test
    void aKeeperThatIsClosedInAFamineStillEndsWhatIsWaitedFor() {
        famine = true;
        CompletableFuture<ExclusiveHold> future = keeper.lock("a").acquireAsync();
        CompletableFuture<Boolean> opened = keeper.latch("l").awaitAsync(Duration.ofDays(1));

        keeper.close();

        assertThat(opened).isCompletedExceptionally();
        assertThat(future).isCompletedExceptionally();
    }
}
